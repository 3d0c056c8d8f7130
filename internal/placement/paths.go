package placement

import (
	"cmp"
	"slices"

	"mallard/internal/cfg"
)

const (
	noPath = int32(-1)
	noEdge = cfg.EdgeID(-1)
)

// path is a sequence of connected blocks in the sense of the DuckTracks paper,
// section 2.1. Every reachable block and every edge belongs to exactly one path.
type path struct {
	blocks []cfg.BlockID
	// edges[i] leads into blocks[i], the last one out of the last block; a path
	// without blocks has one edge, from its branching block to its joining block.
	// noEdge comes first when the path does not branch off, and last when it ends
	// with a header that has no other successors.
	edges   []cfg.EdgeID
	branch  cfg.BlockID // branching block, NoBlock if the path starts at the entry or a forced zero
	join    cfg.BlockID // joining block, NoBlock if it ends at the exit, a forced zero, or nowhere
	splitOf int32       // for a loop: the path under construction that it was split off from
}

// pathBuilder divides a graph into paths (section 2.1). What the paper leaves
// open is decided as follows.
//
//   - Forced zeros: an edge to a forced zero ends a path as leaving the method
//     does, and the block starts a path as the entry does. The path that starts
//     where another has just ended is built next, so that the hot path's
//     continuation takes its blocks before any side path. Handlers that nothing
//     else leads to come last.
//   - Side paths are built first in, first out: those of the hot path in the order
//     of its blocks, then those of its loops, then those of the first side path,
//     and so on; at one block the most likely first.
//   - If the only successors of the current path's tail are in loop paths split
//     off from it, so that it may not join them, the tail is given up: construction
//     goes back along the path to a block with another successor, and no further
//     than to a header, which then ends the path. Blocks given up are taken by side
//     paths, which may join the loop since it was not split off from them.
type pathBuilder struct {
	g        *cfg.Graph
	paths    []path
	owner    []int32 // per block: its path
	place    []int32 // per block: its index in its path
	done     []bool  // per edge: belongs to a path
	excluded []int32 // per edge: the path that may not take it any more
	header   []int32 // per block: the path that a loop at this header was split off from
	queue    []int32 // paths whose branching points are not handled yet
}

// buildPaths divides the reachable part of g into paths.
func buildPaths(g *cfg.Graph) *pathBuilder {
	ids := make([]int32, 3*len(g.Blocks)+len(g.Edges))
	for i := range ids {
		ids[i] = noPath
	}
	n := len(g.Blocks)
	b := &pathBuilder{g: g, owner: ids[:n], place: ids[n : 2*n], header: ids[2*n : 3*n], excluded: ids[3*n:], done: make([]bool, len(g.Edges))}
	b.root(g.Entry())
	b.sidePaths()
	for id := range g.Blocks {
		if z := cfg.BlockID(id); g.Blocks[z].Zero && z != g.Exit() && b.owner[z] == noPath && g.Reachable(z) {
			b.root(z)
			b.sidePaths()
		}
	}
	for _, p := range b.paths {
		for i, blk := range p.blocks {
			b.place[blk] = int32(i)
		}
	}
	return b
}

// root builds the path from a forced zero, and those from the forced zeros where
// one path ends and the next starts.
func (b *pathBuilder) root(z cfg.BlockID) {
	for z != cfg.NoBlock {
		z = b.build(path{edges: []cfg.EdgeID{noEdge}, branch: cfg.NoBlock, join: cfg.NoBlock, splitOf: noPath}, z)
	}
}

// sidePaths handles the branching points of all paths in the queue, and of those
// that this adds.
func (b *pathBuilder) sidePaths() {
	for len(b.queue) > 0 {
		p := b.queue[0]
		b.queue = b.queue[1:]
		for i := 0; i < len(b.paths[p].blocks); i++ {
			from := b.paths[p].blocks[i]
			for e := b.likeliest(from, noPath); e != noEdge; e = b.likeliest(from, noPath) {
				b.done[e] = true
				side := path{edges: []cfg.EdgeID{e}, branch: from, join: cfg.NoBlock, splitOf: noPath}
				next := cfg.NoBlock
				switch to := b.g.Edges[e].To; {
				case b.g.Blocks[to].Zero:
					b.paths = append(b.paths, side)
					next = b.unowned(to)
				case b.owner[to] != noPath:
					side.join = to
					b.paths = append(b.paths, side)
				default:
					next = b.build(side, to)
				}
				b.root(next)
			}
		}
	}
}

