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
	phi := start
	for i, a := range allocs[:last+1] {
		phi = phi.Sub(a.Sites)
		if !a.Prepaid {
			continue
		}
		var want Vector
		if i == last {
			want = end
			for _, later := range allocs[i+1:] {
				want = want.Add(later.Sites)
			}
		}
		if adds := want.Sub(phi); !adds.IsZero() {
			dst = append(dst, Counter{Semantics: adds, After: a.At, Prepaid: true, Freq: pr.Graph.Blocks[b].Freq})
		}
		phi = want
	}
	return dst
}
