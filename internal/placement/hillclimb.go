package placement

import (
	"cmp"
	"slices"
)

// hillClimbSteps bounds the work of hill climbing, for all parts of a method together, in
// arcs looked at. It is some milliseconds.
const hillClimbSteps = 1 << 18

// phiRange is a run of instructions that execute with the potential of a node less
// an offset.
type phiRange struct {
	offset uint64
	weight float64 // instructions executed per invocation
}

// hillClimber improves potentials by moves of one kind. Take a spanning tree of tight
// arcs and remove one of its arcs: all nodes below it may be shifted together. Every
// arc between them and the others asks for one shift, tight ones for none; a shift
// gains the weight of the arcs that ask for it and loses that of the tight ones.
type hillClimber struct {
	net       *network
	potential []uint64
	phiRanges [][]phiRange // see minimizePhi; nil to look at costs alone

	at    [][]int32 // arcs at each node
	order []int32   // nodes in preorder of the tree
	first []int32   // position of a node in order
	last  []int32   // position of the last node below it
	gains []shiftGain
}

// shiftGain is the shift that an arc, or several, ask for.
type shiftGain struct {
	shift  uint64
	weight float64
	arcs   int
}

// hillClimb lowers the cost of potentials until no move helps. It subtracts the arcs it
// looks at from steps, and stops when none are left.
func hillClimb(n *network, potential []uint64, steps *int) {
	c := &hillClimber{net: n, potential: potential}
	c.run(steps)
}

func (c *hillClimber) run(steps *int) {
	c.link()
	for improved := true; improved && *steps > 0; {
		improved = false
		c.grow()
		// The sets below stay what they are while others are shifted, though they
		// need not hang together any more.
		for i := len(c.order) - 1; i > 0 && *steps > 0; i-- {
			if c.shift(c.order[i], steps) {
				improved = true
			}
		}
	}
}

func (c *hillClimber) link() {
	n := c.net
	degree := make([]int32, n.nodes)
	for i := range n.arcs {
		degree[n.arcs[i].from]++
		degree[n.arcs[i].to]++
	}
	lists := make([]int32, 2*len(n.arcs))
	c.at = make([][]int32, n.nodes)
	for v, d := range degree {
		c.at[v], lists = lists[:0:d], lists[d:]
	}
	for i := range n.arcs {
		a := &n.arcs[i]
		c.at[a.from] = append(c.at[a.from], int32(i))
		c.at[a.to] = append(c.at[a.to], int32(i))
	}
	positions := make([]int32, 3*n.nodes)
	c.first, c.last, c.order = positions[:n.nodes], positions[n.nodes:2*n.nodes], positions[2*n.nodes:]
}

// grow makes the spanning tree of tight arcs. Nodes that tight arcs do not connect
// to ground have trees of their own.
func (c *hillClimber) grow() {
	c.order = c.order[:0]
	for v := range c.first {
		c.first[v] = -1
	}
	for v := range c.first {
		if c.first[v] < 0 {
			c.visit(int32(v))
		}
	}
}

// visit adds v and what hangs from it to the tree. It recurses as deep as the
// network has nodes, which is bounded by the length of a method.
func (c *hillClimber) visit(v int32) {
	c.first[v] = int32(len(c.order))
	c.order = append(c.order, v)
	for _, i := range c.at[v] {
		a := &c.net.arcs[i]
		if c.potential[a.to] != c.potential[a.from]+a.gain {
			continue
		}
		if u := a.from + a.to - v; c.first[u] < 0 {
			c.visit(u)
		}
	}
	c.last[v] = int32(len(c.order) - 1)
}

// shift moves v and all below it if that helps, and reports whether it did.
func (c *hillClimber) shift(v int32, steps *int) bool {
	below := c.order[c.first[v] : c.last[v]+1]
	c.collect(v, below)
	*steps -= len(below) + len(c.gains)
	none := shiftGain{}
	for _, w := range c.gains {
		if w.shift == 0 {
			none = w
		}
	}
	var best shiftGain
	var bestGain gain
	for _, w := range c.gains {
		if w.shift == 0 || !atLeast(w.weight, none.weight) {
			continue
		}
		g := gain{arcs: w.arcs - none.arcs}
		if !atLeast(none.weight, w.weight) {
			g.weight = w.weight - none.weight
		}
		if c.phiRanges != nil {
			*steps -= len(below)
			g.nonzero = c.nonzero(below, 0) - c.nonzero(below, w.shift)
		}
		if g.better(bestGain) {
			best, bestGain = w, g
		}
	}
	if best.shift == 0 || c.phiRanges == nil && bestGain.weight == 0 {
		return false
	}
	for _, u := range below {
		c.potential[u] += best.shift
	}
	return true
}

// gain is what a shift is good for, the most important first: expected increments,
// instructions executed while φ is not zero, positions of code.
type gain struct {
	weight, nonzero float64
	arcs            int
}

func (g gain) better(than gain) bool {
	const noise = 1e-9
	switch {
	case g.weight != than.weight:
		return g.weight > than.weight
	case g.nonzero > than.nonzero+noise || g.nonzero < than.nonzero-noise:
		return g.nonzero > than.nonzero
	}
	return g.arcs > than.arcs
}

// collect sums up what the arcs between the nodes below v and the others ask for.
func (c *hillClimber) collect(v int32, below []int32) {
	inside := func(u int32) bool { return c.first[v] <= c.first[u] && c.first[u] <= c.last[v] }
	c.gains = c.gains[:0]
	for _, u := range below {
		for _, i := range c.at[u] {
			a := &c.net.arcs[i]
			if inside(a.from + a.to - u) {
				continue
			}
			d := c.potential[a.from] + a.gain - c.potential[a.to]
			if a.from == u {
				d = -d
			}
			c.gains = append(c.gains, shiftGain{d, a.weight, 1})
		}
	}
	slices.SortFunc(c.gains, func(a, b shiftGain) int {
		return cmp.Or(cmp.Compare(a.shift, b.shift), cmp.Compare(a.weight, b.weight))
	})
	sums := c.gains[:0]
	for _, w := range c.gains {
		if last := len(sums) - 1; last >= 0 && sums[last].shift == w.shift {
			sums[last].weight += w.weight
			sums[last].arcs++
			continue
		}
		sums = append(sums, w)
	}
	c.gains = sums
}

// nonzero sums the instructions executed while φ is not zero at the nodes, were
// they shifted.
func (c *hillClimber) nonzero(nodes []int32, shift uint64) float64 {
	sum := 0.0
	for _, v := range nodes {
		for _, s := range c.phiRanges[v] {
			if c.potential[v]+shift != s.offset {
				sum += s.weight
			}
		}
	}
	return sum
}
