package callenc

import (
	"cmp"
	"math"
	"slices"
)

// Epoch is the part of the call graph that has constants while it lasts. The edges in it make no cycle, so that each
// method n is reached by a number of chains of them that can be counted:
//
//	paths(n) = 1 + Σ paths of the callers of n, one for each edge
//
// The numbers of n are 0 to paths(n)-1. An edge's numbers begin at its addition value, the sum over the edges into n
// before it; the one number behind all edges' is base(n): there the chain begins, at an anchor. Edges that are taken
// most come first, so that the first one into each method adds 0.
type Epoch struct {
	number  uint32
	order   []Method // callers before callees
	methods map[Method]*numbers
	add     map[Edge]uint64
}

// numbers are those of a method.
type numbers struct {
	base uint64 // paths less 1
	into []addition
}

// addition is an edge with its addition value.
type addition struct {
	Edge
	add uint64
}

// Add is the addition value of an edge; false for an edge that has none, and stands behind an anchor.
func (e *Epoch) Add(edge Edge) (uint64, bool) {
	add, ok := e.add[edge]
	return add, ok
}

// Edges is how many edges have addition values.
func (e *Epoch) Edges() int { return len(e.add) }

// base is the number of n behind an anchor.
func (e *Epoch) base(n Method) uint64 {
	if known := e.methods[n]; known != nil {
		return known.base
	}
	return 0
}

// previous is the edge by which n got a number that is less than its base, and its addition value.
func (e *Epoch) previous(n Method, value uint64) (addition, bool) {
	known := e.methods[n]
	if known == nil || value >= known.base {
		return addition{}, false
	}
	i, found := slices.BinarySearchFunc(known.into, value, func(a addition, v uint64) int {
		return cmp.Compare(a.add, v)
	})
	if !found {
		i--
	}
	return known.into[i], true
}

// NewEpoch chooses among edges, given how often each was taken, and gives them addition values: all numbers are below
// limit.
func NewEpoch(taken map[Edge]uint64, limit uint64) *Epoch { return newEpoch(0, taken, limit) }

// Additions calls yield for the edges that have addition values, method by method and each method's with ascending
// values: the hottest first.
func (e *Epoch) Additions(yield func(edge Edge, add uint64)) {
	for _, n := range e.order {
		for _, a := range e.methods[n].into {
			yield(a.Edge, a.add)
		}
	}
}

// newEpoch chooses edges and gives them addition values, below a limit.
//
//  1. The methods are put in an order in which few calls lead back ([ordered]). Those that do are left out: without
//     them there is no cycle.
//  2. In this order each method's edges are laid side by side, hottest first. An edge whose numbers would reach the
//     limit is left out.
func newEpoch(number uint32, taken map[Edge]uint64, limit uint64) *Epoch {
	edges := make([]Edge, 0, len(taken))
	for e := range taken {
		if e.Caller != Root && e.Caller != e.Callee && e.Site != Unannounced {
			edges = append(edges, e)
		}
	}
	slices.SortFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(taken[b], taken[a]), cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Site, b.Site),
			cmp.Compare(a.Callee, b.Callee))
	})
	order := ordered(edges, taken)
	position := make(map[Method]int, len(order))
	for i, n := range order {
		position[n] = i
	}
	epoch := &Epoch{number: number, order: order, methods: map[Method]*numbers{}, add: map[Edge]uint64{}}
	into := map[Method][]Edge{}
	for _, e := range edges {
		if position[e.Caller] < position[e.Callee] {
			into[e.Callee] = append(into[e.Callee], e)
		}
	}
	for _, n := range order {
		known := &numbers{}
		for _, e := range into[n] {
			if paths := epoch.base(e.Caller) + 1; known.base < limit-paths {
				epoch.add[e] = known.base
				known.into = append(known.into, addition{e, known.base})
				known.base += paths
			}
		}
		epoch.methods[n] = known
	}
	return epoch
}

// largest is the limit of numbers that fill a word.
const largest = math.MaxUint64
