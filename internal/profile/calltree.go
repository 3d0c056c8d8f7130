package profile

import (
	"cmp"
	"slices"
	"strings"

	"mallard/internal/symbols"
)

// maxDepth is how many calls a Context has at most, as many as the JVM prints
// of a stack. What deeper ones did stands behind one frame, [deeper].
const maxDepth = 1024

// Frames that stand for no method.
const (
	deeperFrame = "[deeper]" // calls that are not kept apart
)

// callTree is the contexts of all threads: nodes that agree in their chain of
// calls are one.
type callTree struct {
	methods  []symbols.Method
	keys     []symbols.MethodKey // of methods
	byKey    map[symbols.MethodKey]int32
	contexts []Context
	depths   []int32
	children children
	deepest  int32           // calls that a context may have
	deeper   int64           // nodes that are not kept apart
	alone    map[int32]int32 // by index in folder.sites: the context of what was counted outside of contexts
}

func newCallTree() *callTree {
	return &callTree{byKey: map[symbols.MethodKey]int32{}, children: newChildren(0), deepest: maxDepth,
		alone: map[int32]int32{}}
}

// expect makes room for so many contexts at most.
func (t *callTree) expect(n int) {
	t.children = newChildren(n)
	t.contexts, t.depths = make([]Context, 0, n), make([]int32, 0, n)
}

// method returns the index of a method, which it makes known.
func (t *callTree) method(key symbols.MethodKey, make func() symbols.Method) int32 {
	i, known := t.byKey[key]
	if !known {
		i = int32(len(t.methods))
		t.byKey[key] = i
		t.methods = append(t.methods, make())
		t.keys = append(t.keys, key)
	}
	return i
}

// special returns the index of a frame that is no method.
func (t *callTree) special(name string) int32 {
	return t.method(symbols.MethodKey{Name: name}, func() symbols.Method { return symbols.Method{Name: name} })
}

// child returns the context that method is called in from parent, -1 for none.
func (t *callTree) child(parent, method, bci, line int32) int32 {
	depth := int32(0)
	if parent >= 0 {
		depth = t.depths[parent] + 1
	}
	if depth >= t.deepest {
		t.deeper++
		if depth == t.deepest {
			parent = t.add(contextKey{parent, t.special(deeperFrame), -1, -1}, depth)
		} else {
			parent = t.beyondDepth(parent, method)
		}
		depth, bci, line = t.deepest+1, -1, -1
	}
	return t.add(contextKey{parent, method, bci, line}, depth)
}

// beyondDepth returns where a method stands that is called from a context behind [deeper]:
// at [deeper] itself, which is nobody's context, or in the innermost transaction.
func (t *callTree) beyondDepth(parent, method int32) int32 {
	in := func(context int32) bool { return t.methods[t.contexts[context].Method].Transaction }
	if !in(parent) {
		parent = t.contexts[parent].Parent
	}
	if in(parent) && t.methods[method].Transaction {
		parent = t.contexts[parent].Parent
	}
	return parent
}

func (t *callTree) add(key contextKey, depth int32) int32 {
	i, known, last := t.children.find(key, t.contexts)
	if !known {
		i = int32(len(t.contexts))
		t.children.add(key, last)
		t.contexts = append(t.contexts, Context{Parent: key.parent, Method: key.method, BCI: key.bci, Line: key.line})
		t.depths = append(t.depths, depth)
	}
	return i
}

// withoutCaller returns the context of a method about whose callers nothing is known.
// In recordings of contexts it says so.
func (t *callTree) withoutCaller(method int32, tracked bool) int32 {
	if !tracked {
		return t.child(-1, method, -1, -1)
	}
	return t.child(t.child(-1, t.special(symbols.UnknownFrame), -1, -1), method, -1, -1)
}

// order puts methods in order of their names, and contexts so that each comes
// before its children, and the children of one parent by their methods' names
// and the places of the calls. It returns the new index of each context.
func (t *callTree) order() (renumbered []int32) {
	methods := t.orderMethods()
	for i := range t.contexts {
		t.contexts[i].Method = methods[t.contexts[i].Method]
	}
	parents := make([]int32, len(t.contexts))
	for i, c := range t.contexts {
		parents[i] = c.Parent
	}
	renumbered = make([]int32, len(t.contexts))
	ordered := make([]Context, len(t.contexts))
	for to, from := range preorder(parents, func(i, j int32) int {
		a, b := &t.contexts[i], &t.contexts[j]
		switch {
		case a.Method != b.Method:
			return cmp.Compare(a.Method, b.Method)
		case a.Line != b.Line:
			return cmp.Compare(a.Line, b.Line)
		}
		return cmp.Compare(a.BCI, b.BCI)
	}) {
		c := t.contexts[from]
		if c.Parent >= 0 {
			c.Parent = renumbered[c.Parent]
		}
		ordered[to], renumbered[from] = c, int32(to)
	}
	t.contexts = ordered
	return renumbered
}

// orderMethods sorts the methods by name and returns their new indexes.
func (t *callTree) orderMethods() (renumbered []int32) {
	order := make([]int32, len(t.methods))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := t.keys[i], t.keys[j]
		return cmp.Or(strings.Compare(a.Class, b.Class), strings.Compare(a.Name, b.Name),
			strings.Compare(a.Descriptor, b.Descriptor), cmp.Compare(a.Loader, b.Loader))
	})
	renumbered = make([]int32, len(order))
	methods := make([]symbols.Method, len(order))
	for to, from := range order {
		renumbered[from] = int32(to)
		methods[to] = t.methods[from]
	}
	t.methods = methods
	return renumbered
}
