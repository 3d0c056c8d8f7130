package counters

import (
	"cmp"
	"slices"

	"mallard/internal/trace"
)

// Range is the numbers [First, End).
type Range struct{ First, End trace.CounterID }

// Len is how many numbers there are.
func (r Range) Len() uint32 { return uint32(r.End - r.First) }

// Joined sorts ranges, leaves out the empty ones and makes one of those that touch.
func Joined(ranges []Range) []Range {
	slices.SortFunc(ranges, func(a, b Range) int { return cmp.Compare(a.First, b.First) })
	n := 0
	for _, r := range ranges {
		switch {
		case r.First == r.End:
		case n > 0 && ranges[n-1].End == r.First:
			ranges[n-1].End = r.End
		default:
			ranges[n] = r
			n++
		}
	}
	return ranges[:n]
}

// divide gives those numbers of a range that are in a list, which is ascending, and the others.
func divide(r Range, list []uint32) (in, others []Range) {
	i, _ := slices.BinarySearch(list, uint32(r.First))
	for ; i < len(list) && list[i] < uint32(r.End); i++ {
		at := trace.CounterID(list[i])
		if at < r.First { // it is there twice
			continue
		}
		in = append(in, Range{at, at + 1})
		others = append(others, Range{r.First, at})
		r.First = at + 1
	}
	return in, append(others, r)
}

func length(numbers []Range) (n uint32) {
	for _, r := range numbers {
		n += r.Len()
	}
	return n
}
