package session

import (
	"cmp"
	"slices"

	"mallard/internal/trace"
)

// counterRange is the numbers [first, end).
type counterRange struct{ first, end trace.CounterID }

// counterSpace gives classes their counters' numbers, those of unloaded classes again. All numbers are free at first.
//
// A class counts as soon as the JVM has it, and its definition is recorded a little later. Until then its numbers are open: a value recorded before the
// definition would be taken for one of the class that had the number before.
type counterSpace struct {
	limit uint32          // of numbers there are
	end   trace.CounterID // no number from here on was ever taken
	free  []counterRange  // below end, ascending, no two adjacent
	open  []counterRange  // taken and not defined; few
}

// take gives the first of n numbers in a row, the lowest there are: blocks stay small. It is false where no n numbers are left.
func (s *counterSpace) take(n uint32) (first trace.CounterID, ok bool) {
	if first, ok = s.find(n); ok && n > 0 {
		s.open = append(s.open, counterRange{first, first + trace.CounterID(n)})
	}
	return first, ok
}

func (s *counterSpace) find(n uint32) (first trace.CounterID, ok bool) {
	for i := range s.free {
		f := &s.free[i]
		if uint32(f.end-f.first) < n {
			continue
		}
		first = f.first
		if f.first += trace.CounterID(n); f.first == f.end {
			s.free = slices.Delete(s.free, i, i+1)
		}
		return first, true
	}
	first, last := s.end, len(s.free)-1
	if last >= 0 && s.free[last].end == s.end {
		first = s.free[last].first
	}
	if uint64(first)+uint64(n) > uint64(s.limit) {
		return 0, false
	}
	if first < s.end {
		s.free = s.free[:last]
	}
	s.end = first + trace.CounterID(n)
	return first, true
}

// give takes numbers back.
func (s *counterSpace) give(numbers []counterRange) {
	s.free = joined(append(s.free, numbers...))
	for _, r := range numbers {
		s.define(r)
	}
}

// define says that numbers are open no more.
func (s *counterSpace) define(numbers counterRange) {
	var left []counterRange
	for _, o := range s.open {
		for _, part := range []counterRange{{o.first, min(o.end, numbers.first)}, {max(o.first, numbers.end), o.end}} {
			if part.first < part.end {
				left = append(left, part)
			}
		}
	}
	s.open = left
}

// isOpen reports whether a number is open.
func (s *counterSpace) isOpen(c trace.CounterID) bool {
	for _, o := range s.open {
		if o.first <= c && c < o.end {
			return true
		}
	}
	return false
}

// joined sorts ranges, leaves out the empty ones and makes one of those that touch.
func joined(ranges []counterRange) []counterRange {
	slices.SortFunc(ranges, func(a, b counterRange) int { return cmp.Compare(a.first, b.first) })
	n := 0
	for _, r := range ranges {
		switch {
		case r.first == r.end:
		case n > 0 && ranges[n-1].end == r.first:
			ranges[n-1].end = r.end
		default:
			ranges[n] = r
			n++
		}
	}
	return ranges[:n]
}
