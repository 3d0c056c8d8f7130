package placement

import "mallard/internal/cfg"

// duckTracks places one counter per path, after Fitzek, Lengauer and Mössenböck,
// "DuckTracks: Path-based Object Allocation Tracking" (ICPE 2017).
//
//  1. Divide the graph into paths, the hot one first (buildPaths).
//  2. Put each path's counter on its least shared edge (counterEdges).
//  3. Calculate semantics: the path's allocations, plus a branching correction for
//     what was counted too much or too little before it, plus a joining correction
//     for what will be, along whole branch and join chains.
//  4. Drop empty counters.
//
// Step 3 is φ by another name. On all edges but the chosen ones φ just follows, and
// since each path contributes one chosen edge, the others form a tree that hangs
// together at the forced zeros. On the part of a path before its counter, φ is what
// follows from its branching block; that is the branching correction, chain and all.
// On the part behind it φ is what its joining block requires, or zero where it
// leaves; that is the joining correction. The semantics of the counter are the
// difference, and empty where they agree. The tests compare this with the paper's
// own formulas.
func duckTracks(pr *Problem) *Plan {
	b := buildPaths(pr.Graph)
	return pathPlan(pr, b.paths, b.counterEdges())
}

// pathPlan is the plan with a counter on one edge of each path, noEdge for none.
func pathPlan(pr *Problem, paths []path, counters []cfg.EdgeID) *Plan {
	chosen := make([]bool, len(pr.Graph.Edges))
	for _, e := range counters {
		if e != noEdge {
			chosen[e] = true
		}
	}
	ends := make(map[cfg.BlockID]Vector)
	for i := range paths {
		// A path that ends with its header ends like one that leaves the method:
		// what it allocates is counted by then.
		if p := &paths[i]; p.edges[len(p.edges)-1] == noEdge {
			end := p.blocks[len(p.blocks)-1]
			ends[end] = pr.allocated(end)
		}
	}
	phi, _ := spread(pr, ends, func(e cfg.EdgeID) bool { return !chosen[e] }, func(cfg.BlockID) bool { return true })
	return assemble(pr, DuckTracks, phi, nil)
}
