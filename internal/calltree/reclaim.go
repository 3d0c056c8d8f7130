package calltree

import (
	"cmp"
	"slices"

	"mallard/internal/abi"
)

// Nodes of methods that were unloaded, and all below, are on no stack, and no thread counts in them. While the thread
// waits whose tree they are in, their memory can be that of other nodes: [Arena.Reclaim] takes them out of lists and
// tables, makes it zero, and lists it in spans, which the thread takes before it takes another chunk. A node never
// moves, so chunks have holes between the nodes that are left.

// Reclaim lets a thread that waits, or has ended, use the memory again of the nodes of dead methods and of all below,
// which have been cleared, and gives its bytes. It leaves alone a tree whose nodes have callers in another, or callees
// there that would be gone, one in which what would be gone has been called last, as far as the thread knows, or has
// begun a transaction that has not ended, and one that is damaged: then it is false.
func (a *Arena) Reclaim(t *Thread, last Node, dead func(MethodID) bool) (bytes uint64, ok bool) {
	r := reclaiming{arena: a, thread: t, dead: dead, gone: map[Node]bool{}}
	if !r.look() {
		return 0, false
	}
	if bytes = r.find(); bytes == 0 {
		return 0, true
	}
	if r.gone[last] || r.hasGoneTransaction() || r.hasOthersCallers() {
		return 0, false
	}
	for _, n := range r.nodes {
		if !r.gone[n.at] {
			r.unlink(n)
		}
	}
	for a.takeSpan(t, 1<<62) { // none is so large: all are zero again
	}
	r.forget()
	r.rebuildTables()
	delete(a.lastStacks, t.Root.Node())
	r.free()
	return bytes, true
}

// Reclaimed reports whether memory of a thread's tree has been reclaimed: callers may come behind callees.
func (a *Arena) Reclaimed(t *Thread) bool { return len(a.holes[t.Root.Node()]) > 0 }

// Bytes gives what a context's node takes.
func (a *Arena) Bytes(x *Context) uint64 {
	words, _ := a.words(x.Method) // a scan has named it
	return 8 * uint64(words)
}

// unlink takes nodes that are gone out of the lists of another's slots.
func (r *reclaiming) unlink(n placedNode) {
	a := r.arena
	for word := FirstSlot; word < r.slotsEnd(n); word++ {
		at, next := n.at, word // of the word that leads to the next node
		for steps := 0; steps <= len(r.nodes); steps++ {
			callee := Node(a.get(at, next))
			if callee == 0 || !a.inside(callee, FirstSlot) {
				break
			}
			if r.gone[callee] {
				a.put(at, next, a.get(callee, abi.NodeSibling))
				continue
			}
			at, next = callee, abi.NodeSibling
		}
	}
}

// forget forgets where nodes were that are gone.
func (r *reclaiming) forget() {
	a := r.arena
	for _, n := range r.nodes {
		link, is := a.links[n.at]
		if !is || !r.gone[n.at] {
			continue
		}
		delete(a.links, n.at)
		if key := (calleeKey{link, n.method}); a.known[key] == n.at {
			delete(a.known, key)
		}
	}
}

// free makes the memory zero, and lists it.
func (r *reclaiming) free() {
	a, t := r.arena, r.thread
	var holes []hole
	i := 0
	for _, c := range r.chunks {
		at := c.First
		for ; i < len(r.nodes) && c.Has(r.nodes[i].at); i++ {
			n := r.nodes[i]
			if r.gone[n.at] {
				clear(a.slice(n.at, 0, n.words))
				continue
			}
			if n.at > at {
				holes = append(holes, hole{uint64(at), uint64(n.at)})
			}
			at = n.at + Node(8*n.words)
		}
		if c.End > at {
			holes = append(holes, hole{uint64(at), uint64(c.End)})
		}
	}
	slices.SortFunc(holes, func(a, b hole) int { return cmp.Compare(a.first, b.first) })
	a.holes[t.Root.Node()] = holes
	t.Free, t.End = 0, 0
	for _, h := range slices.Backward(holes) {
		if h.end-h.first < leastSpan {
			continue
		}
		a.put(Node(h.first), abi.SpanNext, t.Spans)
		a.put(Node(h.first), abi.SpanEnd, h.end)
		t.Spans = h.first
	}
}
