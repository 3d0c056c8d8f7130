package placement

import (
	"math"
	"slices"
)

var infinite = math.Inf(1)

// exactSteps bounds the search for best solutions, for all parts of a method
// together, in arcs handed to reduce. It is a few milliseconds; parts that need
// more keep the best solution seen. Of all methods of a JDK hardly one does.
const exactSteps = 1 << 15

// search looks for potentials of least cost by branch and bound, with every
// reduction at every step:
//
//  1. Reduce the network and cut it into parts, whose costs add up.
//  2. In a part, take the heaviest arc. Some best solution has it tight or has it
//     not: solve the part with the arc tight for good, and without the arc.
//  3. Stop where the cost already certain reaches that of the best solution known.
type search struct {
	steps int // arcs it may still look at; none left: the result is no proof
}

// below returns potentials that cost less than bound, the least possible if steps
// are left afterwards; nil if there are none.
func (s *search) below(n *network, bound float64) (potential []uint64, cost float64) {
	s.steps -= len(n.arcs)
	r := reduce(n)
	cost = r.lost
	if s.steps <= 0 || atLeast(cost, bound) {
		return nil, 0
	}
	kernel, nodes := r.kernel()
	failed := false
	potential = components(kernel, func(part *network) []uint64 {
		if failed {
			return nil
		}
		solution, c := s.branch(part, bound-cost)
		if solution == nil {
			failed = true
			return nil
		}
		cost += c
		return solution
	})
	if failed {
		return nil, 0
	}
	return r.expand(potential, nodes), cost
}

// branch is below for a part that reduce cannot shrink.
func (s *search) branch(part *network, bound float64) (potential []uint64, cost float64) {
	heaviest := 0
	for i := range part.arcs {
		if part.arcs[i].weight > part.arcs[heaviest].weight {
			heaviest = i
		}
	}
	weight := part.arcs[heaviest].weight

	tight := &network{nodes: part.nodes, arcs: slices.Clone(part.arcs)}
	tight.arcs[heaviest].weight = infinite
	potential, cost = s.below(tight, bound)
	if potential != nil {
		bound = cost
	}
	without := &network{nodes: part.nodes, arcs: slices.Delete(slices.Clone(part.arcs), heaviest, heaviest+1)}
	if other, c := s.below(without, bound-weight); other != nil {
		return other, c + weight
	}
	return potential, cost
}
