package session

import (
	"cmp"
	"slices"

	"mallard/internal/trace"
)

// counterRange is the numbers [first, end).
type counterRange struct{ first, end trace.CounterID }

// counterSpace gives classes their counters' numbers, those of unloaded classes again. All numbers are free at first.
type counterSpace struct {
	limit uint32          // of numbers there are
	end   trace.CounterID // no number from here on was ever taken
	free  []counterRange  // below end, ascending, no two adjacent
}

// take gives the first of n numbers in a row, the lowest there are: pages stay small. It is false where no n numbers are left.
func (s *counterSpace) take(n uint32) (first trace.CounterID, ok bool) {
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
	if uint64(s.end)+uint64(n) > uint64(s.limit) {
		return 0, false
	}
	first = s.end
	s.end += trace.CounterID(n)
	return first, true
}

// give takes numbers back.
func (s *counterSpace) give(numbers []counterRange) { s.free = joined(append(s.free, numbers...)) }

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
