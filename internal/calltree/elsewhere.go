package calltree

import "mallard/internal/abi"

// What the VM calls by itself, or native code does, is in no slot of its caller: its node is elsewhere. In the hashed
// shape threads make such nodes, too (agent/hashes.c). Then the node says its place: what enters it is its caller's
// node and, in place of a slot, the position there. It is found in its thread's table, by a hash of place and method.

// placeEntry is what enters a node that is elsewhere.
func placeEntry(caller Node, pc int) Entry { return Entry(uint64(caller) | uint64(pc)<<abi.SlotShift) }

// elsewhereEntry is what enters a node that the recorder puts elsewhere. Encoded numbers take it for a call: 0 is none.
func (a *Arena) elsewhereEntry(caller Node, pc int) Entry {
	if a.layout.Additions != 0 {
		return 0
	}
	return placeEntry(caller, pc)
}

// pc is the position that [placeEntry] got.
func (e Entry) pc() int { return int(int64(e) >> abi.SlotShift) }

// placeHash is odd, where hashes of contexts are even.
func placeHash(e Entry, m MethodID) Hash { return (Hash(e)*abi.HashAnchor+Hash(m))*abi.HashStep | 1 }

// elsewhere gives a node's place; false if it is in a slot.
func (a *Arena) elsewhere(n Node) (Link, bool) {
	if a.get(n, abi.NodeMethod)&abi.InNoSlot == 0 {
		return Link{}, false
	}
	if link, ok := a.links[n]; ok {
		return link, true
	}
	e := Entry(a.get(n, abi.NodeEntry))
	return Link{e.Node(), e.pc()}, a.inside(e.Node(), FirstSlot)
}

// madeElsewhere gives the node of a callee that is elsewhere and that the thread knows, 0 without.
func (a *Arena) madeElsewhere(t *Thread, caller Node, pc int, callee MethodID) Node {
	e := placeEntry(caller, pc)
	n := a.lookUp(t, placeHash(e, callee))
	if !a.inside(n, FirstSlot) || a.methodOf(n) != callee || a.get(n, abi.NodeMethod)&abi.InNoSlot == 0 ||
		Entry(a.get(n, abi.NodeEntry)) != e {
		return 0
	}
	return n
}

// tell has the thread told of a node that is elsewhere, if the node says where.
func (a *Arena) tell(t *Thread, n Node) {
	link, ok := a.links[n]
	e := placeEntry(link.Parent, link.PC)
	if !ok || Entry(a.get(n, abi.NodeEntry)) != e {
		return
	}
	if h := placeHash(e, a.methodOf(n)); a.lookUp(t, h) == 0 {
		t.untold = append(t.untold, Pair{h, n})
	}
}

// linkElsewhere remembers a node that is in no slot of its caller, and marks it.
func (a *Arena) linkElsewhere(caller Node, pc int, callee MethodID, n Node) {
	a.put(n, abi.NodeMethod, abi.InNoSlot|uint64(callee))
	a.links[n] = Link{caller, pc}
	a.known[calleeKey{Link{caller, pc}, callee}] = n
}
