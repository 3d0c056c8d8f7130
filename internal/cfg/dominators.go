package cfg

// order fills in rpo: the reachable blocks in reverse post-order over edges and
// exception edges, by a depth-first search with its own stack.
func (g *Graph) order() {
	type frame struct {
		block BlockID
		next  int
	}
	succ := g.successors()
	seen := make([]bool, len(g.Blocks))
	g.rpo = make([]BlockID, len(g.Blocks))
	at := len(g.rpo)
	stack := make([]frame, 1, 16)
	seen[0] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		// The last successor first, so that the order follows the code.
		if s := succ.of(top.block); top.next < len(s) {
			top.next++
			if b := s[len(s)-top.next]; !seen[b] {
				seen[b] = true
				stack = append(stack, frame{block: b})
			}
			continue
		}
		at--
		g.rpo[at] = top.block
		stack = stack[:len(stack)-1]
	}
	g.rpo = g.rpo[at:]
}

// dominators fills in Idom with the algorithm of Cooper, Harvey and Kennedy, "A
// Simple, Fast Dominance Algorithm": intersect the dominators of a block's
// predecessors, in reverse post-order, until nothing changes.
func (g *Graph) dominators() {
	index := make([]int32, len(g.Blocks)) // position in rpo
	idom := make([]int32, len(g.Blocks))  // position in rpo of the dominator of the block at a position
	for i := range g.Blocks {
		g.Blocks[i].Idom = NoBlock
		idom[i] = -1
		index[i] = -1
	}
	for i, b := range g.rpo {
		index[b] = int32(i)
	}
	pred := g.predecessors()
	idom[0] = 0
	for changed := true; changed; {
		changed = false
		for i := 1; i < len(g.rpo); i++ {
			best := int32(-1)
			for _, p := range pred.of(g.rpo[i]) {
				d := index[p]
				if d < 0 || idom[d] < 0 {
					continue
				}
				if best < 0 {
					best = d
					continue
				}
				for best != d {
					for best > d {
						best = idom[best]
					}
					for d > best {
						d = idom[d]
					}
				}
			}
			if idom[i] != best {
				idom[i] = best
				changed = true
			}
		}
	}
	for i := 1; i < len(g.rpo); i++ {
		g.Blocks[g.rpo[i]].Idom = g.rpo[idom[i]]
	}
}

// Dominates reports whether every way from the entry to b leads through a; a
// block dominates itself. False when b is unreachable.
func (g *Graph) Dominates(a, b BlockID) bool {
	if !g.Reachable(b) {
		return false
	}
	for b != a && b != NoBlock {
		b = g.Blocks[b].Idom
	}
	return b == a
}

// adjacency lists neighbours of blocks over edges and exception edges.
type adjacency struct {
	start []int32
	ids   []BlockID
}

func (a *adjacency) of(b BlockID) []BlockID { return a.ids[a.start[b]:a.start[b+1]] }

func (g *Graph) successors() adjacency {
	return g.adjacency(func(from, to BlockID) (BlockID, BlockID) { return from, to })
}

func (g *Graph) predecessors() adjacency {
	return g.adjacency(func(from, to BlockID) (BlockID, BlockID) { return to, from })
}

func (g *Graph) adjacency(turn func(from, to BlockID) (BlockID, BlockID)) adjacency {
	a := adjacency{make([]int32, len(g.Blocks)+2), make([]BlockID, len(g.Edges)+len(g.Exceptions))}
	// Counts two places up, so that start[b+1] moves from the start to the end of b's list.
	for i := range g.Edges {
		at, _ := turn(g.Edges[i].From, g.Edges[i].To)
		a.start[at+2]++
	}
	for _, x := range g.Exceptions {
		at, _ := turn(x.From, x.To)
		a.start[at+2]++
	}
	for b := 2; b < len(a.start); b++ {
		a.start[b] += a.start[b-1]
	}
	for i := range g.Edges {
		at, id := turn(g.Edges[i].From, g.Edges[i].To)
		a.ids[a.start[at+1]] = id
		a.start[at+1]++
	}
	for _, x := range g.Exceptions {
		at, id := turn(x.From, x.To)
		a.ids[a.start[at+1]] = id
		a.start[at+1]++
	}
	a.start = a.start[:len(g.Blocks)+1]
	return a
}
