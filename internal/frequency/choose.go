package frequency

import (
	"math"

	"mallard/internal/cfg"
)

// choose makes a point of every range, in the order of control.
func (s *solver) choose() {
	s.steps += maxSteps * len(s.nodes)
	entry := int32(len(s.graph.Edges))
	s.fix(entry, s.scale*s.prior[entry])
	for _, b := range s.graph.ReversePostOrder() {
		if f := s.caught[b]; f != none {
			s.fix(f, s.scale*s.prior[f])
		}
		s.fixNode(b)
		if f := s.thrown[b]; f != none {
			s.fix(f, 0) // what handlers see of it is little
		}
		s.divide(b, s.out[b])
	}
	s.fixNode(s.graph.Exit())
	for b := range s.nodes {
		s.fixNode(cfg.BlockID(b))
	}
	for f := range s.flows {
		s.fix(int32(f), 0)
	}
}

// fix makes a flow the number nearest to n that its range has.
func (s *solver) fix(f int32, n float64) {
	if r := s.flows[f]; r.Low != r.High {
		n = r.nearest(n)
		s.setFlow(f, Range{n, n})
		s.flows[f] = Range{n, n} // also where that is no change to speak of
		s.narrow()
	}
}

// fixNode makes a block's frequency a point: what has come in so far, and as much more by ways that are still open as
// the graph expects.
func (s *solver) fixNode(b cfg.BlockID) {
	r := s.nodes[b]
	if r.Low == r.High {
		return
	}
	known, expected, all := 0.0, 0.0, 0.0
	for _, f := range s.in[b] {
		all += s.prior[f]
		if s.flows[f].Low == s.flows[f].High {
			known += s.flows[f].Low
			expected += s.prior[f]
		}
	}
	n := s.scale * all
	if expected > 0 {
		n = known * all / expected
	}
	n = r.nearest(n)
	s.setNode(b, Range{n, n})
	s.nodes[b] = Range{n, n}
	s.narrow()
}

// divide makes points of the flows out of a block: in proportion to the graph's frequencies, but for what ranges
// demand.
func (s *solver) divide(b cfg.BlockID, flows []int32) {
	var open []int32
	rest := s.nodes[b].Low
	weight := 0.0
	for _, f := range flows {
		if s.flows[f].Low == s.flows[f].High {
			rest -= s.flows[f].Low
		} else {
			open = append(open, f)
			weight += s.prior[f]
		}
	}
	if len(open) == 0 {
		return
	}
	// share is what a flow gets when a unit of weight gets factor; no flow is taken to be impossible.
	share := func(f int32, factor float64) float64 {
		return s.flows[f].nearest(factor * (s.prior[f] + weight*1e-6 + math.SmallestNonzeroFloat64*1e20))
	}
	low, high := 0.0, 1.0
	sum := func(factor float64) float64 {
		total := 0.0
		for _, f := range open {
			total += share(f, factor)
		}
		return total
	}
	for range 2000 {
		if sum(high) >= rest || math.IsInf(high, 1) {
			break
		}
		high *= 2
	}
	for range 100 {
		if middle := (low + high) / 2; sum(middle) < rest {
			low = middle
		} else {
			high = middle
		}
	}
	for _, f := range open {
		n := share(f, high)
		s.setFlow(f, Range{n, n})
		s.flows[f] = Range{n, n}
	}
	s.narrow()
}

// nearest gives the number in a range that is nearest to n.
func (r Range) nearest(n float64) float64 { return min(max(n, r.Low), r.High) }
