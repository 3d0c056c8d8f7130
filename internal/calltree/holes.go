package calltree

import "slices"

// leastSpan is how many bytes are worth a span.
const leastSpan = 256

// A hole is memory of a chunk that is zero, but for nodes that were made in it since, from its beginning on.
type hole struct{ first, end uint64 }

// holeEnd gives the end of the hole that a place is in; 0 where it is in none.
func holeEnd(holes []hole, at uint64) uint64 {
	i, _ := slices.BinarySearchFunc(holes, at, func(h hole, at uint64) int {
		if h.end <= at {
			return -1
		}
		return 1
	})
	if i == len(holes) || holes[i].first > at {
		return 0
	}
	return holes[i].end
}
