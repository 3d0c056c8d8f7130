package placement

import "mallard/internal/cfg"

// middle stands for the instructions between the piggybacked allocations of a block, where
// no potential decides φ.
const middle = int32(-1)

// settleSteps bounds the work of settle, in nodes and arcs looked at.
const settleSteps = 1 << 15

// stretch is a run of instructions that execute with the potential of a node less
// an offset.
type stretch struct {
	offset uint64
	weight float64 // instructions executed per invocation
}

// settle chooses among potentials of equal cost those with which φ is zero for most of the time:
// it lowers the expected number of instructions executed while φ is not zero, then
// the number of places of code. An exception thrown there needs a correction, and so
// does a frame that is found there; and an allocation counted as soon as it is made
// is right whatever happens next.
func (m *mapping) settle(n *network, potential []uint64) {
	c := &climber{net: n, potential: potential, stretches: m.stretches(n)}
	steps := settleSteps
	c.run(&steps)
}

// stretches lists what executes at each node: the instructions of a block up to and
// with each allocation, and those behind the last one.
func (m *mapping) stretches(n *network) [][]stretch {
	g := m.pr.Graph
	stretches := make([][]stretch, n.nodes)
	for b := range g.Blocks {
		blk := &g.Blocks[b]
		start, end := m.start[b], m.end[b]
		at, offset := blk.First, uint64(0)
		node := start
		last := m.pr.lastPiggybacked(cfg.BlockID(b))
		for i, a := range m.pr.Allocs[b] {
			if node != middle {
				stretches[node] = append(stretches[node], stretch{offset, blk.Freq * float64(a.At+1-at)})
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
		stretches[end] = append(stretches[end], stretch{offset, blk.Freq * float64(blk.End-at)})
	}
	return stretches
}

// nonzero sums the instructions executed while φ is not zero at the nodes, were
// they shifted.
func (c *climber) nonzero(nodes []int32, shift uint64) float64 {
	sum := 0.0
	for _, v := range nodes {
		for _, s := range c.stretches[v] {
			if c.potential[v]+shift != s.offset {
				sum += s.weight
			}
		}
	}
	return sum
}
