package placement

import (
	"fmt"
	"slices"

	"mallard/internal/cfg"
)

// Strategy is a way to choose where counters go.
type Strategy uint8

const (
	// Optimal minimises the increments expected at the graph's frequencies.
	Optimal Strategy = iota
	// DuckTracks counts per path, as Fitzek, Lengauer and Mössenböck published it.
	DuckTracks
	// Site has one counter per allocation site, right after the allocation.
	Site
	// Edges counts how often each edge is taken. It is for measurements.
	Edges
)

var strategyNames = [...]string{"optimal", "ducktracks", "site", "edges"}

func (s Strategy) String() string {
	if int(s) < len(strategyNames) {
		return strategyNames[s]
	}
	return fmt.Sprintf("strategy(%d)", uint8(s))
}

// ParseStrategy is the inverse of String.
func ParseStrategy(name string) (Strategy, error) {
	for s, n := range strategyNames {
		if n == name {
			return Strategy(s), nil
		}
	}
	return 0, fmt.Errorf("unknown placement %q: optimal, ducktracks or site", name)
}

// Counter is one place, or a set of edges that one place serves, where executed
// code adds Semantics to what has been counted.
type Counter struct {
	Semantics   Vector       // never zero but for Edges
	Edges       []cfg.EdgeID // the edges it is on: one, or all edges into a block; nil for After
	After       int          // without Edges: the instruction after whose completion it is passed
	Ahead       bool         // without Edges: it is passed when that instruction begins instead
	Piggybacked bool         // without Edges: it is on a piggybacked allocation, and costs nothing
	Freq        float64      // how often it is expected to be passed per invocation
}

// passed is the first instruction that starts with a counter passed that has no edges.
func (c *Counter) passed() int {
	if c.Ahead {
		return c.After
	}
	return c.After + 1
}

// Plan is a correct set of counters. Its contract is in the package comment.
type Plan struct {
	Strategy Strategy
	Counters []Counter
	Phi      []Vector // φ at the start of each block, after all counters on the way there
	Cost     float64  // expected increments per invocation, at the graph's frequencies, piggybacked ones left out

	problem *Problem
	inner   [][]int // per block: counters inside it, ascending by After
	onEdge  []int32 // per edge: its counter, -1 for none
}

// Executed is how often the counter is passed at a graph's frequencies: Freq, if they are those it was placed for.
func (c *Counter) Executed(g *cfg.Graph) float64 {
	if len(c.Edges) == 0 {
		return g.Blocks[g.BlockAt(c.After)].Freq
	}
	sum := 0.0
	for _, e := range c.Edges {
		sum += g.Edges[e].Freq
	}
	return sum
}

// Executed is how many increments the plan makes, piggybacked ones left out, at the frequencies that its graph has
// now: Cost, if they are those it was made for.
func (pl *Plan) Executed() float64 {
	sum := 0.0
	for i := range pl.Counters {
		if c := &pl.Counters[i]; !c.Piggybacked {
			sum += c.Executed(pl.problem.Graph)
		}
	}
	return sum
}

// Problem returns what the plan was made for.
func (pl *Plan) Problem() *Problem { return pl.problem }

// PhiAt returns φ when instruction i of block b starts, that is after all code
// that is placed before it. It also holds while the instruction executes: a call
// that has not returned has the φ of its instruction.
func (pl *Plan) PhiAt(b cfg.BlockID, i int) Vector {
	g := pl.problem.Graph
	blk := &g.Blocks[b]
	if i == blk.End-1 && len(blk.Out) == 1 && beforeBranch(g, blk.Out[0]) {
		if c := pl.onEdge[blk.Out[0]]; c >= 0 && len(pl.Counters[c].Edges) == 1 {
			return pl.phiInside(b, i).Add(pl.Counters[c].Semantics) // the counter is before it, and passed
		}
	}
	return pl.phiInside(b, i)
}

// phiInside is φ before instruction i of block b, edges out of b not counted; i
// may be the end of the block.
func (pl *Plan) phiInside(b cfg.BlockID, i int) Vector {
	phi := pl.Phi[b]
	if i < pl.problem.Graph.Blocks[b].End {
		phi = phi.Sub(pl.problem.allocatedBefore(b, i))
	} else {
		phi = phi.Sub(pl.problem.allocated(b))
	}
	if len(pl.inner[b]) == 0 {
		return phi
	}
	terms := slices.Clone(phi)
	for _, c := range pl.inner[b] {
		if pl.Counters[c].passed() <= i {
			terms = append(terms, pl.Counters[c].Semantics...)
		}
	}
	return sum(terms)
}

// beforeBranch reports whether code on edge e is put before the instruction that
// control leaves its source by: always so for return, and for a goto or a switch
// that has no other target, since that saves a jump.
func beforeBranch(g *cfg.Graph, e cfg.EdgeID) bool {
	switch edge := &g.Edges[e]; edge.Kind {
	case cfg.Return:
		return true
	case cfg.Taken, cfg.Switch:
		return len(g.Blocks[edge.From].Out) == 1
	}
	return false
}
