package instrument

import (
	"slices"

	"mallard/internal/cfg"
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// The builder of a chain is counted where the chain ends, if C2 has not replaced it: one update does for what one or
// the other has made. Meanwhile φ has it, which the placement knows nothing of: to that no instruction of a chain
// allocates the builder.

// countsChains reports whether the method has chains whose builders may be counted at their ends. A placement with a
// counter for each site has these where it says.
func (b *body) countsChains() bool {
	if s := b.rewriter.options.Placement; b.bytecodes || s != placement.Optimal && s != placement.DuckTracks {
		return false
	}
	for _, a := range b.allocations {
		if a.Builder == allocations.Chained {
			return true
		}
	}
	return false
}

// countAtEnds has a builder counted where its chain ends; false if φ has to be zero somewhere inside, or the method is
// left there.
func (p *plan) countAtEnds(g *cfg.Graph, a allocations.Allocation) bool {
	for _, i := range a.Inside {
		if b := &g.Blocks[g.BlockAt(i)]; b.First == i && b.Zero || p.code.Insns[i].Op.IsReturn() {
			return false
		}
	}
	if p.builders == nil {
		p.builders, p.late = map[int]placement.Vector{}, map[int]bool{}
	}
	for _, i := range a.Inside {
		p.builders[i] = p.builders[i].Add(placement.Unit(a.First))
	}
	p.late[a.First] = true
	return true
}

// startPhi is φ at the start of a block.
func (p *plan) startPhi(b cfg.BlockID) placement.Vector {
	if p.builders == nil {
		return p.placed.Phi[b]
	}
	return p.placed.Phi[b].Sub(p.builders[p.graph.Blocks[b].First])
}

// changes appends how φ changes inside a block to dst: see [placement.Plan.Changes].
func (p *plan) changes(dst []placement.Change, b cfg.BlockID) []placement.Change {
	dst = p.placed.Changes(dst, b)
	if p.builders == nil {
		return dst
	}
	blk := &p.graph.Blocks[b]
	n := 0
	for i := blk.First + 1; i < blk.End; i++ {
		delta := p.builders[i-1].Sub(p.builders[i])
		if delta.IsZero() {
			continue
		}
		for n < len(dst) && dst[n].At <= i {
			n++
		}
		dst = slices.Insert(dst, n, placement.Change{At: i, Delta: delta})
	}
	return dst
}
