package export

import (
	"bufio"
	"cmp"
	"html"
	"io"
	"slices"
	"strings"

	"mallard/internal/diff"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// Page writes a page with a flame graph of the difference: a frame is as wide as what is in it on the side that has
// more of that, class by class. Its rows are all that there are, by context or by site. Frames that are smaller than a
// share of the whole, percent, on both sides, are combined.
func (r *DiffReport) Page(w io.Writer, share float64) error {
	facts := []string{"A " + r.A.text(), "B " + r.B.text()}
	for _, warning := range r.warnings() {
		facts = append(facts, "Different "+warning)
	}
	facts = append(facts, "Total "+r.totalText(&r.Answer.Total))
	if filter := r.Answer.Query.Filter; !filter.IsZero() {
		facts = append(facts, "Filter "+filterText(filter))
	}
	if r.Unit != "" {
		facts = append(facts, "Unit "+r.unitText())
	}
	facts = append(facts, "Noise "+r.noiseText())
	page := &page{
		title:    pageTitle(r.A.Files[0], r.A.first()) + ": difference",
		summary:  html.EscapeString(r.totalText(&r.Answer.Selected)),
		facts:    pageFacts(facts),
		controls: pagePart("reverse.html"),
		keys:     " <kbd>r</kbd>: by class. <kbd>f</kbd>: fold code that is not yours.",
		styles:   []string{"style.css"},
		scripts:  []string{"frame.js", "data.js", "view.js", "diff.js", "controls.js"},
	}
	return page.write(w, func(out *bufio.Writer) error { return r.tree().write(out, r, share) })
}

// diffTree is calls that both sides have, those of one name inside one other call being one.
type diffTree struct {
	nodes    []diffNode // each behind its parent; the first is everything
	children []map[diffName]int32
}

type diffName struct {
	title   string
	isClass bool
}

// diffNode is a call, or a class that is allocated there.
type diffNode struct {
	diffName
	objects, bytes diffWidth // of what is below it, too
	isSure         bool      // of a class: some of the change is beyond the noise
	isMine         bool
	below          []int32
}

// diffWidth is what there is of a frame.
type diffWidth struct{ width, change float64 }

func (w *diffWidth) add(v *diff.Values) {
	w.width += max(v.A, v.B)
	w.change += v.Change()
}

func (r *DiffReport) tree() *diffTree {
	t := &diffTree{nodes: []diffNode{{}}, children: []map[diffName]int32{{}}}
	own := cmp.Or(r.Answer.Query.Mine, r.B.first().GuessMine())
	mine := map[string]bool{}
	for _, side := range []*DiffSide{&r.A, &r.B} {
		for _, p := range side.Recordings {
			for i := range p.Methods {
				if own.IsMethod(&p.Methods[i]) {
					mine[p.Methods[i].Title()] = true
				}
			}
		}
	}
	calls := make([]int32, len(r.Answer.Calls))
	for i, call := range r.Answer.Calls {
		parent := int32(0)
		if call.Parent >= 0 {
			parent = calls[call.Parent]
		}
		calls[i] = t.child(parent, diffName{call.Title, false}, mine)
	}
	for i := range r.Answer.Rows {
		row := &r.Answer.Rows[i]
		entry := cmp.Or(row.B, row.A)
		parent := int32(0)
		if row.Call >= 0 {
			parent = calls[row.Call]
		} else {
			method := symbols.Method{Class: entry.Row().Site.Class, Name: entry.Row().Site.Method}
			parent = t.child(0, diffName{method.Title(), false}, mine)
		}
		leaf := &t.nodes[t.child(parent, diffName{entry.Row().Class, true}, mine)]
		leaf.objects.add(&row.Objects)
		leaf.bytes.add(&row.Bytes)
		leaf.isSure = leaf.isSure || row.Value(r.Answer.Query.Sort).IsSure()
	}
	t.sum(0)
	return t
}

func (t *diffTree) child(parent int32, name diffName, mine map[string]bool) int32 {
	i, known := t.children[parent][name]
	if !known {
		i = int32(len(t.nodes))
		if t.children[parent] == nil {
			t.children[parent] = map[diffName]int32{}
		}
		t.children[parent][name] = i
		t.nodes[parent].below = append(t.nodes[parent].below, i)
		t.nodes = append(t.nodes, diffNode{diffName: name, isMine: !name.isClass && mine[name.title]})
		t.children = append(t.children, nil)
	}
	return i
}

// sum adds to nodes what is below them, and puts that in order of names.
func (t *diffTree) sum(at int32) {
	n := &t.nodes[at]
	slices.SortFunc(n.below, func(i, j int32) int {
		return strings.Compare(t.nodes[i].title, t.nodes[j].title)
	})
	for _, i := range n.below {
		t.sum(i)
		below := &t.nodes[i]
		n.objects.width += below.objects.width
		n.objects.change += below.objects.change
		n.bytes.width += below.bytes.width
		n.bytes.change += below.bytes.change
	}
}

// write writes the page's data: the tree, and for each class in it by how much its objects and bytes have changed, and
// whether that is sure (1).
func (t *diffTree) write(out *bufio.Writer, r *DiffReport, share float64) error {
	page, own, changes := newPageTree(out), []int64{}, []float64{}
	least := func(w func(*diffNode) *diffWidth) float64 { return share / 100 * w(&t.nodes[0]).width }
	objects := least(func(n *diffNode) *diffWidth { return &n.objects })
	bytes := least(func(n *diffNode) *diffWidth { return &n.bytes })
	leaf := func(depth int, n *diffNode, name string) {
		page.weight(depth, name, n.objects.width, n.bytes.width)
		sure := 0.0
		if n.isSure {
			sure = 1
		}
		changes = append(changes, n.objects.change, n.bytes.change, sure)
	}
	var walk func(at int32, depth int)
	walk = func(at int32, depth int) {
		omitted := diffNode{}
		for _, i := range t.nodes[at].below {
			n := &t.nodes[i]
			switch {
			case n.objects.width < objects && n.bytes.width < bytes:
				omitted.objects.width += n.objects.width
				omitted.objects.change += n.objects.change
				omitted.bytes.width += n.bytes.width
				omitted.bytes.change += n.bytes.change
			case n.isClass:
				leaf(depth, n, n.title)
			default:
				page.inner(depth, n.title, 0)
				if n.isMine {
					own = append(own, page.name(n.title))
				}
				walk(i, depth+1)
			}
		}
		if omitted.objects.width > 0 || omitted.bytes.width > 0 {
			leaf(depth, &omitted, profile.Omitted)
		}
	}
	walk(0, 0)
	page.end()
	slices.Sort(own)
	err := cmp.Or(page.data("mine", slices.Compact(own)), page.data("folded", r.Answer.Query.Mine != nil),
		page.data("changes", changes), page.data("unit", r.Answer.Query.Sort.String()),
		page.data("noise", r.hasNoise()), page.data("per", r.Unit))
	if err != nil {
		return err
	}
	return page.close()
}
