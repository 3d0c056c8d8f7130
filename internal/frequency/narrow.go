package frequency

import (
	"math"

	"mallard/internal/cfg"
)

// wake has a block looked at again.
func (s *solver) wake(b cfg.BlockID) {
	if b != cfg.NoBlock && !s.queued[b] {
		s.queued[b] = true
		s.queue = append(s.queue, b)
	}
}

// narrow applies all bounds until none changes anything.
func (s *solver) narrow() {
	for ; len(s.queue) > 0 && s.steps > 0; s.steps-- {
		b := s.queue[0]
		s.queue = s.queue[1:]
		s.queued[b] = false
		s.balance(b, s.in[b])
		s.balance(b, s.out[b])
		s.catch(b)
		if d := s.bound[b]; d != cfg.NoBlock {
			s.setNode(d, Range{s.nodes[b].Low, math.Inf(1)})
			s.setNode(b, Range{0, s.nodes[d].High})
		}
	}
	for _, b := range s.queue {
		s.queued[b] = false
	}
	s.queue = s.queue[:0]
}

// balance applies that a block is executed as often as flows, all those into it or all those out of it, sum to.
func (s *solver) balance(b cfg.BlockID, flows []int32) {
	if len(flows) == 0 {
		return
	}
	low, high, open := 0.0, 0.0, 0 // open flows have no upper bound
	for _, f := range flows {
		low += s.flows[f].Low
		if math.IsInf(s.flows[f].High, 1) {
			open++
		} else {
			high += s.flows[f].High
		}
	}
	all := Range{low, high}
	if open > 0 {
		all.High = math.Inf(1)
	}
	s.setNode(b, all)
	node := s.nodes[b]
	for _, f := range flows {
		r := s.flows[f]
		if r.Low == r.High {
			continue
		}
		rest := Range{0, node.High - (low - r.Low)}
		switch {
		case open == 0:
			rest.Low = node.Low - (high - r.High)
		case open == 1 && math.IsInf(r.High, 1):
			rest.Low = node.Low - high
		}
		s.setFlow(f, rest)
	}
}

// catch applies that nothing is thrown where no handler runs, and that a handler runs no more often than something is
// thrown.
func (s *solver) catch(b cfg.BlockID) {
	high := 0.0
	if f := s.thrown[b]; f != none {
		for _, h := range s.handled[b] {
			high += s.flows[s.caught[h]].High
		}
		s.setFlow(f, Range{0, high})
	}
	if f := s.caught[b]; f != none {
		high = 0
		for _, c := range s.covered[b] {
			high += s.flows[s.thrown[c]].High
		}
		s.setFlow(f, Range{0, high})
	}
}

func (s *solver) setNode(b cfg.BlockID, r Range) {
	if s.nodes[b].narrow(r) {
		s.wake(b)
		for _, f := range s.in[b] {
			s.wake(s.ends[f][0])
		}
		for _, f := range s.out[b] {
			s.wake(s.ends[f][1])
		}
		s.wake(s.bound[b])
		for _, d := range s.bounds[b] {
			s.wake(d)
		}
	}
}

func (s *solver) setFlow(f int32, r Range) {
	if s.flows[f].narrow(r) {
		from, to := s.ends[f][0], s.ends[f][1]
		s.wake(from)
		s.wake(to)
		switch {
		case from == cfg.NoBlock:
			for _, b := range s.covered[to] {
				s.wake(b)
			}
		case to == cfg.NoBlock:
			for _, h := range s.handled[from] {
				s.wake(h)
			}
		}
	}
}

// noise is how much of a bound may be rounding.
const noise = 1e-9

// narrow intersects two ranges and reports whether r has changed. Where they have nothing in common r becomes the
// bound that is nearest to the other: what is known first holds.
func (r *Range) narrow(by Range) bool {
	old := *r
	r.Low = min(max(r.Low, by.Low), old.High)
	r.High = max(min(r.High, by.High), old.Low)
	if r.Low > r.High { // only by rounding
		r.Low = r.High
	}
	changed := r.Low > old.Low+noise*(1+old.Low) || r.High < old.High-noise*(1+r.High)
	if !changed {
		*r = old
	}
	return changed
}
