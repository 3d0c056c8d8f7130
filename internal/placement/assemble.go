package placement

import "mallard/internal/cfg"

// assemble makes the plan that a choice of φ amounts to: phi at the start of each
// block, and inside blocks the counters given. Every edge where φ does not
// follow gets a counter; when all edges into a block need the same one, they
// share it, and it stands before the block.
func assemble(pr *Problem, s Strategy, phi []Vector, inside []Counter) *Plan {
	g := pr.Graph
	pl := &Plan{Strategy: s, Phi: phi, problem: pr}
	pl.Counters = make([]Counter, 0, len(inside)+4)
	pl.index(inside)

	semantics := make([]Vector, len(g.Edges))
	for b := range g.Blocks {
		blk := &g.Blocks[b]
		if len(blk.Out) == 0 {
			continue
		}
		end := pl.phiInside(cfg.BlockID(b), blk.End)
		for _, e := range blk.Out {
			semantics[e] = phi[g.Edges[e].To].Sub(end)
		}
	}
	counters := pl.Counters
	for b := range g.Blocks {
		in := g.Blocks[b].In
		if shareable(g, cfg.BlockID(b), semantics) {
			c := Counter{Semantics: semantics[in[0]], Edges: in}
			for _, e := range in {
				c.Freq += g.Edges[e].Freq
			}
			counters = append(counters, c)
			continue
		}
		for i, e := range in {
			if !semantics[e].IsZero() {
				counters = append(counters, Counter{Semantics: semantics[e], Edges: in[i : i+1 : i+1],
					Freq: g.Edges[e].Freq})
			}
		}
	}
	pl.index(counters)
	return pl
}

// shareable reports whether all edges into b, more than one, need the same
// counter and all who come to b come by them.
func shareable(g *cfg.Graph, b cfg.BlockID, semantics []Vector) bool {
	blk := &g.Blocks[b]
	if len(blk.In) < 2 || b == g.Entry() || b == g.Exit() || blk.Handler || semantics[blk.In[0]].IsZero() {
		return false
	}
	for _, e := range blk.In {
		if !g.Edges[e].Kind.Placeable() || !semantics[e].Equal(semantics[blk.In[0]]) {
			return false
		}
	}
	return true
}

// index sets the counters and everything that follows from them.
func (pl *Plan) index(counters []Counter) {
	g := pl.problem.Graph
	pl.Counters = counters
	pl.Cost = 0
	pl.inner = make([][]int, len(g.Blocks))
	pl.onEdge = make([]int32, len(g.Edges))
	for e := range pl.onEdge {
		pl.onEdge[e] = -1
	}
	for i, c := range counters {
		if !c.Piggybacked {
			pl.Cost += c.Freq
		}
		if len(c.Edges) == 0 {
			b := g.BlockAt(c.After)
			pl.inner[b] = append(pl.inner[b], i)
		}
		for _, e := range c.Edges {
			pl.onEdge[e] = int32(i)
		}
	}
}
