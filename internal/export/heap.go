package export

import (
	"fmt"
	"io"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// HeapSchema names the JSON form of answers about the heap.
const HeapSchema = "mallard.heap/1"

// HeapReport is an answer about what was in the heap, ready to be written:
//
//	Heap        after gc:12 (young) at 3.456 s
//	Total       1,000 objects, 24,000 bytes (23.4 KiB)
//
//	Objects  Obj%   Bytes  Byte%  Class
//	    990  99.0  23,760   99.0  demo.Point
//	     10   1.0     240    1.0  int[]
type HeapReport struct {
	file    string
	profile *profile.Profile
	history *heap.History
	head    jsonHeap
	facts   facts // of the answer
	query   heap.Query
	rows    heapRows
	counted string     // how many rows
	losses  []jsonLoss // that the recording does not say itself
}

// The JSON form of answers about the heap. Null means unknown.
type (
	jsonHeap struct {
		Schema    string         `json:"schema"`
		File      string         `json:"file"`
		Question  string         `json:"question"`
		At        *jsonMoment    `json:"at,omitempty"`
		From      *jsonMoment    `json:"from,omitempty"`
		To        *jsonMoment    `json:"to,omitempty"`
		Filters   jsonHeapFilter `json:"filters"`
		Totals    *jsonHeapSum   `json:"totals,omitempty"`
		Selected  *jsonHeapSum   `json:"selected,omitempty"`
		Uncounted *jsonHeapSum   `json:"uncounted,omitempty"`
		Unused    *int64         `json:"unused_bytes,omitempty"`
		Sited     *int64         `json:"sited_bytes,omitempty"`
		Died      *jsonHeapSum   `json:"died,omitempty"`
		DiedSited *jsonHeapSum   `json:"died_sited,omitempty"`
		Growing   *jsonGrowing   `json:"growing,omitempty"` // the first one that grows, in figures
		Verdicts  []jsonVerdict  `json:"verdicts,omitempty"`
		After     *string        `json:"after,omitempty"`   // growth: full, or all, collections
		Unknown   *jsonUnknown   `json:"unknown,omitempty"` // single objects
		Missing   int64          `json:"missing_events"`
		ReadFrom  *float64       `json:"read_from,omitempty"` // where not all was read, seconds

		Cost       *jsonCost       `json:"cost,omitempty"` // of a collection
		References *jsonReferences `json:"references,omitempty"`

		Losses []jsonLoss `json:"losses"`
	}
	jsonMoment struct {
		State      string   `json:"state"` // after, end, unfinished, start
		Collection *int64   `json:"collection"`
		Time       *float64 `json:"time"`
	}
	jsonHeapFilter struct {
		By    []string `json:"by"`
		Sort  *string  `json:"sort"`
		Top   *int     `json:"top"`
		Class *string  `json:"class"`
		Site  *string  `json:"site,omitempty"` // paths
		From  *float64 `json:"from,omitempty"` // seconds
		To    *float64 `json:"to,omitempty"`
	}
	jsonGrowing struct {
		Class          string    `json:"class"`
		Site           *jsonSite `json:"site,omitempty"` // where it is known
		BytesPerSecond float64   `json:"bytes_per_second"`
		RSquared       float64   `json:"r_squared"`
		StayedPercent  float64   `json:"stayed_percent"`
		After          string    `json:"after"`
		HeldBy         string    `json:"held_by,omitempty"`
	}
	// why a collection came, and for how long the world stood still, in seconds: in it, in all, and usually in others
	// that moved as much and more
	jsonCost struct {
		Cause       *string  `json:"cause"`
		Stopped     float64  `json:"stopped"`
		Collections int      `json:"collections"`
		All         float64  `json:"all_stopped"`
		More        int      `json:"moved_more"`
		Usual       *float64 `json:"usually_stopped"`
	}
	// something that is sure: in words, and the figures in them
	jsonVerdict struct {
		Verdict string `json:"verdict"`
		verdictClass
		HeldBy string `json:"held_by,omitempty"`
		// growing: those in which it is made; a figure says how much of it each keeps
		Transaction string             `json:"transaction,omitempty"`
		Text        string             `json:"text"`
		Figures     map[string]float64 `json:"figures"`
	}
	// what it is about, if that is a class
	verdictClass struct {
		Class   string    `json:"class,omitempty"`
		Loader  string    `json:"loader,omitempty"`  // of these objects, where the name has several
		Loaders int       `json:"loaders,omitempty"` // the same: how many these are
		Site    *jsonSite `json:"site,omitempty"`    // that makes it, where it is known
	}
	// what is known of the objects that there was a way to at the end
	jsonReferences struct {
		Complete  bool         `json:"complete"`
		Missing   int64        `json:"missing_references"`
		Strong    *jsonHeapSum `json:"strong"`
		Soft      *jsonHeapSum `json:"soft"`
		Finalizer *jsonHeapSum `json:"finalizer"`
		Unknown   *jsonHeapSum `json:"unknown"` // what leads to them is not
		Garbage   *jsonHeapSum `json:"garbage"` // held, but there is no way to them; null: unknown
		Pause     float64      `json:"pause_seconds"`
	}
	// how many objects it is of which something is not known
	jsonUnknown struct {
		All        *jsonHeapSum `json:"all_but_class,omitempty"`
		Births     int64        `json:"births,omitempty"`
		Ends       int64        `json:"ends,omitempty"`
		Identities int64        `json:"identities,omitempty"`
		Addresses  int64        `json:"addresses,omitempty"`
		Sites      *jsonHeapSum `json:"sites,omitempty"`     // of objects that were born
		Promoted   *jsonHeapSum `json:"promoted,omitempty"`  // at most, besides
		Premature  *jsonHeapSum `json:"premature,omitempty"` // at most, besides; null: any number
	}
	jsonHeapSum struct {
		Objects int64 `json:"objects"`
		Bytes   int64 `json:"bytes"`
	}
)

func newHeapReport(file string, p *profile.Profile, h *heap.History, question string, q heap.Query) *HeapReport {
	r := &HeapReport{file: file, profile: p, history: h, query: q, head: jsonHeap{Schema: HeapSchema, File: file,
		Question: question, Losses: newJSONLosses(p), Filters: jsonHeapFilter{By: []string{},
			Sort: optional(q.Sort.String()), Class: optional(q.Class), Site: optional(q.Site)}}}
	for _, by := range q.By {
		r.head.Filters.By = append(r.head.Filters.By, by.String())
	}
	if q.Top > 0 {
		r.head.Filters.Top = &q.Top
	}
	r.head.Missing = h.Missing()
	return r
}

// counts says how many rows follow.
func (r *HeapReport) counts(all int, noun, order string) {
	r.counted = counted(int64(all), noun)
	if r.rows.n < all {
		r.counted = fmt.Sprintf("%d of %s", r.rows.n, r.counted)
	}
	r.counted += ", sorted by " + order
}

// Text writes the answer for a reader: what the numbers are of, then the rows.
func (r *HeapReport) Text(w io.Writer) error { return r.text(w, false) }

// VerboseText is Text with all that there is to say of what the numbers are of.
func (r *HeapReport) VerboseText(w io.Writer) error { return r.text(w, true) }

func (r *HeapReport) text(w io.Writer, verbose bool) error {
	var f facts
	if verbose {
		f.add("Recording", r.file)
		addProcess(&f, r.profile)
	} else {
		addProgram(&f, r.file, r.profile)
	}
	if r.history.IsLate() && r.profile.Kept != nil {
		f.add("Kept", fmt.Sprintf("from %.1f s on (run --keep): what was born and died before that was discarded",
			r.history.Begin().Seconds()))
	}
	f.b.WriteString(r.facts.b.String())
	if verbose {
		f.add("Units", unitsText)
	}
	if r.query.Class != "" {
		f.add("Filter", "class "+r.query.Class)
	} else if r.query.Site != "" {
		f.add("Filter", "site "+r.query.Site)
	} else if verbose {
		f.add("Filter", "none")
	}
	f.add("Showing", r.counted)
	if verbose {
		f.add("Losses", heapLossLines(r.profile, r.head.Missing, r.losses...)...)
	} else {
		addLosses(&f, r.profile, r.lossKinds()...)
	}
	if note := fillersNote(r.profile); note != "" {
		f.add("Note", note)
	}
	if err := f.writeTo(w); err != nil || r.rows.n == 0 {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return writeColumns(w, tableColumns(r.rows.in(inText)))
}

// JSON writes the answer as one JSON object, each row on a line of its own.
func (r *HeapReport) JSON(w io.Writer) error {
	return writeJSON(w, r.head, tableRows(r.rows.in(inJSON)))
}

// CSV writes the rows of the JSON form.
func (r *HeapReport) CSV(w io.Writer) error { return writeTableCSV(w, r.rows.in(inCSV)) }

// lossKinds are those that heapLossLines adds to a recording's own, with their numbers.
func (r *HeapReport) lossKinds() (kinds []string) {
	for _, loss := range r.losses {
		kinds = append(kinds, fmt.Sprintf("%s (%s)", loss.Kind, grouped(int64(loss.Count))))
	}
	return append(kinds, walkLosses(r.head.Missing)...)
}

func walkLosses(missing int64) []string {
	if missing == 0 {
		return nil
	}
	return []string{fmt.Sprintf("walks (%s)", grouped(missing))}
}

// heapLossLines says what a recording lacks, where some events of the heap are missing, or more than it says itself.
func heapLossLines(p *profile.Profile, missing int64, more ...jsonLoss) []string {
	lines := lossLines(p)
	for _, loss := range more {
		lines = append(lines, lossLine(loss))
	}
	if missing > 0 {
		lines = append(lines, fmt.Sprintf("walks (%s): events of the heap are missing, so its numbers are not exact",
			grouped(missing)))
	}
	if len(p.Losses) == 0 && len(lines) > 1 {
		lines = lines[1:] // none
	}
	return lines
}

// fillersNote says what is counted as objects that are none; "" if nothing is.
func fillersNote(p *profile.Profile) string {
	if n := p.Process.Feature(); n > 0 && n < heap.FillersNamed {
		return fmt.Sprintf("on JDK %d memory that the JVM has filled cannot be told from int[]", n)
	}
	return ""
}

// momentText says which heap it is.
func momentText(h *heap.History, moment int) string {
	if moment == heap.Start {
		return "at the start, when there was nothing"
	}
	p := &h.Pauses[moment]
	name := "a pause"
	if p.Collection != heap.None {
		name = fmt.Sprintf("gc:%d", p.Collection)
	}
	switch {
	case p.Last:
		return fmt.Sprintf("at the JVM's end, %.3f s", p.Start.Seconds())
	case p.Ended:
		return fmt.Sprintf("before %s at %.3f s; what came later was not recorded", name, p.Start.Seconds())
	}
	return fmt.Sprintf("after %s (%s) at %.3f s", name, p.Collected, p.Finish.Seconds())
}

func newJSONMoment(h *heap.History, moment int) *jsonMoment {
	if moment == heap.Start {
		return &jsonMoment{State: "start"}
	}
	p := &h.Pauses[moment]
	m := &jsonMoment{State: "after"}
	switch {
	case p.Last:
		m.State = "end"
	case p.Ended:
		m.State = "unfinished"
	}
	if p.Collection != heap.None {
		m.Collection = &p.Collection
	}
	seconds := p.Time().Seconds()
	m.Time = &seconds
	return m
}

func newJSONHeapSum(a heap.Amount) *jsonHeapSum { return &jsonHeapSum{a.Objects, a.Bytes} }

func heapAmount(a heap.Amount) string {
	return counted(a.Objects, "object") + ", " + exactBytes(a.Bytes)
}
