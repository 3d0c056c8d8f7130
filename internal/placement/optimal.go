package placement

// optimal minimises the increments expected at the graph's frequencies.
//
// A method with a single allocation needs no search (singleAllocation). For others:
//
//  1. Translate the problem into a network (newNetwork).
//  2. Reduce it as long as that cannot cost anything (reduce). This alone solves
//     most methods.
//  3. Cut the rest into independent parts (components).
//  4. Solve each: from a maximum-weight spanning tree climb (hillClimb) to a local optimum, then
//     search for a better solution, completely if the part is small enough.
//  5. Of the solutions of equal cost, move to one with φ zero for most of the time (minimizePhi).
//  6. If no proof came out of that, compare with the other strategies, and go on
//     climbing from theirs if it is cheaper.
//
// The plan is never worse than those of the other strategies, rounding aside.
func optimal(pr *Problem) *Plan {
	if singleAllocation(pr) {
		pl := site(pr)
		pl.Strategy = Optimal
		return pl
	}
	net, m := newNetwork(pr)
	r := reduce(net)
	kernel, nodes := r.kernel()
	s := &solver{climb: hillClimbSteps, search: search{steps: exactSteps}}
	potential := r.expand(components(kernel, s.solve), nodes)
	m.minimizePhi(net, potential)
	pl := m.plan(potential)
	if s.search.steps > 0 {
		return pl // proven
	}
	for _, other := range []*Plan{duckTracks(pr), site(pr)} {
		if atLeast(other.Cost, pl.Cost) {
			continue
		}
		start := m.potentials(net, other)
		hillClimb(net, start, &s.climb)
		if better := m.plan(start); better.Cost < other.Cost {
			other = better
		}
		pl = other
		pl.Strategy = Optimal
	}
	return pl
}

// solver solves the parts of one method's kernel. Its limits are for all of them.
type solver struct {
	climb  int
	search search
}

// solve finds potentials of low cost for a part; the least possible if the search
// has steps left.
func (s *solver) solve(part *network) []uint64 {
	potential := spanningTree(part)
	hillClimb(part, potential, &s.climb)
	if better, _ := s.search.below(part, part.cost(potential)); better != nil {
		return better
	}
	return potential
}

// potentials is the inverse of plan.
func (m *mapping) potentials(n *network, pl *Plan) []uint64 {
	potential := make([]uint64, n.nodes)
	for b := range m.start {
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
