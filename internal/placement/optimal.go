package placement

import "math"

var infinite = math.Inf(1)

// optimal minimises the increments expected at the graph's frequencies.
//
//  1. Translate the problem into a network (newNetwork).
//  2. Reduce it as long as that cannot cost anything (reduce). This alone solves
//     most methods.
//  3. Cut the rest into independent parts (components).
//  4. Solve each: from a maximum-weight spanning tree climb to a local optimum, then
//     search for a better solution, completely if the part is small enough.
//  5. If no proof came out of that, compare with the other strategies, and go on
//     climbing from theirs if it is cheaper.
//
// The plan is never worse than those of the other strategies, rounding aside.
func optimal(pr *Problem) *Plan {
	net, m := newNetwork(pr)
	r := reduce(net)
	kernel, nodes := r.kernel()
	proven := true
	potential := components(kernel, func(part *network) []uint64 {
		solution, ok := solve(part)
		proven = proven && ok
		return solution
	})
	pl := m.plan(r.expand(potential, nodes))
	if proven {
		return pl
	}
	for _, other := range []*Plan{duckTracks(pr), site(pr)} {
		if atLeast(other.Cost, pl.Cost) {
			continue
		}
		start := m.potentials(other)
		climb(net, start)
		if better := m.plan(start); better.Cost < other.Cost {
			other = better
		}
		pl = other
		pl.Strategy = Optimal
	}
	return pl
}

// solve finds potentials of low cost for one part of a kernel, and reports
// whether they are proven to be the best.
func solve(part *network) (potential []uint64, proven bool) {
	potential = spanningTree(part)
	climb(part, potential)
	better, proven := solveExact(part, part.cost(potential), exactSteps)
	if better != nil {
		potential = better
	}
	return potential, proven
}

// potentials is the inverse of plan.
func (m *mapping) potentials(pl *Plan) []uint64 {
	g := m.pr.Graph
	potential := make([]uint64, len(g.Blocks)*2+1)
	for b := range g.Blocks {
		phi := pl.Phi[b].fingerprint()
		potential[m.start[b]] = phi
		if m.end[b] != m.start[b] {
			phi -= m.allocated[b]
			for _, c := range pl.inner[b] {
				phi += pl.Counters[c].Semantics.fingerprint()
			}
			potential[m.end[b]] = phi
		}
	}
	return potential
}
