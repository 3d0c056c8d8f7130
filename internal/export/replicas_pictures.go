package export

import (
	"bufio"
	"html"
	"io"
	"slices"

	pprof "github.com/google/pprof/profile"

	"mallard/internal/symbols"
)

// Pprof writes what would be saved as a gzipped pprof profile with the values saved_objects/count and
// saved_space/bytes, the latter being the default. The class is the innermost frame.
func (r *ReplicaReport) Pprof(w io.Writer) error {
	b := newPprofBuilder(r.profile, amounts("saved"))
	b.out.Comments = []string{"mallard recording " + r.file, "copies: " + heapAmount(r.answer.Saved)}
	for _, line := range heapLossLines(r.profile, r.missing()) {
		b.out.Comments = append(b.out.Comments, "losses: "+line)
	}
	methods := oneOfEach{}
	for i := range r.answer.Rows {
		row := &r.answer.Rows[i]
		if row.Saved.Objects == 0 {
			continue
		}
		b.out.Sample = append(b.out.Sample, &pprof.Sample{Location: b.stack(r.frames(row), methods),
			Value: []int64{row.Saved.Objects, row.Saved.Bytes},
			Label: map[string][]string{labelClass: {r.history.Name(row.Class)}}})
	}
	return b.write(w)
}

// oneOfEach has methods that are equal be one, of which a builder makes one function.
type oneOfEach map[symbols.Method]*symbols.Method

// stack gives the locations of frames whose methods may be equal without being one.
func (b *pprofBuilder) stack(frames []symbols.Frame, methods oneOfEach) (stack []*pprof.Location) {
	for _, f := range frames {
		if methods[*f.Method] == nil {
			methods[*f.Method] = f.Method
		}
		f.Method = methods[*f.Method]
		stack = append(stack, b.location(f))
	}
	return stack
}

// Page writes a page with a flame graph, as wide as what would be saved.
func (r *ReplicaReport) Page(w io.Writer) error {
	facts := []string{"Recording " + r.file, "Widths are what would be saved without copies",
		"Hashed " + heapAmount(r.answer.All)}
	facts = append(facts, r.findings()...)
	facts = append(facts, heapLossLines(r.profile, r.missing())...)
	page := &page{
		title:    pageTitle(r.file, r.profile),
		summary:  html.EscapeString("copies: " + heapAmount(r.answer.Saved)),
		facts:    pageFacts(facts),
		controls: pagePart("reverse.html"),
		keys:     " <kbd>r</kbd>: by class.",
		styles:   []string{"style.css"},
		scripts:  []string{"frame.js", "data.js", "view.js", "packages.js", "controls.js"},
	}
	return page.write(w, r.writeTree)
}

// writeTree writes rows as a tree of calls, outermost first.
func (r *ReplicaReport) writeTree(out *bufio.Writer) error {
	var branches []pageBranch
	for i := range r.answer.Rows {
		row := &r.answer.Rows[i]
		if row.Saved.Objects == 0 {
			continue
		}
		var path []string // the class last
		for _, f := range slices.Backward(r.frames(row)) {
			path = append(path, f.Title())
		}
		branches = append(branches, pageBranch{path, row.Saved.Objects, row.Saved.Bytes})
	}
	return writePageBranches(out, branches)
}
