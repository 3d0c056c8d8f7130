package calltree

import (
	"slices"

	"mallard/internal/abi"
)

// A transaction that a thread has entered is the caller of its first frames: its node is beside theirs, or in the slot
// of the transaction around it, and below it is a second tree, in which the thread counts meanwhile. Frames are
// resolved in the thread's own tree; see java.lang.$MallardEntered.
const mostCalls = 1 << 24 // in a context

// edge says by what a node is reached: its caller and the position there. A thread's first frames have its root for a
// caller, or a transaction.
func (a *Arena) edge(n Node) (link Link, elsewhere bool) {
	if link, elsewhere = a.elsewhere(n); elsewhere {
		return link, true
	}
	e := Entry(a.get(n, abi.NodeEntry))
	link.Parent = e.Node()
	if !a.inside(link.Parent, abi.RootWords) {
		return Link{}, false
	}
	if m, slot := a.methodOf(link.Parent), e.Word()-FirstSlot; m != root && int(m) < len(a.methods) && slot >= 0 &&
		slot < len(a.methods[m].PCs) {
		link.PC = a.methods[m].PCs[slot]
	}
	return link, false
}

// path gives a node and its callers, up to the first frame, and what is in front of that: the thread's root, or the
// transaction that the thread was in.
func (a *Arena) path(n Node) (nodes []Node, in Node) {
	for len(nodes) < mostCalls {
		nodes = append(nodes, n)
		link, _ := a.edge(n)
		if link.Parent == 0 {
			return nil, 0
		}
		if a.isEntered(link.Parent) || a.methodOf(link.Parent) == root {
			return nodes, link.Parent
		}
		n = link.Parent
	}
	return nil, 0
}

// isEntered reports whether a node is that of a transaction that a thread has entered.
func (a *Arena) isEntered(n Node) bool {
	if !a.IsTransaction(a.methodOf(n)) {
		return false
	}
	link, _ := a.edge(n)
	return link.Parent != 0 && (a.methodOf(link.Parent) == root || a.IsTransaction(a.methodOf(link.Parent)))
}

// Mirror is the reference for java.lang.$MallardEntered.mirror. It gives the node that stands, in a transaction that
// the thread has entered, for the same context as one of the thread's own. It is made if it is missing, and those of
// its callers, with memory of the thread, which waits; it is 0 where there is none.
func (a *Arena) Mirror(t *Thread, own, inside Node) Node {
	if !a.inside(own, FirstSlot) || !a.inside(inside, abi.TransactionWords) || !a.isEntered(inside) {
		return 0
	}
	nodes, _ := a.path(own)
	if nodes == nil {
		return 0
	}
	at := inside
	for _, n := range slices.Backward(nodes) {
		link, elsewhere := a.edge(n)
		caller, method := at, a.methodOf(n)
		if at = a.find(caller, link.PC, method); at == 0 {
			at = a.grow(t, caller, link.PC, method, !elsewhere, 0)
		}
		if at == 0 {
			break
		}
	}
	return at
}

// IsTransition reports whether a node that [Arena.Scan] named counts how often a transaction was entered or left at a
// call.
func (a *Arena) IsTransition(x *Context) bool {
	return a.IsTransaction(x.Method) && a.get(x.Node, abi.TransactionTo) != 0
}

// FramesUnder calls yield for the frames that stood under such a call, with the nodes that they counted in before and
// since, and the positions where they stood. It is false if some never had a node, for want of memory.
func (a *Arena) FramesUnder(x *Context, yield func(from, to Node, pc int)) bool {
	nodes, _ := a.path(x.Node)
	to := Node(a.get(x.Node, abi.TransactionTo))
	if nodes == nil || !a.inside(to, abi.RootWords) {
		return false
	}
	link, _ := a.edge(nodes[len(nodes)-1])
	for i := len(nodes) - 1; i > 0; i-- {
		if to = a.find(to, link.PC, a.methodOf(nodes[i])); to == 0 {
			return false
		}
		link, _ = a.edge(nodes[i-1])
		yield(nodes[i], to, link.PC)
	}
	return true
}
