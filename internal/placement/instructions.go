package placement

import "mallard/internal/cfg"

// instructions count: a path has as many as it executes. An instruction counts from the moment on that
// control comes to it, so that one that throws counts. In terms of the contract, φ of an instruction is that while it
// executes; so control that passes from one instruction to the next lowers φ by one at the site. Two kinds of
// instructions nobody comes from, so they are passed with the first one of their block: the first of the method,
// and those of handlers and behind a jsr. What leaves the method has nothing to come to.
type instructions struct {
	site  int32
	first []int32 // per block: 1 if its first instruction is counted in it and not on the way there
	last  []int32 // per block: 1 if the way out of it leads to an instruction that counts on the way
}

// before is how many instructions of block b have counted when instruction i executes, or, at its end, when control
// has left it.
func (s *instructions) before(g *cfg.Graph, b cfg.BlockID, i int) int32 {
	blk := &g.Blocks[b]
	if i < blk.End {
		return int32(i-blk.First) + s.first[b]
	}
	return int32(blk.End-1-blk.First) + s.first[b] + s.last[b]
}
