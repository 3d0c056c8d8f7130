package cfg

import "slices"

// Cover gives the latest blocks of which no invocation comes to two, or to one twice, such that each of the blocks
// given is dominated by one of them. They are in ascending order. Unreachable blocks are left out. Where only the entry
// will do, it is given even if control comes back to it.
func (g *Graph) Cover(blocks []BlockID) []BlockID {
	succ := g.successors()
	cover := slices.DeleteFunc(slices.Clone(blocks), func(b BlockID) bool { return !g.Reachable(b) })
	for {
		slices.Sort(cover)
		cover = slices.Compact(cover)
		cover = slices.DeleteFunc(slices.Clone(cover), func(b BlockID) bool {
			return slices.ContainsFunc(cover, func(a BlockID) bool { return a != b && g.Dominates(a, b) })
		})
		if len(cover) > 0 && cover[0] == g.Entry() {
			return cover
		}
		i, dominator := g.crowded(cover, &succ)
		if i < 0 {
			return cover
		}
		cover[i] = dominator
	}
}

// crowded gives the index of a block, not the entry, from which an invocation comes to one of the blocks, and the block
// that is to stand for both; -1 if there is none.
func (g *Graph) crowded(blocks []BlockID, succ *adjacency) (int, BlockID) {
	for i, b := range blocks {
		reached := make([]bool, len(g.Blocks))
		g.reach(reached, b, succ)
		for _, other := range blocks {
			if !reached[other] {
				continue
			}
			dominator := g.Blocks[b].Idom
			for !g.Dominates(dominator, other) {
				dominator = g.Blocks[dominator].Idom
			}
			return i, dominator
		}
	}
	return -1, NoBlock
}

// After reports for each block whether control may come to it from one of the blocks given, over at least one edge or
// exception edge.
func (g *Graph) After(blocks []BlockID) []bool {
	reached := make([]bool, len(g.Blocks))
	succ := g.successors()
	for _, b := range blocks {
		g.reach(reached, b, &succ)
	}
	return reached
}

// reach adds the blocks after b.
func (g *Graph) reach(reached []bool, b BlockID, succ *adjacency) {
	work := []BlockID{b}
	for len(work) > 0 {
		b, work = work[len(work)-1], work[:len(work)-1]
		for _, next := range succ.of(b) {
			if !reached[next] {
				reached[next] = true
				work = append(work, next)
			}
		}
	}
}

// Inevitable reports whether each invocation that comes to the exit comes to one of the blocks before.
func (g *Graph) Inevitable(blocks []BlockID) bool {
	succ := g.successors()
	reached := make([]bool, len(g.Blocks))
	for _, b := range blocks {
		reached[b] = true // and so nothing behind it is looked at
	}
	if reached[g.Entry()] {
		return true
	}
	g.reach(reached, g.Entry(), &succ)
	return !reached[g.Exit()]
}
