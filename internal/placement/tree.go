package placement

import (
	"cmp"
	"slices"
)

// spanningTree returns the potentials that make a maximum-weight spanning tree
// tight (Kruskal). A node that is not connected to ground has the potential of the
// node that stands for what it is connected to.
func spanningTree(n *network) []uint64 {
	order := make([]int32, len(n.arcs))
	for i := range order {
		order[i] = int32(i)
	}
	// Stable: equal weights stay in the order of the code.
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(n.arcs[j].weight, n.arcs[i].weight) })
	t := &unionFind{parent: make([]int32, n.nodes), offset: make([]uint64, n.nodes)}
	for v := range t.parent {
		t.parent[v] = int32(v)
	}
	for _, i := range order {
		t.join(n.arcs[i])
	}
	potential := make([]uint64, n.nodes)
	_, base := t.find(ground)
	for v := range potential {
		_, offset := t.find(int32(v))
		potential[v] = offset - base
	}
	return potential
}

// unionFind is a union-find structure whose members know their potential relative to
// the representative.
type unionFind struct {
	parent []int32
	offset []uint64 // potential less that of the parent
}

// find returns the representative of v, and v's potential less that one's.
func (t *unionFind) find(v int32) (root int32, offset uint64) {
	p := t.parent[v]
	if p == v {
		return v, 0
	}
	root, above := t.find(p)
	t.parent[v] = root
	t.offset[v] += above
	return root, t.offset[v]
}

// join makes a tight if its ends are not connected yet.
func (t *unionFind) join(a arc) {
	u, ofFrom := t.find(a.from)
	v, ofTo := t.find(a.to)
	if u != v {
		t.parent[v] = u
		t.offset[v] = ofFrom + a.gain - ofTo
	}
}
