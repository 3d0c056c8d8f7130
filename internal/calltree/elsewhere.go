package calltree

import "mallard/internal/abi"

// What the VM calls by itself, or native code does, is in no slot of its caller: its node is elsewhere. In the hashed
// shape threads make such nodes, too (agent/hashes.c). Then the node says its place: what enters it is its caller's
// node and, in place of a slot, the position there. The thread finds it in its table, by a hash of place and method;
// the recorder knows those that it has made, that were on a stack it was asked about, or that a [Scan] has passed.

// placeEntry is what enters a node that is elsewhere.
func placeEntry(caller Node, pc int) Entry { return Entry(uint64(caller) | uint64(pc)<<abi.SlotShift) }

// pc is the position that [placeEntry] got.
func (e Entry) pc() int { return int(int64(e) >> abi.SlotShift) }

// placeHash is odd, where hashes of contexts are even.
func placeHash(e Entry, m MethodID) Hash { return (Hash(e)*abi.HashAnchor+Hash(m))*abi.HashStep | 1 }

// elsewhereEntry is what enters a node of a thread's own tree that is elsewhere. Encoded numbers take it for a call: 0
// is none.
func (a *Arena) elsewhereEntry(caller Node, pc int) Entry {
	if a.layout.Additions != 0 {
		return 0
	}
	return placeEntry(caller, pc)
}

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

func (a *Arena) isElsewhere(n Node) bool {
	_, is := a.elsewhere(n)
	return is
}

// note does the same, and remembers the place: a thread may have made the node. All nodes of all trees come here again
// and again.
func (a *Arena) note(n Node) (Link, bool) {
	if a.get(n, abi.NodeMethod)&abi.InNoSlot == 0 {
		return Link{}, false
	}
	link, known := a.links[n]
	if known {
		return link, true
	}
	link, ok := a.elsewhere(n)
	if ok {
		a.links[n] = link
		if key := (calleeKey{link, a.methodOf(n)}); a.known[key] == 0 {
			a.known[key] = n
		}
	}
	return link, ok
}

// agree has the recorder know of a callee's node that is elsewhere in a thread's own tree if the thread does, and the
// thread if the recorder does. The thread waits, or has ended.
func (a *Arena) agree(t *Thread, caller Node, pc int, callee MethodID) {
	if a.layout.Additions != 0 {
		return
	}
	if n, ok := a.known[calleeKey{Link{caller, pc}, callee}]; ok {
		a.tell(t, n)
		return
	}
	e := placeEntry(caller, pc)
	n := a.lookUp(t, placeHash(e, callee))
	if a.inside(n, FirstSlot) && a.methodOf(n) == callee && Entry(a.get(n, abi.NodeEntry)) == e {
		a.note(n)
	}
}

// tell has a thread find a node that is elsewhere in its own tree and says where. It waits, or has ended.
func (a *Arena) tell(t *Thread, n Node) {
	link, e := a.links[n], Entry(a.get(n, abi.NodeEntry))
	if e == placeEntry(link.Parent, link.PC) {
		a.remember(t, placeHash(e, a.methodOf(n)), n)
	}
}

// linkElsewhere remembers a node that is in no slot of its caller, marks it, and tells the thread whose tree it is in.
func (a *Arena) linkElsewhere(t *Thread, caller Node, pc int, callee MethodID, n Node) {
	a.put(n, abi.NodeMethod, abi.InNoSlot|uint64(callee))
	a.links[n] = Link{caller, pc}
	a.known[calleeKey{Link{caller, pc}, callee}] = n
	a.tell(t, n)
}
