package placement

import (
	"cmp"

	"mallard/internal/cfg"
)

// shares returns the share count of each edge of path p (section 2.2.1): one, plus
// every path that branches off after the edge's end block, plus every path that
// joins before its start block, where the end block and the start block themselves
// count as after and before. "Every path" is taken with its chain: a path that
// branches off from a path that branches off after the edge shares the edge too.
func (b *pathBuilder) shares() [][]int {
	branching := b.chainSizes(func(p *path) cfg.BlockID { return p.branch })
	joining := b.chainSizes(func(p *path) cfg.BlockID { return p.join })
	counts := make([][]int, len(b.paths))
	for i := range b.paths {
		counts[i] = make([]int, len(b.paths[i].edges))
	}
	// First differences: what a path adds from one edge to the next.
	for i := range b.paths {
		p := &b.paths[i]
		counts[i][0]++
		if p.branch != cfg.NoBlock {
			// Edges with end block at or before the branching block.
			c := counts[b.owner[p.branch]]
			c[0] += branching[i]
			if after := int(b.index[p.branch]) + 1; after < len(c) {
				c[after] -= branching[i]
			}
		}
		if p.join != cfg.NoBlock {
			// Edges with start block at or after the joining block.
			if c, from := counts[b.owner[p.join]], int(b.index[p.join])+1; from < len(c) {
				c[from] += joining[i]
			}
		}
	}
	for _, c := range counts {
		for j := 1; j < len(c); j++ {
			c[j] += c[j-1]
		}
	}
	return counts
}

// chainSizes returns for each path how many paths reach it over their branch or
// join chain, itself included. Chains have no cycles: a path is joined only when
// it is finished, but for loops that join the path they were split off from, and
// that one never joins them.
func (b *pathBuilder) chainSizes(link func(*path) cfg.BlockID) []int {
	size := make([]int, len(b.paths))
	waiting := make([]int, len(b.paths)) // children not added yet
	parent := make([]int32, len(b.paths))
	for i := range b.paths {
		size[i] = 1
		parent[i] = noPath
		if at := link(&b.paths[i]); at != cfg.NoBlock {
			parent[i] = b.owner[at]
			waiting[parent[i]]++
		}
	}
	var ready []int32
	for i := range b.paths {
		if waiting[i] == 0 {
			ready = append(ready, int32(i))
		}
	}
	for len(ready) > 0 {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		p := parent[i]
		if p == noPath {
			continue
		}
		size[p] += size[i]
		if waiting[p]--; waiting[p] == 0 {
			ready = append(ready, p)
		}
	}
	return size
}

// counterEdges picks the edge of each path that its counter goes on: the least
// shared one; of several the least frequent, then the first. noEdge for a path
// without an edge that can have one.
func (b *pathBuilder) counterEdges() []cfg.EdgeID {
	shares := b.shares()
	chosen := make([]cfg.EdgeID, len(b.paths))
	for i := range b.paths {
		best, bestShare := noEdge, 0
		for j, e := range b.paths[i].edges {
			if e == noEdge || !b.g.Edges[e].Kind.Placeable() {
				continue
			}
			if best == noEdge || cmp.Or(cmp.Compare(shares[i][j], bestShare),
				cmp.Compare(b.g.Edges[e].Freq, b.g.Edges[best].Freq)) < 0 {
				best, bestShare = e, shares[i][j]
			}
		}
		chosen[i] = best
	}
	return chosen
}
