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

// reclaiming is what Reclaim knows of a tree.
type reclaiming struct {
	arena  *Arena
	thread *Thread
	dead   func(MethodID) bool
	chunks []Chunk
	nodes  []placedNode // in the order of chunks, the oldest first, and of memory
	gone   map[Node]bool
}

// A placedNode is a node, and what a scan has found out about it.
type placedNode struct {
	at     Node
	method MethodID
	words  int
	parent Node // 0 for the thread's first node
}

// look goes through all nodes; false where they are not only the tree's own contexts.
func (r *reclaiming) look() bool {
	a := r.arena
	chunks, err := a.Chunks(r.thread)
	if err != nil {
		return false
	}
	for i := range chunks { // whole ones, since what is free may be anywhere
		if end := a.chunkEnd(uint64(chunks[i].First) - abi.ChunkHeaderBytes); end != 0 {
			chunks[i].End = Node(end)
		}
	}
	slices.Reverse(chunks)
	r.chunks = chunks
	s := &Scan{arena: a, holes: a.holes[r.thread.Root.Node()], chunks: slices.Clone(chunks)}
	slices.Reverse(s.chunks)
	s.begin()
	for len(s.chunks) > 0 {
		n := placedNode{at: Node(s.at)}
		isNode := n.at+8*FirstSlot <= s.chunks[len(s.chunks)-1].End && a.methodOf(n.at) != 0
		isContext := s.step()
		if s.err != nil {
			return false
		}
		if !isNode {
			continue
		}
		n.method = a.methodOf(n.at)
		n.words, _ = a.words(n.method) // step knew it
		switch {
		case isContext:
			n.parent = a.parentOf(&s.node)
		case n.method == made:
			n.parent = Entry(a.get(n.at, abi.NodeEntry)).Node()
		}
		if n.parent != 0 && !r.has(n.parent) {
			return false
		}
		r.nodes = append(r.nodes, n)
	}
	return true
}

// parentOf is a context's caller's node, which may be the thread's first.
func (a *Arena) parentOf(x *Context) Node {
	if x.Parent != 0 {
		return x.Parent
	}
	return Entry(a.get(x.Node, abi.NodeEntry)).Node()
}

func (r *reclaiming) has(n Node) bool {
	return slices.ContainsFunc(r.chunks, func(c Chunk) bool { return c.Has(n) })
}

// find says of each node whether it is gone, and gives the bytes of those that are.
func (r *reclaiming) find() (bytes uint64) {
	nodes := make(map[Node]*placedNode, len(r.nodes))
	for i := range r.nodes {
		nodes[r.nodes[i].at] = &r.nodes[i]
	}
	var way []Node
	for i := range r.nodes {
		way = way[:0]
		gone := false
		for n := &r.nodes[i]; n != nil && len(way) <= len(r.nodes); n = nodes[n.parent] {
			if known, is := r.gone[n.at]; is {
				gone = known
				break
			}
			way = append(way, n.at)
			if n.method != made && n.method != root && r.dead(n.method) {
				gone = true
				break
			}
		}
		for _, at := range way {
			r.gone[at] = gone
		}
		if gone {
			bytes += 8 * uint64(r.nodes[i].words)
		}
	}
	return bytes
}

// hasGoneTransaction reports whether an invocation that is gone has begun a transaction that has not ended.
func (r *reclaiming) hasGoneTransaction() bool {
	for owner, inner := range r.arena.transactions(r.thread) {
		if r.gone[owner] || r.gone[inner] {
			return true
		}
	}
	return false
}

// hasOthersCallers reports whether a node that is gone is the caller of one in another tree, which a carrier has made
// that ran in a virtual thread's place. The scan that has found it dead has noted those that are in no slot of it.
func (r *reclaiming) hasOthersCallers() bool {
	a := r.arena
	for _, n := range r.nodes {
		if !r.gone[n.at] {
			continue
		}
		for word := FirstSlot; word < r.slotsEnd(n); word++ {
			callee := Node(a.get(n.at, word))
			for steps := 0; steps <= len(r.nodes) && a.inside(callee, FirstSlot); steps++ {
				if !r.has(callee) {
					return true
				}
				callee = Node(a.get(callee, abi.NodeSibling))
			}
		}
	}
	for n, link := range a.links {
		if r.gone[link.Parent] && !r.has(n) {
			return true
		}
	}
	return false
}

// slotsEnd gives the word behind a node's slots.
func (r *reclaiming) slotsEnd(n placedNode) int {
	switch n.method {
	case made:
		return FirstSlot
	case root:
		return min(FirstSlot+1, n.words)
	}
	return min(FirstSlot+len(r.arena.methods[n.method].PCs), n.words)
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
