package calltree

import (
	"slices"

	"mallard/internal/abi"
)

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
