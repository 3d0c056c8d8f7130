package placement

import "mallard/internal/cfg"

// prepaid reports whether c is where a prepaid allocation is.
func (pr *Problem) prepaid(c *Counter) bool {
	if len(c.Edges) > 0 || c.After < 0 {
		return false
	}
	b := pr.Graph.BlockAt(c.After)
	if b >= pr.Graph.Exit() {
		return false
	}
	for _, a := range pr.Allocs[b] {
		if a.At == c.After {
			return a.Prepaid
		}
	}
	return false
}

// lastPrepaid gives the index of a block's last prepaid allocation, -1 for none.
func (pr *Problem) lastPrepaid(b cfg.BlockID) int {
	for i := len(pr.Allocs[b]) - 1; i >= 0; i-- {
		if pr.Allocs[b][i].Prepaid {
			return i
		}
	}
	return -1
}

// appendPrepaid appends the counters on the prepaid allocations of block b that lead from φ start to φ end. The last one does; the others settle
// what has been allocated before them.
func (pr *Problem) appendPrepaid(dst []Counter, b cfg.BlockID, start, end Vector) []Counter {
	allocs := pr.Allocs[b]
	last := pr.lastPrepaid(b)
	var counted Vector
	for i, a := range allocs[:last+1] {
		if !a.Prepaid {
			continue
		}
		allocated := pr.allocatedBefore(b, a.At+1)
		var want Vector
		if i == last {
			want = end.Add(pr.allocated(b)).Sub(allocated)
		}
		if adds := want.Sub(start.Add(counted).Sub(allocated)); !adds.IsZero() {
			dst = append(dst, Counter{Semantics: adds, After: a.At, Prepaid: true, Freq: pr.Graph.Blocks[b].Freq})
			counted = counted.Add(adds)
		}
	}
	return dst
}
