package calltree

import (
	"cmp"
	"slices"

	"mallard/internal/abi"
)

// leastSpan is how many bytes are worth a span.
const leastSpan = 256

// A hole is memory of a chunk that is zero, but for nodes that were made in it since, from its beginning on.
type hole struct{ first, end uint64 }

// freeOf gives where a thread had no nodes yet, whose memory has been reclaimed: the rest of the hole or chunk that it
// takes nodes from, and the holes that it comes to after that. Those are listed as they are in memory, so none is in
// front of the first that is left. A thread that is just about to go on elsewhere has said so of the end, not yet of
// the beginning.
func (a *Arena) freeOf(holes []hole, t *Thread) (free []hole) {
	now := hole{t.Chunk + abi.ChunkHeaderBytes, t.End}
	isKnown := t.End != 0 && t.End == a.chunkEnd(t.Chunk)
	for _, h := range holes {
		switch {
		case h.end == t.End:
			now, isKnown = h, true
		case t.Spans != 0 && h.first >= t.Spans:
			free = append(free, h)
		}
	}
	if !isKnown {
		return free
	}
	if now.first < t.Free && t.Free < now.end {
		now.first = t.Free
	}
	free = append(free, now)
	slices.SortFunc(free, func(a, b hole) int { return cmp.Compare(a.first, b.first) })
	return free
}

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
