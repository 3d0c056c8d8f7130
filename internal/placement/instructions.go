package placement

import (
	"errors"

	"mallard/internal/cfg"
)

// steps makes instructions count: a path has as many as it executes. An instruction counts from the moment on that
// control comes to it, so that one that throws counts. In terms of the contract, φ of an instruction is that while it
// executes; so control that passes from one instruction to the next lowers φ by one at the site. Two kinds of
// instructions nobody comes from, so they are passed with the first step into their block: the first of the method,
// and those of handlers and behind a jsr. What leaves the method has nothing to come to.
type instructions struct {
	site  int32
	first []int32 // per block: 1 if its first instruction is counted in it and not on the way there
	last  []int32 // per block: 1 if the way out of it leads to an instruction that counts on the way
}

// errEntered is what CountInstructions returns for code that no compiler makes.
var errEntered = errors.New("placement: a handler, or what follows a jsr, is also entered in another way, or left at " +
	"once")

// CountInstructions makes the instructions that are executed count at a site, which no allocation has. Where the
// method's first instruction is a branch target it is left out, see EntersLoop.
func (pr *Problem) CountInstructions(site int) error {
	g := pr.Graph
	s := &instructions{site: int32(site), first: make([]int32, len(g.Blocks)), last: make([]int32, len(g.Blocks))}
	for b := range g.Blocks[:g.Exit()] {
		blk := &g.Blocks[b]
		if !g.Reachable(cfg.BlockID(b)) {
			continue
		}
		rets := 0
		for _, e := range blk.In {
			if g.Edges[e].Kind == cfg.Ret {
				rets++
			}
		}
		switch {
		case blk.Handler || rets > 0:
			if len(blk.In) > rets {
				return errEntered
			}
			s.first[b] = 1
		case cfg.BlockID(b) == g.Entry() && len(blk.In) == 0:
			s.first[b] = 1
		}
		for _, e := range blk.Out {
			k := g.Edges[e].Kind
			if k != cfg.Return && k.Placeable() {
				s.last[b] = 1
			}
			if !k.Placeable() && int(s.first[b])+blk.End-blk.First > 1 {
				return errEntered // there is no room to count the instruction
			}
		}
	}
	pr.instructions = s
	for b := range pr.totals {
		if g.Reachable(cfg.BlockID(b)) {
			pr.totals[b] = pr.allocatedBefore(cfg.BlockID(b), g.Blocks[b].End)
		}
	}
	return nil
}

// EntersLoop reports whether branches lead to the method's first instruction, so that instructions do not count it.
// Then who enters the method has to count it.
func (pr *Problem) EntersLoop() bool { return pr.instructions.first[pr.Graph.Entry()] == 0 }

// before is how many instructions of block b have counted when instruction i executes, or, at its end, when control
// has left it.
func (s *instructions) before(g *cfg.Graph, b cfg.BlockID, i int) int32 {
	blk := &g.Blocks[b]
	if i < blk.End {
		return int32(i-blk.First) + s.first[b]
	}
	return int32(blk.End-1-blk.First) + s.first[b] + s.last[b]
}

// changes appends what the steps inside block b change, ascending.
func (s *instructions) changes(dst []Change, g *cfg.Graph, b cfg.BlockID) []Change {
	one := Vector{{s.site, -1}}
	for i := g.Blocks[b].First; i < g.Blocks[b].End; i++ {
		if i > g.Blocks[b].First || s.first[b] > 0 {
			dst = append(dst, Change{i, one})
		}
	}
	return dst
}
