package diff

import (
	"slices"

	"mallard/internal/profile"
)

// tree is what recordings have of rows: a list of them where none of its nodes has a parent, or, of contexts, the calls
// that lead to them.
type tree struct {
	nodes      []node // each behind its parent
	recordings int
}

// node is a row, or a call on the way to one. There may be millions.
type node struct {
	place
	parent  int32
	isMoved bool      // what was merged last is not exactly this, or was not what called it
	later   *label    // of what was merged last
	entries [2]*Entry // of a row: what it stands for on each side; nil where it is not there
	amounts []amount  // of a row, by recording; what comes last and is missing is zero
}

// amount is what is compared of a profile.Amount.
type amount struct{ objects, bytes int64 }

// Entry is a row of a recording, the first of its side that has it. By site its amounts may be nothing: it is known.
type Entry struct {
	Profile *profile.Profile
	row     *profile.Row // by context nil: it would take most of the memory
	site    *profile.Site
	context int32
}

// Row is the row; by context without amounts.
func (e *Entry) Row() profile.Row {
	if e.row != nil {
		return *e.row
	}
	return profile.Row{Class: e.site.Type, Array: e.site.Array, Site: e.site, Loader: e.site.Loader, Context: e.context}
}

// treeOf takes the rows of a recording of a side, 0 or 1. By site these are all that are known: one that allocated
// nothing says where others are not.
func treeOf(p *profile.Profile, answer *profile.Answer, side int) *tree {
	b := treeBuilder{profile: p, by: answer.Query.By, side: side, sites: map[*profile.Site]*label{}}
	if b.by == profile.ByContext {
		b.calls, b.methods = slices.Repeat([]int32{-1}, len(p.Contexts)), make([]*label, len(p.Methods))
	}
	b.nodes = make([]node, 0, len(answer.Rows)+len(b.calls))
	for i := range answer.Rows {
		if row := &answer.Rows[i]; row.Site == nil || !row.Site.Executed {
			b.row(row, []amount{{row.Amount.Objects, row.Amount.Bytes}})
		}
	}
	if b.by == profile.BySite {
		for site := range p.IdleSites() {
			b.row(&profile.Row{Class: site.Type, Array: site.Array, Site: site, Loader: site.Loader}, nil)
		}
	}
	return &tree{nodes: b.nodes, recordings: 1}
}

type treeBuilder struct {
	profile *profile.Profile
	by      profile.By
	side    int
	nodes   []node
	sites   map[*profile.Site]*label
	methods []*label // by context: of those that are called
	calls   []int32  // by context: its node, -1 if there is none yet
}

func (b *treeBuilder) row(row *profile.Row, amounts []amount) {
	n := node{place: place{line: -1, bci: -1}, parent: -1, amounts: amounts}
	entry := &Entry{Profile: b.profile}
	n.entries[b.side] = entry
	if b.calls != nil {
		entry.site, entry.context = row.Site, row.Context
		n.inside, n.parent = true, b.call(row.Context)
		if n.label = b.sites[row.Site]; n.label == nil {
			n.label = labelOf(b.by, row)
			b.sites[row.Site] = n.label
		}
	} else {
		entry.row, n.label = row, labelOf(b.by, row)
	}
	if n.method != "" && b.by != profile.ByMethod {
		n.line, n.bci = row.Site.Line, row.Site.BCI
	}
	b.nodes = append(b.nodes, n)
}

// call gives the node of a context, and makes it, and those of its callers, if there is none.
func (b *treeBuilder) call(context int32) int32 {
	if context < 0 {
		return -1
	}
	if b.calls[context] < 0 {
		c := &b.profile.Contexts[context]
		parent := b.call(c.Parent)
		l := b.methods[c.Method]
		if l == nil {
			l = labelOfCall(&b.profile.Methods[c.Method])
			b.methods[c.Method] = l
		}
		b.calls[context] = int32(len(b.nodes))
		b.nodes = append(b.nodes, node{place: place{l, c.Line, c.BCI, true}, parent: parent})
	}
	return b.calls[context]
}

// below has the nodes below each node of a tree, as members.
type below struct {
	first   []int32 // by node, those without a parent before all others: where its members begin; then their number
	members []member
}

func (b *below) of(node int32) []member { return b.members[b.first[node+1]:b.first[node+2]] }

// below gives them with what they stand for in the mean of the recordings, what is below them included.
func (t *tree) below() *below {
	sums := make([]amount, len(t.nodes))
	b := &below{make([]int32, len(t.nodes)+2), make([]member, len(t.nodes))}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		for _, a := range n.amounts {
			sums[i].add(a)
		}
		if n.parent >= 0 {
			sums[n.parent].add(sums[i])
		}
		b.first[n.parent+2]++
	}
	for i := range len(t.nodes) + 1 {
		b.first[i+1] += b.first[i]
	}
	next, times := slices.Clone(b.first), float64(t.recordings)
	for i := range t.nodes {
		n := &t.nodes[i]
		b.members[next[n.parent+1]] = member{&n.place, int32(i), float64(sums[i].objects) / times,
			float64(sums[i].bytes) / times}
		next[n.parent+1]++
	}
	return b
}

func (a *amount) add(b amount) {
	a.objects += b.objects
	a.bytes += b.bytes
}

// merge adds the recordings of another tree behind those of t. What is the same is one node.
func (t *tree) merge(other *tree, m *matcher) {
	mine, others := t.below(), other.below()
	known := int32(len(t.nodes))
	same := make([]int32, len(other.nodes)) // the node of t
	for i := range same {
		same[i] = -1
	}
	pair := func(here, there int32, class string) {
		if here >= known {
			return
		}
		a, b := mine.of(here), others.of(there)
		for k, i := range m.pair(a, b, class) {
			if i >= 0 {
				same[b[k].node] = a[i].node
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
		pair(same[i], int32(i), n.class)
	}
	t.recordings += other.recordings
}

// add has a node stand for one of another tree as well.
func (t *tree) add(to int32, other *node, names *names) {
	n := &t.nodes[to]
	n.later = other.label
	n.isMoved = !n.isExactly(&other.place, names) || n.parent >= 0 && t.nodes[n.parent].isMoved
	for side, entry := range other.entries {
		if n.entries[side] == nil {
			n.entries[side] = entry
		}
	}
	if other.amounts != nil {
		amounts := make([]amount, t.recordings, t.recordings+len(other.amounts))
		copy(amounts, n.amounts)
		n.amounts = append(amounts, other.amounts...)
	}
}
