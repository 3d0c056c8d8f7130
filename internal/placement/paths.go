package placement

import (
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
	index    []int32 // per block: its index in its path
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
	b := &pathBuilder{g: g, owner: ids[:n], index: ids[n : 2*n], header: ids[2*n : 3*n], excluded: ids[3*n:],
		done: make([]bool, len(g.Edges))}
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
			b.index[blk] = int32(i)
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
					next = b.unstarted(to)
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

// unstarted returns z if a path has yet to start there, else NoBlock.
func (b *pathBuilder) unstarted(z cfg.BlockID) cfg.BlockID {
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
			if b.removeTail(&p, current) {
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
			next = b.unstarted(to)
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
	b.index[blk] = int32(len(p.blocks))
	p.blocks = append(p.blocks, blk)
}

// splitOff makes a path of its own of the segment after the header that e goes
// back to. The header becomes the tail again.
func (b *pathBuilder) splitOff(p *path, current int32, e cfg.EdgeID) {
	header := b.g.Edges[e].To
	at := b.index[header] + 1
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

// removeTail removes the tail of p, which has no successor that p may take, unless it
// is a header or ends p for want of any successor. It reports whether it did.
func (b *pathBuilder) removeTail(p *path, current int32) bool {
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
