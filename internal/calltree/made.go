package calltree

import "mallard/internal/abi"

// What calls make whose code does not tell of what class it is has counters by class, which are not the method's. They
// are in nodes of their own that hang in the last slot of the caller's node, and belong to the same context. See
// java.lang.$MallardClasses. A node that was cleared is anybody's who asks next.
const (
	mostClasses  = 1 << 16 // in a context
	madeCounters = abi.MadeWords - FirstSlot
)

// Made calls yield for the classes that calls have made objects of in a context, with the number of the first counter
// of each, and the counters, in memory that the program writes to.
func (a *Arena) Made(x *Context, yield func(first uint32, words []uint64)) {
	a.eachMade(x, func(n Node) {
		if first := a.get(n, abi.NodeMethod) >> abi.MadeShift; first != 0 {
			yield(uint32(first), a.slice(n, FirstSlot, abi.MadeWords))
		}
	})
}

// Clear ends a context's turn, of a thread that has ended: what was counted in it is zero, and it has no name.
func (a *Arena) Clear(c *Context) {
	a.put(c.Node, abi.NodeMethod, a.get(c.Node, abi.NodeMethod)&^abi.Named)
	a.put(c.Node, abi.NodeEntered, 0)
	clear(c.Words)
	a.clearMade(c)
}

// clearMade gives the nodes of a context for classes away.
func (a *Arena) clearMade(x *Context) {
	a.eachMade(x, func(n Node) {
		a.put(n, abi.NodeMethod, uint64(made))
		clear(a.slice(n, FirstSlot, abi.MadeWords))
	})
}

func (a *Arena) eachMade(x *Context, yield func(n Node)) {
	if int(x.Method) >= len(a.methods) {
		return
	}
	m := &a.methods[x.Method]
	last := len(m.PCs) - 1
	if last < 0 || m.PCs[last] != abi.ClassesPosition {
		return
	}
	steps := 0
	for n := Node(a.get(x.Node, FirstSlot+last)); n != 0 && a.inside(n, abi.MadeWords) && a.methodOf(n) == made &&
		steps < mostClasses; n = Node(a.get(n, abi.NodeSibling)) {
		yield(n)
		steps++
	}
}

// Untold reports whether there was no memory for some such node: what it was for is counted as of the type that the
// code takes it for.
func (a *Arena) Untold() bool { return a.get(Node(a.layout.Top), abi.ArenaUntold) != 0 }
