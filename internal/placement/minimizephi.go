package placement

import "mallard/internal/cfg"

// middle stands for the instructions between the piggybacked allocations of a block, where
// no potential decides φ.
const middle = int32(-1)

// minimizePhiSteps bounds the work of minimizePhi, in nodes and arcs looked at.
const minimizePhiSteps = 1 << 15

// minimizePhi chooses among potentials of equal cost those with which φ is zero for most of the time:
// it lowers the expected number of instructions executed while φ is not zero, then
// the number of places of code. An exception thrown there needs a correction, and so
// does a frame that is found there; and an allocation counted as soon as it is made
// is right whatever happens next.
func (m *mapping) minimizePhi(n *network, potential []uint64) {
	c := &hillClimber{net: n, potential: potential, phiRanges: m.ranges(n)}
	steps := minimizePhiSteps
	c.run(&steps)
}

// ranges lists what executes at each node: the instructions of a block up to and
// with each allocation, and those behind the last one.
func (m *mapping) ranges(n *network) [][]phiRange {
	g := m.pr.Graph
	ranges := make([][]phiRange, n.nodes)
	for b := range g.Blocks {
		blk := &g.Blocks[b]
		start, end := m.start[b], m.end[b]
		at, offset := blk.First, uint64(0)
		node := start
		last := m.pr.lastPiggybacked(cfg.BlockID(b))
		for i, a := range m.pr.Allocs[b] {
			counted := a.At + 1 // where a counter would be
			if a.Ahead && i == len(m.pr.Allocs[b])-1 && start != end && last < 0 {
				counted = a.At
				ranges[end] = append(ranges[end], phiRange{-a.Sites.fingerprint(), blk.Freq})
			}
			if node != middle {
				ranges[node] = append(ranges[node], phiRange{offset, blk.Freq * float64(counted-at)})
			}
			at = a.At + 1
			offset += a.Sites.fingerprint()
			switch {
			case i == last:
				node, offset = end, 0
				for _, later := range m.pr.Allocs[b][i+1:] {
					offset -= later.Sites.fingerprint()
				}
			case a.Piggybacked:
				node = middle
			}
		}
		if start != end {
			offset = 0
		}
		ranges[end] = append(ranges[end], phiRange{offset, blk.Freq * float64(blk.End-at)})
	}
	return ranges
}
