package diff

import (
	"mallard/internal/profile"
)

// tree is what recordings have of rows: a list of them where none of its nodes has a parent, or, of contexts, the calls
// that lead to them.
type tree struct {
	nodes      []node // each behind its parent
	recordings int
}

// node is a row, or a call on the way to one.
type node struct {
	place
	parent  int32
	title   string           // of a call: its method, as the last side has it
	isMoved bool             // what was merged last is not exactly this, or was not what called it
	entries [2]*Entry        // of a row: what it stands for on each side; nil where it is not there
	amounts []profile.Amount // of a row, by recording; what comes last and is missing is zero
}

// Entry is a row of a recording, the first of its side that has it. By site its amounts may be nothing: it is known.
type Entry struct {
	Profile *profile.Profile
	Row     profile.Row
}

// treeOf takes the rows of a recording of a side, 0 or 1. By site these are all that are known: one that allocated
// nothing says where others are not.
func treeOf(p *profile.Profile, answer *profile.Answer, side int) *tree {
	t := &tree{recordings: 1}
	add := func(parent int32, row *profile.Row, amounts []profile.Amount) {
		n := node{place: placeOf(answer.Query.By, row), parent: parent, amounts: amounts}
		n.entries[side] = &Entry{p, *row}
		t.nodes = append(t.nodes, n)
	}
	calls := map[int32]int32{}
	for i := range answer.Rows {
		row := &answer.Rows[i]
		if row.Site != nil && row.Site.Executed {
			continue
		}
		parent := int32(-1)
		if answer.Query.By == profile.ByContext {
			parent = t.call(p, row.Context, calls)
		}
		add(parent, row, []profile.Amount{row.Amount})
	}
	if answer.Query.By == profile.BySite {
		for site := range p.IdleSites() {
			add(-1, &profile.Row{Class: site.Type, Array: site.Array, Site: site, Loader: site.Loader}, nil)
		}
	}
	return t
}

// call gives the node of a context, and makes it, and those of its callers, if there is none.
func (t *tree) call(p *profile.Profile, context int32, calls map[int32]int32) int32 {
	if context < 0 {
		return -1
	}
	if made, ok := calls[context]; ok {
		return made
	}
	c := &p.Contexts[context]
	parent, m := t.call(p, c.Parent, calls), &p.Methods[c.Method]
	made := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{place: calledAt(m, c), parent: parent, title: m.Title()})
	calls[context] = made
	return made
}

// children gives the nodes below each node, with what they stand for in the mean of the recordings, what is below them
// included. Those without a parent are below -1.
func (t *tree) children() map[int32][]member {
	sums, below := make([]profile.Amount, len(t.nodes)), map[int32][]member{}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		for _, a := range n.amounts {
			sums[i].Add(a)
		}
		if n.parent >= 0 {
			sums[n.parent].Add(sums[i])
		}
	}
	times := float64(t.recordings)
	for i := range t.nodes {
		n := &t.nodes[i]
		below[n.parent] = append(below[n.parent], member{&n.place, int32(i), float64(sums[i].Objects) / times,
			float64(sums[i].Bytes) / times})
	}
	return below
}

// merge adds the recordings of another tree behind those of t. What is the same is one node.
func (t *tree) merge(other *tree, m *matcher) {
	mine, others := t.children(), other.children()
	same := make([]int32, len(other.nodes)) // the node of t
	for i := range same {
		same[i] = -1
	}
	pair := func(here, there int32, class string) {
		below := others[there]
		for k, i := range m.pair(mine[here], below, class) {
			if i >= 0 {
				same[below[k].node] = mine[here][i].node
			}
		}
	}
	pair(-1, -1, "")
	for i := range other.nodes {
		n := &other.nodes[i]
		if same[i] < 0 {
			same[i] = int32(len(t.nodes))
			parent := n.parent
			if parent >= 0 {
				parent = same[parent]
			}
			t.nodes = append(t.nodes, node{place: n.place, parent: parent})
		}
		t.add(same[i], n, m.names)
		if len(others[int32(i)]) > 0 {
			pair(same[i], int32(i), n.class)
		}
	}
	t.recordings += other.recordings
}

// add has a node stand for one of another tree as well.
func (t *tree) add(to int32, other *node, names *names) {
	n := &t.nodes[to]
	n.title = other.title
	n.isMoved = !n.isExactly(&other.place, names) || n.parent >= 0 && t.nodes[n.parent].isMoved
	for side, entry := range other.entries {
		if n.entries[side] == nil {
			n.entries[side] = entry
		}
	}
	if other.amounts != nil {
		missing := make([]profile.Amount, t.recordings-len(n.amounts))
		n.amounts = append(append(n.amounts, missing...), other.amounts...)
	}
}
