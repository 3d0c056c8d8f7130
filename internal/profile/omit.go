package profile

import "slices"

// Omitted is the frame that stands for what was too small to be kept apart.
const Omitted = "[omitted]"

// isSmall reports whether a part is less than a share, percent, of a whole, in objects and in bytes.
func isSmall(part, whole Amount, share float64) bool {
	return share > 0 && float64(part.Objects)*100 < share*float64(whole.Objects) &&
		float64(part.Bytes)*100 < share*float64(whole.Bytes)
}

// Omit gives the tree without what is less than a share of it, percent, and the sum of that. What is left out below a
// node is one node there, so that the nodes that are left have the amounts that they had.
func (t *Tree) Omit(share float64) (*Tree, Amount) {
	kept := make([]bool, len(t.Nodes))
	missing := make([]Amount, len(t.Nodes)+1) // below a node; the first is of no node
	isMissing := make([]bool, len(t.Nodes)+1)
	sum, left := Amount{}, 0
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Parent >= 0 && !kept[n.Parent] {
			continue
		}
		if kept[i] = !isSmall(n.Amount, t.Total, share); kept[i] {
			left++
			continue
		}
		missing[n.Parent+1].Add(n.Amount)
		isMissing[n.Parent+1] = true
		sum.Add(n.Amount)
	}
	if left == len(t.Nodes) {
		return t, sum
	}
	trimmed := &Tree{Total: t.Total, Methods: t.Methods, Names: append(slices.Clone(t.Names), Omitted)}
	omit := func(parent, below int32) {
		if isMissing[below] {
			trimmed.Nodes = append(trimmed.Nodes, TreeNode{Parent: parent, Kind: OmittedNode,
				Name: int32(len(t.Names)), Line: -1, Amount: missing[below]})
		}
	}
	omit(-1, 0)
	renumbered := make([]int32, len(t.Nodes))
	for i := range t.Nodes {
		if !kept[i] {
			continue
		}
		n := t.Nodes[i]
		if n.Parent >= 0 {
			n.Parent = renumbered[n.Parent]
		}
		renumbered[i] = int32(len(trimmed.Nodes))
		trimmed.Nodes = append(trimmed.Nodes, n)
		omit(renumbered[i], int32(i)+1)
	}
	return trimmed, sum
}

// Large says what of contexts is worth to be kept apart.
type Large struct {
	// by context: the outermost one on the way to it, itself included, that is left out; -1 for none
	LeftOut []int32
	classes map[contextClass]Amount
	whole   Amount
	share   float64
}

type contextClass struct {
	context int32
	class   string
}

// Large finds what passes a filter and is not less than a share of it, percent.
func (p *Profile) Large(f Filter, share float64) *Large {
	l := &Large{LeftOut: make([]int32, len(p.Contexts)), classes: map[contextClass]Amount{}, share: share}
	amounts := make([]Amount, len(p.Contexts))
	for s := range p.Samples(f) {
		amounts[s.Context].Add(s.Amount)
		l.whole.Add(s.Amount)
	}
	for i := len(amounts) - 1; i >= 0; i-- {
		if parent := p.Contexts[i].Parent; parent >= 0 {
			amounts[parent].Add(amounts[i])
		}
	}
	for i := range l.LeftOut {
		l.LeftOut[i] = -1
		if parent := p.Contexts[i].Parent; parent >= 0 && l.LeftOut[parent] >= 0 {
			l.LeftOut[i] = l.LeftOut[parent]
		} else if isSmall(amounts[i], l.whole, share) {
			l.LeftOut[i] = int32(i)
		}
	}
	for s := range p.Samples(f) {
		if l.LeftOut[s.Context] < 0 {
			key := contextClass{s.Context, s.Site.Type}
			a := l.classes[key]
			a.Add(s.Amount)
			l.classes[key] = a
		}
	}
	return l
}

// IsClass reports whether what a context that is not left out allocated of a class is kept apart.
func (l *Large) IsClass(context int32, class string) bool {
	return !isSmall(l.classes[contextClass{context, class}], l.whole, l.share)
}
