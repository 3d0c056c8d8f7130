package export

import (
	"bufio"
	"html"
	"io"

	"mallard/internal/profile"
)

// Flamegraph writes a page with a flame graph of what the filter selects, and with the plots of event tables.
// What is less than a share of it, percent, is left out, and how much that is together is returned.
func Flamegraph(w io.Writer, file string, p *profile.Profile, filter profile.Filter, share float64,
	tables []*profile.EventTable) (omitted profile.Amount, err error) {
	tree, omitted := p.Tree(profile.TreeQuery{Filter: filter}).Omit(share)
	page := &page{
		title:    pageTitle(file, p),
		summary:  html.EscapeString(amount(tree.Total)),
		facts:    pageFacts(append(flamegraphFacts(file, p, filter), omittedFacts(omitted, tree.Total, share)...)),
		above:    plots(tables, p.Duration),
		controls: pagePart("reverse.html"),
		keys:     " <kbd>r</kbd>: by class.",
		styles:   []string{"style.css"},
		scripts:  []string{"data.js", "view.js", "packages.js", "controls.js"},
	}
	return omitted, page.write(w, func(out *bufio.Writer) error { return writeFlamegraphData(out, tree) })
}

// flamegraphFacts says what the numbers are of.
func flamegraphFacts(file string, p *profile.Profile, filter profile.Filter) []string {
	facts := []string{"Recording " + file, "Total " + amount(p.Total)}
	if r := p.Reconciliation; r != nil {
		facts = append(facts, "Besides "+unattributedText(r))
	}
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

func writeFlamegraphData(out *bufio.Writer, tree *profile.Tree) error {
	t := newPageTree(out)
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
	}
	t.end()
	return t.close()
}
