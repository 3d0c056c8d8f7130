package placement

import "mallard/internal/cfg"

// singleAllocation reports whether the plan of Site is optimal because there is a single allocation: when flow is
// conserved, it consists of simple ways from forced zero to forced zero and of simple loops. Each that passes the
// allocation needs a counter, and all of them together are as frequent as it.
func singleAllocation(pr *Problem) bool {
	allocations := 0
	for _, allocs := range pr.Allocs {
		allocations += len(allocs)
	}
	if allocations != 1 || pr.instructions != nil {
		return false
	}
	g := pr.Graph
	for b := range g.Blocks {
		blk := &g.Blocks[b]
		if !blk.Zero && !same(sumFreq(g, blk.In), blk.Freq) {
			return false
		}
		if (!blk.Zero || len(pr.Allocs[b]) > 0) && !same(sumFreq(g, blk.Out), blk.Freq) {
			return false
		}
	}
	return true
}

// same compares frequencies, rounding errors aside.
func same(a, b float64) bool { return atLeast(a, b) && atLeast(b, a) }

func sumFreq(g *cfg.Graph, edges []cfg.EdgeID) float64 {
	sum := 0.0
	for _, e := range edges {
		sum += g.Edges[e].Freq
	}
	return sum
}
