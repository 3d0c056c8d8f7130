package export

import (
	"bufio"
	"cmp"
	"html"
	"io"
	"slices"

	"mallard/internal/profile"
)

// Flamegraph writes a page with a flame graph of what the filter selects, and with the plots of event tables. What is
// less than a share of it, percent, is left out, and how much that is together is returned. Code that is not the
// user's can be folded, and is where mine is given; otherwise that is guessed.
func Flamegraph(w io.Writer, file string, p *profile.Profile, filter profile.Filter, share float64, mine *profile.Mine,
	tables []*profile.EventTable) (omitted profile.Amount, err error) {
	tree, omitted := p.Tree(profile.TreeQuery{Filter: filter}).Omit(share)
	page := &page{
		title:    pageTitle(file, p),
		summary:  html.EscapeString(amount(tree.Total)),
		facts:    pageFacts(append(flamegraphFacts(file, p, filter), omittedFacts(omitted, tree.Total, share)...)),
		above:    plots(tables, p.Duration),
		controls: pagePart("reverse.html"),
		keys:     " <kbd>r</kbd>: by class. <kbd>f</kbd>: fold code that is not yours.",
		styles:   []string{"style.css"},
		scripts:  []string{"frame.js", "data.js", "view.js", "packages.js", "controls.js"},
	}
	return omitted, page.write(w, func(out *bufio.Writer) error {
		return writeFlamegraphData(out, tree, cmp.Or(mine, p.GuessMine()), mine != nil)
	})
}

// flamegraphFacts says what the numbers are of.
func flamegraphFacts(file string, p *profile.Profile, filter profile.Filter) []string {
	total := "Total " + amount(p.Total)
	if r := p.Reconciliation; r != nil {
		total += "; " + unattributedText(r)
	}
	facts := []string{"Recording " + file, total}
	if !filter.IsZero() {
		facts = append(facts, "Filter "+filterText(filter))
	}
	if !p.Tracked {
		facts = append(facts, "Recorded without contexts: callers are unknown")
	}
	for _, line := range lossLines(p) {
		facts = append(facts, "Losses "+line)
	}
	return facts
}

func writeFlamegraphData(out *bufio.Writer, tree *profile.Tree, mine *profile.Mine, folded bool) error {
	t, own := newPageTree(out), []int64{}
	depths := make([]int, len(tree.Nodes))
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Parent >= 0 {
			depths[i] = depths[n.Parent] + 1
		}
		if n.Kind == profile.TypeNode || n.Kind == profile.OmittedNode {
			t.leaf(depths[i], tree.Title(n), n.Amount.Objects, n.Amount.Bytes)
		} else {
			t.inner(depths[i], tree.Title(n), n.Calls)
		}
		if n.Kind == profile.MethodNode && mine.IsMethod(&tree.Methods[n.Name]) {
			own = append(own, t.name(tree.Title(n)))
		}
	}
	t.end()
	slices.Sort(own)
	if err := cmp.Or(t.data("mine", slices.Compact(own)), t.data("folded", folded)); err != nil {
		return err
	}
	return t.close()
}
