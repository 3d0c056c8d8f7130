package placement

import (
	"errors"

	"mallard/internal/cfg"
)

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
				return errEntered // the instruction can be counted nowhere
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
