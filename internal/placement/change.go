package placement

import (
	"cmp"
	"slices"

	"mallard/internal/cfg"
)

// Change says that φ is by Delta more from the start of instruction At on.
type Change struct {
	At    int
	Delta Vector
}

// Changes appends to dst how φ changes inside block b, ascending by At, and returns it: [Plan.PhiAt] of an
// instruction is Phi[b] and all changes up to it. Several may be at one instruction. Together they are no longer than
// the block's allocations and counters are many, while φ itself can have as many terms at each.
func (pl *Plan) Changes(dst []Change, b cfg.BlockID) []Change {
	g := pl.problem.Graph
	blk := &g.Blocks[b]
	first := len(dst)
	for _, a := range pl.problem.Allocs[b] {
		if a.At+1 < blk.End {
			dst = append(dst, Change{a.At + 1, Vector(nil).Sub(a.Sites)})
		}
	}
	if s := pl.problem.instructions; s != nil {
		dst = s.changes(dst, g, b)
	}
	for _, c := range pl.inner[b] {
		if at := pl.Counters[c].passed(); at < blk.End {
			dst = append(dst, Change{at, pl.Counters[c].Semantics})
		}
	}
	if len(blk.Out) == 1 && beforeBranch(g, blk.Out[0]) {
		if c := pl.onEdge[blk.Out[0]]; c >= 0 && len(pl.Counters[c].Edges) == 1 {
			dst = append(dst, Change{blk.End - 1, pl.Counters[c].Semantics})
		}
	}
	slices.SortStableFunc(dst[first:], func(x, y Change) int { return cmp.Compare(x.At, y.At) })
	return dst
}

// changes appends what the instructions inside block b change, ascending.
func (s *instructions) changes(dst []Change, g *cfg.Graph, b cfg.BlockID) []Change {
	one := Vector{{s.site, -1}}
	for i := g.Blocks[b].First; i < g.Blocks[b].End; i++ {
		if i > g.Blocks[b].First || s.first[b] > 0 {
			dst = append(dst, Change{i, one})
		}
	}
	return dst
}
