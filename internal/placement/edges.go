package placement

import "mallard/internal/cfg"

// edges gives every edge that can have one a counter of its own, in the order of edges, whether it has anything to
// add or not. Nobody would count allocations like this: it tells how often each edge is taken, to measure other
// strategies by.
func edges(pr *Problem) *Plan {
	g := pr.Graph
	pl := &Plan{Strategy: Edges, Phi: make([]Vector, len(g.Blocks)), problem: pr}
	var counters []Counter
	for e := range g.Edges {
		if edge := &g.Edges[e]; edge.Kind.Placeable() {
			counters = append(counters, Counter{Semantics: pr.allocated(edge.From), Edges: []cfg.EdgeID{cfg.EdgeID(e)},
				Freq: edge.Freq})
		}
	}
	pl.index(counters)
	return pl
}
