package export

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"strings"

	"mallard/internal/profile"
)

// ServedPage writes the page of a recording that asks a server for what it shows: the answers of package view. others
// are pages that stand in it, as their address and their title.
func ServedPage(w io.Writer, file string, p *profile.Profile, mine *profile.Mine, times bool,
	others [][2]string) error {
	tabs := strings.Builder{}
	for _, other := range others {
		tabs.WriteString(`<button role="tab" data-view="` + html.EscapeString(other[0]) + `">` +
			html.EscapeString(other[1]) + "</button\n    >")
	}
	timeline := strings.NewReplacer("What was held over time", "What was allocated over time",
		"What was held after collections, by class", "What was allocated by the second, by class").
		Replace(pagePart("timeline.html"))
	page := &page{
		title:    pageTitle(file, p),
		summary:  html.EscapeString(amount(p.Total)),
		facts:    pageFacts(flamegraphFacts(file, p, profile.Filter{})),
		above:    pagePart("served_above.html") + timeline,
		controls: strings.Replace(pagePart("served.html"), "{{tabs}}", tabs.String(), 1) + pagePart("reverse.html"),
		keys: " <kbd>r</kbd>: by class. <kbd>f</kbd>: fold code that is not yours. <kbd>i</kbd>: icicle. " +
			"<kbd>l</kbd>: lines. <kbd>c</kbd>: callers and callees of the method. <kbd>s</kbd>: its source.",
		panels: pagePart("served_panels.html"),
		policy: "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; " +
			"frame-src 'self'",
		styles: []string{"style.css", "heap.css", "served.css"},
		scripts: []string{"frame.js", "pieces.js", "address.js", "view.js", "packages.js", "controls.js", "rates.js",
			"brush.js", "marks.js", "rows.js", "lines.js", "served.js"},
	}
	return page.write(w, func(out *bufio.Writer) error {
		return json.NewEncoder(out).Encode(map[string]any{
			"total":  map[string]int64{"objects": p.Total.Objects, "bytes": p.Total.Bytes},
			"folded": mine != nil, "times": times, "generation": 1})
	})
}

// PagePolicy is the Content-Security-Policy by which a server may serve one of these pages: its own style and program
// run, and nothing else. within says whether a page of the same server shows it.
func PagePolicy(page []byte, within bool) string {
	sources := func(begin, end string) string {
		list, rest := []string{}, page
		for {
			_, after, found := bytes.Cut(rest, []byte(begin))
			if !found {
				return strings.Join(list, " ")
			}
			text, behind, _ := bytes.Cut(after, []byte(end))
			sum := sha256.Sum256(text)
			list = append(list, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
			rest = behind
		}
	}
	ancestors := "'none'"
	if within {
		ancestors = "'self'"
	}
	return "default-src 'none'; script-src " + sources("<script>", "</script>") + "; style-src " +
		sources("<style>", "</style>") + "; connect-src 'self'; frame-src 'self'; frame-ancestors " + ancestors +
		"; base-uri 'none'; form-action 'none'"
}
