package export

import (
	"bufio"
	"fmt"
	"html"
	"io"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// HeapPage writes a page about what was in the heap: over time, and what changed in any span of it; how long objects
// lived, by package and class; and where they lay, at first at a moment, an index in Pauses. The span of the query is
// chosen on the page at first. What is too much for a page is left out in ways that its facts state.
func HeapPage(w io.Writer, file string, p *profile.Profile, h *heap.History, moment int, q heap.Query) error {
	line := h.Timeline(q)
	page := &page{
		title:    pageTitle(file, p),
		summary:  html.EscapeString(momentText(h, moment)),
		above:    pagePart("timeline.html"),
		controls: pagePart("tabs.html"),
		panels:   pagePart("panels.html"),
		styles:   []string{"style.css", "heap.css"},
		scripts: []string{"frame.js", "data.js", "view.js", "lifetimes.js", "controls.js", "courses.js", "brush.js",
			"marks.js", "timeline.js", "table.js", "map.js", "heap.js"},
	}
	lives := newLives(h, line)
	maps := drawMaps(h, line, moment, p.Process != nil && p.Process.GC == "G1") // others have no regions
	page.facts = pageFacts(heapPageFacts(file, p, h, line, lives, maps))
	return page.write(w, func(out *bufio.Writer) error {
		t := newPageTree(out)
		writeLived(t, lives.list)
		t.end()
		for _, part := range []struct {
			name  string
			value any
		}{
			{"unit", q.Sort.String()},
			{"lifetimes", newPageLifetimes(lives)},
			{"points", newPagePoints(h, line)},
			{"courses", newPageCourses(t, h, line)},
			{"others", line.Left},
			{"moment", momentText(h, moment)},
			{"span", [2]float64{q.Span.From.Seconds(), q.Span.To.Seconds()}}, // To 0: the end
			{"maps", newPageMaps(t, h, line, maps, moment)},
		} {
			if err := t.data(part.name, part.value); err != nil {
				return err
			}
		}
		return t.close()
	})
}

// heapPageFacts says what the numbers are of, and what is not there.
func heapPageFacts(file string, p *profile.Profile, h *heap.History, t *heap.Timeline, lives *lives,
	maps *heap.Maps) []string {
	pauses := len(h.Pauses)
	facts := []string{"Recording " + file,
		"Units objects include arrays; bytes are those on the heap, headers and alignment included"}
	if t.Class != "" {
		facts = append(facts, "Filter class "+t.Class)
	}
	if pauses > len(t.Points) {
		facts = append(facts, fmt.Sprintf("Time has %s for %s: each stands for up to %d, and is what the last of them "+
			"has left", counted(int64(len(t.Points)), "point"), counted(int64(pauses), "pause"), t.Step))
	}
	if t.Left > 0 {
		facts = append(facts, fmt.Sprintf("Classes %d of %s: half of them those that held most, half those of which "+
			"most were born, by %s; the others are one row", len(t.Courses), grouped(int64(t.Classes)), t.Sort))
	}
	if t.Classes > mostLived {
		facts = append(facts, fmt.Sprintf("Lifetimes are of the %s classes of which most were born; the others are "+
			"one box in their package, in the %d packages where these are most", grouped(mostLived), mostRests))
	}
	if maps.Every > 1 {
		facts = append(facts, fmt.Sprintf("Maps %s for %s: one for each %d, for the last one, and for the moment that "+
			"was asked for", grouped(int64(len(maps.Maps))), counted(int64(len(t.Points)), "point"), maps.Every))
	}
	if left := maps.Left(); left > 0 {
		facts = append(facts, fmt.Sprintf("Regions %s on a map: those in which most is used; up to %s are left out",
			grouped(heap.MostRegions), grouped(int64(left))))
	}
	facts = append(facts, lives.facts(t)...)
	for _, line := range heapLossLines(p, h.Missing(), lives.losses()...) {
		facts = append(facts, "Losses "+line)
	}
	if note := fillersNote(p); note != "" {
		facts = append(facts, "Note "+note)
	}
	return facts
}
