package placement

import (
	"cmp"
	"slices"
)

// reduction shrinks a network to a kernel with the same least cost.
//
// The rule: if one arc at a node weighs at least as much as all other arcs there
// that could be tight together, some best solution has it tight, since moving the
// node's potential alone to make it so costs no more than it gains. The node is then
// merged with its neighbour. Parallel arcs of one gain count as one arc, and of
// parallel arcs of different gains only the heaviest can be tight beside others.
//
// Where what flows into a block flows out of it, this removes every block with only
// one way in or only one way out; most methods are reduced to ground alone.
type reduction struct {
	net    *network
	arcs   []arc     // of the network, with ends moved to the nodes they were merged into
	at     [][]int32 // arcs at each node that is left; of ground none are listed
	parent []int32   // the node a node was merged into, itself if it is left
	offset []uint64  // potential less that of the parent
	dead   []bool    // arcs that became loops or were added to parallel ones
	lost   float64   // weight of the loops that are not tight
	work   []int32
	queued []bool
	bundle []bundle // scratch
}

// bundle is what the rule looks at: the parallel arcs between a node and one
// neighbour that ask the same of the node's potential.
type bundle struct {
	other  int32
	gain   uint64 // potential of the node less that of other
	weight float64
	arc    int32
}

// reduce applies the rule until it applies nowhere.
func reduce(n *network) *reduction {
	r := &reduction{
		net:    n,
		arcs:   slices.Clone(n.arcs),
		at:     make([][]int32, n.nodes),
		parent: make([]int32, n.nodes),
		offset: make([]uint64, n.nodes),
		dead:   make([]bool, len(n.arcs)),
		queued: make([]bool, n.nodes),
	}
	degree := make([]int32, n.nodes)
	for i := range r.arcs {
		degree[r.arcs[i].from]++
		degree[r.arcs[i].to]++
	}
	lists := make([]int32, 2*len(r.arcs))
	for v, d := range degree {
		r.parent[v] = int32(v)
		r.at[v], lists = lists[:0:d], lists[d:]
	}
	for i := range r.arcs {
		a := &r.arcs[i]
		if a.from == a.to {
			r.dead[i] = true
			r.loop(a)
			continue
		}
		r.at[a.from] = append(r.at[a.from], int32(i))
		r.at[a.to] = append(r.at[a.to], int32(i))
	}
	r.at[ground] = nil
	for v := 1; v < n.nodes; v++ {
		r.push(int32(v))
	}
	// First in, first out: a node with many neighbours is looked at again when all
	// of them have had their turn, not after each.
	for at := 0; at < len(r.work); at++ {
		v := r.work[at]
		r.queued[v] = false
		if r.parent[v] == v {
			r.try(v)
		}
	}
	return r
}

func (r *reduction) push(v int32) {
	if v != ground && !r.queued[v] {
		r.queued[v] = true
		r.work = append(r.work, v)
	}
}

// try applies the rule at node v.
func (r *reduction) try(v int32) {
	r.collect(v)
	if len(r.bundle) == 0 {
		return
	}
	best := 0
	for i, b := range r.bundle {
		if b.weight > r.bundle[best].weight {
			best = i
		}
	}
	rest := 0.0 // the most that can be tight without the best
	for i := 0; i < len(r.bundle); {
		heaviest := 0.0
		other := r.bundle[i].other
		for ; i < len(r.bundle) && r.bundle[i].other == other; i++ {
			if i != best {
				heaviest = max(heaviest, r.bundle[i].weight)
			}
		}
		rest += heaviest
	}
	if b := r.bundle[best]; atLeast(b.weight, rest) {
		r.merge(v, b.other, b.gain)
	}
}

// collect bundles the arcs at v, ordered by neighbour, and adds up parallel ones.
func (r *reduction) collect(v int32) {
	r.bundle = r.bundle[:0]
	list := r.at[v][:0]
	for _, i := range r.at[v] {
		if r.dead[i] {
			continue
		}
		list = append(list, i)
		a := &r.arcs[i]
		b := bundle{a.from, a.gain, a.weight, i}
		if a.from == v {
			b.other, b.gain = a.to, -a.gain
		}
		r.bundle = append(r.bundle, b)
	}
	if len(r.bundle) > 1 {
		slices.SortFunc(r.bundle, func(a, b bundle) int {
			return cmp.Or(cmp.Compare(a.other, b.other), cmp.Compare(a.gain, b.gain), cmp.Compare(a.arc, b.arc))
		})
		kept := r.bundle[:1]
		for _, b := range r.bundle[1:] {
			if last := &kept[len(kept)-1]; last.other == b.other && last.gain == b.gain {
				last.weight += b.weight
				r.arcs[last.arc].weight = last.weight
				r.dead[b.arc] = true
				continue
			}
			kept = append(kept, b)
		}
		if len(kept) < len(r.bundle) {
			list = slices.DeleteFunc(list, func(i int32) bool { return r.dead[i] })
		}
		r.bundle = kept
	}
	r.at[v] = list
}

// merge makes the potential of v that of u plus gain, for good. The node with fewer
// arcs disappears; ground never does.
func (r *reduction) merge(v, u int32, gain uint64) {
	if u != ground && len(r.at[u]) < len(r.at[v]) {
		v, u, gain = u, v, -gain
	}
	r.parent[v] = u
	r.offset[v] = gain
	for _, i := range r.at[v] {
		if r.dead[i] {
			continue
		}
		a := &r.arcs[i]
		other := a.from
		if a.from == v {
			other = a.to
			a.from = u
			a.gain += gain
		} else {
			a.to = u
			a.gain -= gain
		}
		if other == u {
			r.dead[i] = true
			r.loop(a)
			continue
		}
		r.push(other)
		if u != ground {
			r.at[u] = append(r.at[u], i)
		}
	}
	r.at[v] = nil
	r.push(u)
}

// loop accounts for an arc with both ends at one node.
func (r *reduction) loop(a *arc) {
	if a.gain != 0 {
		r.lost += a.weight
	}
}

// kernel returns the nodes and arcs that are left, renumbered; ground is node 0
// again. nodes[k] is the network's name of kernel node k.
func (r *reduction) kernel() (k *network, nodes []int32) {
	name := make([]int32, r.net.nodes)
	nodes = append(nodes, ground)
	for v := 1; v < r.net.nodes; v++ {
		if r.parent[v] == int32(v) {
			name[v] = int32(len(nodes))
			nodes = append(nodes, int32(v))
		}
	}
	k = &network{nodes: len(nodes)}
	if len(nodes) == 1 {
		return k, nodes
	}
	for i, a := range r.arcs {
		if !r.dead[i] && a.from != a.to {
			k.arcs = append(k.arcs, arc{name[a.from], name[a.to], a.gain, a.weight})
		}
	}
	return k, nodes
}

// expand turns potentials of the kernel into potentials of the network.
func (r *reduction) expand(potential []uint64, nodes []int32) []uint64 {
	full := make([]uint64, r.net.nodes)
	known := make([]bool, r.net.nodes)
	for k, v := range nodes {
		full[v] = potential[k]
		known[v] = true
	}
	var chain []int32
	for v := range full {
		chain = chain[:0]
		u := int32(v)
		for ; !known[u]; u = r.parent[u] {
			chain = append(chain, u)
		}
		for i := len(chain) - 1; i >= 0; i-- {
			c := chain[i]
			full[c] = full[r.parent[c]] + r.offset[c]
			known[c] = true
		}
	}
	return full
}
