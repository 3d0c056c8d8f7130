package profile

import (
	"cmp"
	"strings"

	"mallard/internal/symbols"
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
	Nodes   []TreeNode // in preorder, siblings by name
	Total   Amount
	Methods []symbols.Method // of the Profile
	Names   []string         // of types and threads
}

// TreeNode is a thread, a method or a type in a Tree. There may be millions.
type TreeNode struct {
	Parent int32 // index in Tree.Nodes, -1 for none
	Kind   TreeKind
	Name   int32  // index in Tree.Methods or Tree.Names
	Line   int32  // of the call or the site in the method, where asked for and known; else -1
	Calls  int64  // invocations of the method here; 0 unknown, as in parts of what threads or methods did
	Amount Amount // of the node and all below
}

// TreeKind says what a TreeNode stands for.
type TreeKind uint8

const (
	MethodNode TreeKind = iota
	TypeNode            // an allocated type, which is a leaf
	ThreadNode
	OmittedNode // a leaf, of Tree.Omit
	OtherNode   // what no method of the user's has led to
)

// Others names what no method of the user's has led to.
const Others = "[other code]"

// Title names what a node stands for.
func (t *Tree) Title(n *TreeNode) string {
	if n.Kind == MethodNode {
		return t.Methods[n.Name].Title()
	}
	return t.Names[n.Name]
}

// TreeQuery says what goes into a Tree.
type TreeQuery struct {
	Filter    Filter
	Threads   bool  // the outermost nodes are threads
	Bytecodes bool  // also of methods that execute bytecodes without allocating
	Mine      *Mine // calls of methods that are not the user's belong to who called; nil: none do
	Lines     bool  // methods are one node for each line that calls or allocates
}

// Tree makes a tree of what passes the filter.
func (p *Profile) Tree(q TreeQuery) *Tree {
	b := treeBuilder{
		profile: p,
		lines:   q.Lines,
		calls:   !q.Lines && !q.Threads && q.Filter.Thread == "",
		named:   p.Named(),
		root:    -1,
		numbers: map[treeKey]int32{},
		names:   map[string]int32{},
		frames:  map[contextLine]int32{},
	}
	b.tree.Methods = p.Methods
	if q.Mine != nil {
		b.calls = false
		b.mine = make([]bool, len(p.Methods))
		for i := range p.Methods {
			b.mine[i] = q.Mine.IsMethod(&p.Methods[i])
		}
	}
	var thread *Thread
	for s := range p.Samples(q.Filter) {
		if q.Threads && s.Thread != thread {
			thread = s.Thread
			b.root = b.node(treeKey{-1, ThreadNode, b.name(thread.Title()), -1})
			clear(b.frames)
		}
		if s.Site.Executed && !q.Bytecodes {
			continue
		}
		frame := b.frame(contextLine{s.Context, s.Site.Line})
		if frame == b.root && b.mine != nil {
			frame = b.node(treeKey{b.root, OtherNode, b.name(Others), -1})
		}
		if s.Site.Executed {
			b.tree.Nodes[frame].Amount.Add(s.Amount)
			continue
		}
		leaf := b.node(treeKey{frame, TypeNode, b.name(s.Site.Type), -1})
		b.tree.Nodes[leaf].Amount.Add(s.Amount)
	}
	return b.finish()
}

// treeBuilder makes each node once.
type treeBuilder struct {
	profile *Profile
	lines   bool
	calls   bool
	mine    []bool  // by method: it is the user's; nil: all are kept apart
	named   []int32 // by method: the first of the same class and name
	root    int32   // of the current thread, -1 if threads are one
	tree    Tree    // nodes in the order in which they were met
	numbers map[treeKey]int32
	names   map[string]int32
	frames  map[contextLine]int32 // nodes below root
}

// treeKey is what makes a TreeNode another one.
type treeKey struct {
	parent int32
	kind   TreeKind
	name   int32
	line   int32
}

// contextLine is a place in the last method of a context.
type contextLine struct{ context, line int32 }

func (b *treeBuilder) name(name string) int32 {
	i, known := b.names[name]
	if !known {
		i = int32(len(b.tree.Names))
		b.names[name] = i
		b.tree.Names = append(b.tree.Names, name)
	}
	return i
}

func (b *treeBuilder) node(key treeKey) int32 {
	i, known := b.numbers[key]
	if !known {
		i = int32(len(b.tree.Nodes))
		b.numbers[key] = i
		b.tree.Nodes = append(b.tree.Nodes, TreeNode{Parent: key.parent, Kind: key.kind, Name: key.name,
			Line: key.line})
	}
	return i
}

// frame returns the node of a context, where it is at a line.
func (b *treeBuilder) frame(at contextLine) int32 {
	if at.context < 0 {
		return b.root
	}
	if c := &b.profile.Contexts[at.context]; b.mine != nil && !b.mine[c.Method] {
		return b.frame(contextLine{c.Parent, c.Line})
	}
	if !b.lines {
		at.line = -1
	}
	i, known := b.frames[at]
	if known {
		return i
	}
	c := &b.profile.Contexts[at.context]
	i = b.node(treeKey{b.frame(contextLine{c.Parent, c.Line}), MethodNode, b.named[c.Method], at.line})
	b.frames[at] = i
	if b.calls {
		b.tree.Nodes[i].Calls += c.Calls
	}
	return i
}

// finish puts the nodes in order and adds up the amounts.
func (b *treeBuilder) finish() *Tree {
	b.numbers, b.frames = nil, nil
	nodes := b.tree.Nodes
	parents := make([]int32, len(nodes))
	for i := range nodes {
		parents[i] = nodes[i].Parent
	}
	order := preorder(parents, func(i, j int32) int {
		x, y := &nodes[i], &nodes[j]
		names := cmp.Compare(x.Name, y.Name) // methods are in order of their names
		if x.Kind == y.Kind && x.Kind != MethodNode {
			names = strings.Compare(b.tree.Names[x.Name], b.tree.Names[y.Name])
		}
		return cmp.Or(-cmp.Compare(x.Kind, y.Kind), names, cmp.Compare(x.Line, y.Line))
	})
	renumbered := parents // no longer needed
	for to, from := range order {
		renumbered[from] = int32(to)
	}
	t := &b.tree
	t.Nodes = make([]TreeNode, len(nodes))
	for to, from := range order {
		n := nodes[from]
		if n.Parent >= 0 {
			n.Parent = renumbered[n.Parent]
		}
		t.Nodes[to] = n
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

// Named returns for each method the first one of its class and name.
func (p *Profile) Named() []int32 {
	named := make([]int32, len(p.Methods))
	for i := range p.Methods {
		named[i] = int32(i)
		if i > 0 && p.Methods[i].Class == p.Methods[i-1].Class && p.Methods[i].Name == p.Methods[i-1].Name {
			named[i] = named[i-1]
		}
	}
	return named
}
