package placement

import (
	"cmp"
	"slices"
)

// climbSteps bounds the work of climbing, for all parts of a method together, in
// arcs looked at. It is some milliseconds.
const climbSteps = 1 << 18

// climb improves potentials until no move of its kind helps, or the work is done.
//
// The move: take a spanning tree of tight arcs and remove one of its arcs. All
// nodes below it may be shifted together. Every arc between below and above asks for
// one shift; those that are tight ask for none. The shift that the heaviest sum of
// arcs asks for is the best one.
//
// It subtracts what it looks at from steps and stops when none are left.
func climb(n *network, potential []uint64, steps *int) {
	c := &climber{net: n, potential: potential}
	for *steps > 0 {
		c.grow()
		improved := false
		for i := len(c.order) - 1; i > 0 && *steps > 0; i-- {
			*steps -= len(n.arcs)
			if c.shift(c.order[i]) {
				improved = true
				break
			}
		}
		if !improved {
			return
		}
	}
}

type climber struct {
	net       *network
	potential []uint64
	at        [][]int32
	order     []int32 // nodes in preorder of the tree
	first     []int32 // place of a node in order
	last      []int32 // place of the last node below it
	wish      []wish
}

type wish struct {
	shift  uint64
	weight float64
}

// grow makes the spanning tree of tight arcs; nodes that tight arcs do not
// reach hang from ground by themselves.
func (c *climber) grow() {
	n := c.net
	if c.at == nil {
		c.at = make([][]int32, n.nodes)
		for i := range n.arcs {
			c.at[n.arcs[i].from] = append(c.at[n.arcs[i].from], int32(i))
			c.at[n.arcs[i].to] = append(c.at[n.arcs[i].to], int32(i))
		}
		c.first, c.last = make([]int32, n.nodes), make([]int32, n.nodes)
	}
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

func (c *climber) visit(v int32) {
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
func (c *climber) shift(v int32) bool {
	below := func(u int32) bool { return c.first[v] <= c.first[u] && c.first[u] <= c.last[v] }
	c.wish = c.wish[:0]
	for i := range c.net.arcs {
		a := &c.net.arcs[i]
		from, to := below(a.from), below(a.to)
		if from == to {
			continue
		}
		d := c.potential[a.from] + a.gain - c.potential[a.to]
		if from {
			d = -d
		}
		c.wish = append(c.wish, wish{d, a.weight})
	}
	slices.SortFunc(c.wish, func(a, b wish) int {
		return cmp.Or(cmp.Compare(a.shift, b.shift), cmp.Compare(a.weight, b.weight))
	})
	var none, best wish
	for i := 0; i < len(c.wish); {
		sum := wish{shift: c.wish[i].shift}
		for ; i < len(c.wish) && c.wish[i].shift == sum.shift; i++ {
			sum.weight += c.wish[i].weight
		}
		if sum.shift == 0 {
			none = sum
		} else if sum.weight > best.weight {
			best = sum
		}
	}
	if atLeast(none.weight, best.weight) {
		return false
	}
	for _, u := range c.order[c.first[v] : c.last[v]+1] {
		c.potential[u] += best.shift
	}
	return true
}
