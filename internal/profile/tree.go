package profile

import (
	"cmp"
	"strings"
)

// Tree is what stacks have in common, seen from the outside: a node for each
// method that was called in the one above, and what it allocated, by type. Methods
// of one class and name are one.
//
//	demo.App.main          104 objects
//	  demo.App.walk        100 objects
//	    demo.Point          60 objects
//	    byte[]              40 objects
//	  int[]                  4 objects
type Tree struct {
	Nodes []TreeNode // in preorder, siblings by name
	Total Amount
}

// TreeNode is a thread, a method or a type in a Tree.
type TreeNode struct {
	Parent int32   // index in Tree.Nodes, -1 for none
	Method *Method // nil for types and threads
	Line   int32   // of the call or the site in Method, where asked for and known; else -1
	Name   string  // of a type or thread
	Type   bool    // an allocated type, which is a leaf
	Calls  int64   // invocations of Method here; 0 unknown, as in parts of what threads or methods did
	Amount Amount  // of the node and all below
}

// TreeQuery says what goes into a Tree.
type TreeQuery struct {
	Filter  Filter
	Threads bool // the outermost nodes are threads
	Lines   bool // methods are one node for each line that calls or allocates
}

// Tree makes a tree of what passes the filter.
func (p *Profile) Tree(q TreeQuery) *Tree {
	b := treeBuilder{
		profile: p,
		lines:   q.Lines,
		calls:   !q.Lines && !q.Threads && q.Filter.Thread == "",
		named:   p.namesakes(),
		root:    -1,
		numbers: map[treeKey]int32{},
		frames:  map[contextLine]int32{},
	}
	var thread *Thread
	for s := range p.Samples(q.Filter) {
		if q.Threads && s.Thread != thread {
			thread = s.Thread
			b.root = b.node(treeKey{-1, -1, -1, thread.Title()})
			clear(b.frames)
		}
		leaf := b.node(treeKey{b.frame(contextLine{s.Context, s.Site.Line}), -1, -1, s.Site.Type})
		b.nodes[leaf].Type = true
		b.nodes[leaf].Amount.Add(s.Amount)
	}
	return b.finish()
}

// treeBuilder makes each node once.
type treeBuilder struct {
	profile *Profile
	lines   bool
	calls   bool
	named   []int32 // by method: the first of the same class and name
	root    int32   // of the current thread, -1 if threads are one
	nodes   []TreeNode
	keys    []treeKey
	numbers map[treeKey]int32
	frames  map[contextLine]int32 // nodes below root
}

type treeKey struct {
	parent, method, line int32 // method is -1 for types
	name                 string
}

// contextLine is a place in the last method of a context.
type contextLine struct{ context, line int32 }

func (b *treeBuilder) node(key treeKey) int32 {
	i, known := b.numbers[key]
	if !known {
		i = int32(len(b.nodes))
		b.numbers[key] = i
		b.keys = append(b.keys, key)
		b.nodes = append(b.nodes, TreeNode{Parent: key.parent, Line: key.line, Name: key.name})
	}
	return i
}

// frame returns the node of a context, where it is at a line.
func (b *treeBuilder) frame(at contextLine) int32 {
	if at.context < 0 {
		return b.root
	}
	if !b.lines {
		at.line = -1
	}
	i, known := b.frames[at]
	if known {
		return i
	}
	c := &b.profile.Contexts[at.context]
	method := b.named[c.Method]
	i = b.node(treeKey{parent: b.frame(contextLine{c.Parent, c.Line}), method: method, line: at.line})
	b.frames[at] = i
	b.nodes[i].Method = &b.profile.Methods[method]
	if b.calls {
		b.nodes[i].Calls += c.Calls
	}
	return i
}

// finish adds up the amounts and puts the nodes in order.
func (b *treeBuilder) finish() *Tree {
	t := &Tree{Nodes: make([]TreeNode, len(b.nodes))}
	parents := make([]int32, len(b.nodes))
	for i, n := range b.nodes {
		parents[i] = n.Parent
	}
	renumbered := make([]int32, len(b.nodes))
	for to, from := range preorder(parents, func(i, j int32) int {
		a, b := b.keys[i], b.keys[j]
		return cmp.Or(cmp.Compare(a.method, b.method), cmp.Compare(a.line, b.line), strings.Compare(a.name, b.name))
	}) {
		n := b.nodes[from]
		if n.Parent >= 0 {
			n.Parent = renumbered[n.Parent]
		}
		t.Nodes[to], renumbered[from] = n, int32(to)
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		if n.Parent >= 0 {
			t.Nodes[n.Parent].Amount.Add(n.Amount)
		} else {
			t.Total.Add(n.Amount)
		}
	}
	return t
}

// namesakes returns for each method the first one of its class and name.
func (p *Profile) namesakes() []int32 {
	named := make([]int32, len(p.Methods))
	for i := range p.Methods {
		named[i] = int32(i)
		if i > 0 && p.Methods[i].Class == p.Methods[i-1].Class && p.Methods[i].Name == p.Methods[i-1].Name {
			named[i] = named[i-1]
		}
	}
	return named
}
