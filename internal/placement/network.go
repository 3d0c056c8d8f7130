package placement

import "mallard/internal/cfg"

// network is a placement problem without everything that does not matter to its
// cost: nodes have potentials, one of them, ground, has potential 0; an arc is
// tight when the potential of to is that of from plus gain, and otherwise costs its
// weight. Potentials and gains are fingerprints of vectors.
type network struct {
	nodes int
	arcs  []arc
}

type arc struct {
	from, to int32
	gain     uint64
	weight   float64
}

// ground is the node of all forced zeros.
const ground = int32(0)

// cost is the weight of the arcs that are not tight.
func (n *network) cost(potential []uint64) float64 {
	sum := 0.0
	for i := range n.arcs {
		a := &n.arcs[i]
		if potential[a.to] != potential[a.from]+a.gain {
			sum += a.weight
		}
	}
	return sum
}

// mapping says where in the network the blocks of a problem are.
type mapping struct {
	pr        *Problem
	start     []int32  // node of the start of each block
	end       []int32  // node of the end; the start's but where a counter inside may pay
	allocated []uint64 // fingerprint of what each block allocates
}

// newNetwork translates a problem. Every edge is an arc. A block that allocates is
// an arc too, from its start to its end, which stands for one counter behind its
// last allocation; unless that costs more than counters on all edges out of the block.
// On a piggybacked allocation that counter costs nothing.
func newNetwork(pr *Problem) (*network, *mapping) {
	g := pr.Graph
	ids := make([]int32, 2*len(g.Blocks))
	m := &mapping{pr: pr, start: ids[:len(g.Blocks)], end: ids[len(g.Blocks):],
		allocated: make([]uint64, len(g.Blocks))}
	n := &network{nodes: 1, arcs: make([]arc, 0, len(g.Edges))}
	for b := range g.Blocks {
		blk := &g.Blocks[b]
		if !blk.Zero {
			m.start[b] = int32(n.nodes)
			n.nodes++
		}
		m.end[b] = m.start[b]
		m.allocated[b] = pr.allocated(cfg.BlockID(b)).fingerprint()
		if len(pr.Allocs[b]) == 0 {
			continue
		}
		if pr.lastPiggybacked(cfg.BlockID(b)) >= 0 {
			m.end[b] = int32(n.nodes)
			n.nodes++
			n.arcs = append(n.arcs, arc{m.start[b], m.end[b], -m.allocated[b], 0})
			continue
		}
		out := 0.0
		for _, e := range blk.Out {
			out += g.Edges[e].Freq
		}
		if atLeast(out, blk.Freq) {
			m.end[b] = int32(n.nodes)
			n.nodes++
			n.arcs = append(n.arcs, arc{m.start[b], m.end[b], -m.allocated[b], blk.Freq})
		}
	}
	for e := range g.Edges {
		edge := &g.Edges[e]
		gain := uint64(0)
		if m.end[edge.From] == m.start[edge.From] {
			gain = -m.allocated[edge.From]
		}
		n.arcs = append(n.arcs, arc{m.end[edge.From], m.start[edge.To], gain, edge.Freq})
	}
	return n, m
}

// atLeast reports whether weight a is b or more, rounding errors aside: flow that
// is conserved must not look otherwise because of the order of additions.
func atLeast(a, b float64) bool { return a >= b-1e-9*b }

// plan translates potentials back into a plan.
func (m *mapping) plan(potential []uint64) *Plan {
	g := m.pr.Graph
	starts, ends := spread(m.pr, nil,
		func(e cfg.EdgeID) bool {
			return potential[m.start[g.Edges[e].To]] == m.potentialAtEnd(potential, g.Edges[e].From)
		},
		func(b cfg.BlockID) bool {
			return m.potentialAtEnd(potential, b) == potential[m.start[b]]-m.allocated[b]
		})
	var inside []Counter
	for id, allocs := range m.pr.Allocs {
		b := cfg.BlockID(id)
		if m.start[b] == m.end[b] {
			continue
		}
		if m.pr.lastPiggybacked(b) >= 0 {
			inside = m.pr.appendPiggybacked(inside, b, starts[b], ends[b])
		} else if paid := ends[b].Sub(starts[b].Sub(m.pr.allocated(b))); !paid.IsZero() {
			inside = append(inside, Counter{Semantics: paid, After: allocs[len(allocs)-1].At,
				Ahead: allocs[len(allocs)-1].Ahead, Freq: g.Blocks[b].Freq})
		}
	}
	return assemble(m.pr, Optimal, starts, inside)
}

func (m *mapping) potentialAtEnd(potential []uint64, b cfg.BlockID) uint64 {
	if m.start[b] == m.end[b] {
		return potential[m.start[b]] - m.allocated[b]
	}
	return potential[m.end[b]]
}
