package placement

import "mallard/internal/cfg"

// piggybacked reports whether c is where a piggybacked allocation is.
func (pr *Problem) piggybacked(c *Counter) bool {
	if len(c.Edges) > 0 || c.After < 0 {
		return false
	}
	b := pr.Graph.BlockAt(c.After)
	if b >= pr.Graph.Exit() {
		return false
	}
	for _, a := range pr.Allocs[b] {
		if a.At == c.After {
			return a.Piggybacked
		}
	}
	return false
}

// lastPiggybacked gives the index of a block's last piggybacked allocation, -1 for none.
func (pr *Problem) lastPiggybacked(b cfg.BlockID) int {
	for i := len(pr.Allocs[b]) - 1; i >= 0; i-- {
		if pr.Allocs[b][i].Piggybacked {
			return i
		}
	}
	return -1
}

// appendPiggybacked appends the counters on the piggybacked allocations of block b that lead from φ start to φ end.
// The last one does; the others count what has been allocated before them.
func (pr *Problem) appendPiggybacked(dst []Counter, b cfg.BlockID, start, end Vector) []Counter {
	allocs := pr.Allocs[b]
	last := pr.lastPiggybacked(b)
	var counted Vector
	for i, a := range allocs[:last+1] {
		if !a.Piggybacked {
			continue
		}
		allocated := pr.allocatedBefore(b, a.At+1)
		var want Vector
		if i == last {
			want = end.Add(pr.allocated(b)).Sub(allocated)
		}
		if adds := want.Sub(start.Add(counted).Sub(allocated)); !adds.IsZero() {
			dst = append(dst, Counter{Semantics: adds, After: a.At, Piggybacked: true, Freq: pr.Graph.Blocks[b].Freq})
			counted = counted.Add(adds)
		}
	}
	return dst
}
