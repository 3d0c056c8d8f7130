package placement

import (
	"cmp"
	"slices"
)

// exactSteps bounds the search for a best solution, in arcs decided. It is some
// hundred microseconds per part of a network; parts that need more keep the best
// solution seen.
const exactSteps = 20_000

// exact searches for potentials of least cost by branch and bound. Arcs are
// decided in order of weight: tight, or not. An arc whose ends are already
// connected by tight arcs has no choice. The first descent, always tight, is
// Kruskal's maximum-weight spanning tree.
type exact struct {
	arcs  []arc // heaviest first
	steps int

	parent []int32  // union-find without path compression, so that it can be undone
	offset []uint64 // potential less that of the parent
	size   []int32

	best     float64
	solution []uint64 // nil until a solution better than the first bound is found
}

// solveExact looks for potentials that cost less than bound. It returns nil if
// there are none, or none were found; proven says that the search was complete.
func solveExact(n *network, bound float64, steps int) (potential []uint64, proven bool) {
	s := &exact{arcs: slices.Clone(n.arcs), steps: steps, best: bound,
		parent: make([]int32, n.nodes), offset: make([]uint64, n.nodes), size: make([]int32, n.nodes)}
	// Stable: equal weights stay in the order of the code.
	slices.SortStableFunc(s.arcs, func(a, b arc) int { return cmp.Compare(b.weight, a.weight) })
	for v := range s.parent {
		s.parent[v] = int32(v)
		s.size[v] = 1
	}
	s.decide(0, 0)
	return s.solution, s.steps > 0
}

// find returns the representative of v and v's potential less that one's.
func (s *exact) find(v int32) (root int32, offset uint64) {
	for s.parent[v] != v {
		offset += s.offset[v]
		v = s.parent[v]
	}
	return v, offset
}

// decide tries both ways for arcs i and on, which may add less than best less cost.
func (s *exact) decide(i int, cost float64) {
	for ; ; i++ {
		if atLeast(cost, s.best) || s.steps <= 0 {
			return
		}
		if i == len(s.arcs) {
			break
		}
		s.steps--
		a := &s.arcs[i]
		u, ou := s.find(a.from)
		v, ov := s.find(a.to)
		if u == v {
			if ou+a.gain != ov {
				cost += a.weight
			}
			continue
		}
		// Tight: potential of v's root is that of u's plus d.
		d := ou + a.gain - ov
		if s.size[u] < s.size[v] {
			u, v, d = v, u, -d
		}
		s.parent[v], s.offset[v] = u, d
		s.size[u] += s.size[v]
		s.decide(i+1, cost)
		s.size[u] -= s.size[v]
		s.parent[v], s.offset[v] = v, 0
		cost += a.weight
	}
	s.best = cost
	s.solution = make([]uint64, len(s.parent))
	_, base := s.find(ground)
	for v := range s.solution {
		_, o := s.find(int32(v))
		s.solution[v] = o - base
	}
}