// unowned returns z if a path has yet to start there, else NoBlock.
func (b *pathBuilder) unowned(z cfg.BlockID) cfg.BlockID {
	if z == b.g.Exit() || b.owner[z] != noPath {
		return cfg.NoBlock
	}
	return z
}

// likeliest picks the most frequent edge out of a block that belongs to no path
// yet and that path current, if given, may take.
func (b *pathBuilder) likeliest(from cfg.BlockID, current int32) cfg.EdgeID {
	best := noEdge
	for _, e := range b.g.Blocks[from].Out {
		if b.done[e] || current != noPath && !b.allowed(e, current) {
			continue
		}
		if best == noEdge || b.g.Edges[e].Freq > b.g.Edges[best].Freq {
			best = e
		}
	}
	return best
}

func (b *pathBuilder) allowed(e cfg.EdgeID, current int32) bool {
	if b.excluded[e] == current {
		return false
	}
	o := b.owner[b.g.Edges[e].To]
	return o == noPath || b.paths[o].splitOf != current
}

// build extends p, which has all but its first block, to its end, splits off the
// loops it runs into, and queues them all. It returns the forced zero where the
// path ended if a path has yet to start there.
func (b *pathBuilder) build(p path, first cfg.BlockID) (next cfg.BlockID) {
	current := int32(len(b.paths))
	b.paths = append(b.paths, p) // takes the number; set again at the end
	b.queue = append(b.queue, current)
	next = cfg.NoBlock
	b.extend(&p, current, first)
	for {
		tail := p.blocks[len(p.blocks)-1]
		e := b.likeliest(tail, current)
		if e == noEdge {
			if b.giveUp(&p, current) {
				continue
			}
			p.edges = append(p.edges, noEdge)
			break
		}
		b.done[e] = true
		to := b.g.Edges[e].To
		if b.owner[to] == current && !b.g.Blocks[to].Zero {
			b.splitOff(&p, current, e)
			continue
		}
		p.edges = append(p.edges, e)
		if b.g.Blocks[to].Zero {
			next = b.unowned(to)
			break
		}
		if b.owner[to] != noPath {
			p.join = to
			break
		}
		b.extend(&p, current, to)
	}
	b.paths[current] = p
	return next
}

func (b *pathBuilder) extend(p *path, current int32, blk cfg.BlockID) {
	b.owner[blk] = current
	b.place[blk] = int32(len(p.blocks))
	p.blocks = append(p.blocks, blk)
}

// splitOff makes a path of its own of the segment after the header that e goes
// back to. The header becomes the tail again.
func (b *pathBuilder) splitOff(p *path, current int32, e cfg.EdgeID) {
	header := b.g.Edges[e].To
	at := b.place[header] + 1
	loop := path{
		blocks: slices.Clone(p.blocks[at:]),
		edges:  append(slices.Clone(p.edges[at:]), e),
		branch: header, join: header, splitOf: current,
	}
	id := int32(len(b.paths))
	for _, blk := range loop.blocks {
		b.owner[blk] = id
	}
	b.paths = append(b.paths, loop)
	b.queue = append(b.queue, id)
	b.header[header] = current
	p.blocks, p.edges = p.blocks[:at], p.edges[:at]
}

// giveUp removes the tail of p, which has no successor that p may take, unless it
// is a header or ends p for want of any successor. It reports whether it did.
func (b *pathBuilder) giveUp(p *path, current int32) bool {
	last := len(p.blocks) - 1
	tail := p.blocks[last]
	if last == 0 || b.header[tail] == current || len(b.g.Blocks[tail].Out) == 0 {
		return false
	}
	e := p.edges[last]
	b.done[e] = false
	b.excluded[e] = current
	b.owner[tail] = noPath
	p.blocks, p.edges = p.blocks[:last], p.edges[:last]
	return true
}

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
			if after := int(b.place[p.branch]) + 1; after < len(c) {
				c[after] -= branching[i]
			}
		}
		if p.join != cfg.NoBlock {
			// Edges with start block at or after the joining block.
			if c, from := counts[b.owner[p.join]], int(b.place[p.join])+1; from < len(c) {
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
			if best == noEdge || cmp.Or(cmp.Compare(shares[i][j], bestShare), cmp.Compare(b.g.Edges[e].Freq, b.g.Edges[best].Freq)) < 0 {
				best, bestShare = e, shares[i][j]
			}
		}
		chosen[i] = best
	}
	return chosen
}
