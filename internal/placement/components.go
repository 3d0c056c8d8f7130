package placement

// components cuts a network at its articulation nodes into parts whose costs do
// not depend on each other, solves each with solve, and puts the potentials
// together. Each part is handed over with the node it hangs from as its ground.
// All nodes are covered; those not connected to ground have parts of their own.
//
// The cut is Hopcroft and Tarjan's: a depth-first search keeps the arcs seen so far
// on a stack, and takes a part off whenever it leaves a child from which no arc
// leads above its parent.
func components(n *network, solve func(part *network) []uint64) []uint64 {
	c := &componentFinder{net: n, at: make([][]int32, n.nodes), number: make([]int32, n.nodes),
		low: make([]int32, n.nodes)}
	for i := range n.arcs {
		a := &n.arcs[i]
		c.at[a.from] = append(c.at[a.from], int32(i))
		c.at[a.to] = append(c.at[a.to], int32(i))
	}
	for v := range c.at {
		if c.number[v] == 0 {
			c.visit(int32(v), -1)
		}
	}
	potential := make([]uint64, n.nodes)
	name := make([]int32, n.nodes) // of a node in the part at hand
	// A part comes off the stack before the part that its root belongs to.
	for i := len(c.parts) - 1; i >= 0; i-- {
		p := c.parts[i]
		part := &network{nodes: 1, arcs: make([]arc, 0, len(p.arcs))}
		nodes := []int32{p.root}
		name[p.root] = ground
		local := func(v int32) int32 {
			if v != p.root && name[v] == 0 {
				name[v] = int32(part.nodes)
				nodes = append(nodes, v)
				part.nodes++
			}
			return name[v]
		}
		for _, id := range p.arcs {
			a := n.arcs[id]
			part.arcs = append(part.arcs, arc{local(a.from), local(a.to), a.gain, a.weight})
		}
		for k, x := range solve(part) { // nil: the caller has given up
			potential[nodes[k]] = potential[p.root] + x
		}
		for _, v := range nodes {
			name[v] = 0
		}
	}
	return potential
}

type componentFinder struct {
	net    *network
	at     [][]int32 // arcs at each node
	number []int32   // order of the search, from 1
	low    []int32   // lowest number that arcs below a node lead to
	count  int32
	stack  []int32 // arcs
	parts  []part
}

type part struct {
	root int32
	arcs []int32
}

// visit searches from v, which was reached by arc up. It recurses as deep as the
// network has nodes, which is bounded by the length of a method.
func (c *componentFinder) visit(v, up int32) {
	c.count++
	c.number[v], c.low[v] = c.count, c.count
	for _, i := range c.at[v] {
		a := &c.net.arcs[i]
		u := a.from + a.to - v
		switch {
		case i == up:
		case c.number[u] == 0:
			mark := len(c.stack)
			c.stack = append(c.stack, i)
			c.visit(u, i)
			c.low[v] = min(c.low[v], c.low[u])
			if c.low[u] >= c.number[v] {
				c.parts = append(c.parts, part{v, append([]int32(nil), c.stack[mark:]...)})
				c.stack = c.stack[:mark]
			}
		case c.number[u] < c.number[v]:
			c.stack = append(c.stack, i)
			c.low[v] = min(c.low[v], c.number[u])
		}
	}
}
