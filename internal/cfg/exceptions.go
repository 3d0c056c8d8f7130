package cfg

import "slices"

// coveredBy lists, for every block, the handlers to which an exception that one
// of its instructions throws may go, ascending.
//
// Entries are taken as overlapping intervals of throwing instructions, handler
// by handler, so that tables with many entries for one handler cost no more than
// their edges.
func (b *builder) coveredBy() ([][]BlockID, error) {
	covers := make([][]BlockID, len(b.blocks))
	if len(b.code.Handlers) == 0 {
		return covers, nil
	}
	// next[i] is the first throwing instruction at or after i.
	n := len(b.code.Insns)
	next := make([]int32, n+1)
	next[n] = int32(n)
	for i := n - 1; i >= 0; i-- {
		next[i] = next[i+1]
		if b.code.Insns[i].CanThrow(b.pool) {
			next[i] = int32(i)
		}
	}
	edges, steps := 0, 0
	for _, h := range b.code.Handlers {
		target := b.blockOf[h.Target]
		for i := int(next[h.Start]); i < int(h.End); {
			from := b.blockOf[i]
			if list := covers[from]; !slices.Contains(list, target) {
				covers[from] = append(list, target)
				edges++
			}
			if steps++; edges > MaxExceptionEdges || steps > 4*MaxExceptionEdges {
				return nil, ErrTooLarge
			}
			i = int(next[b.blocks[from].End])
		}
	}
	for _, list := range covers {
		slices.Sort(list)
	}
	return covers, nil
}
