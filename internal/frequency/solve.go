package frequency

import (
	"math"

	"mallard/internal/cfg"
	"mallard/internal/placement"
)

// Solution has the frequencies of a method's edges and blocks, in times executed.
type Solution struct {
	Edges, Blocks           []float64
	EdgeRanges, BlockRanges []Range // what they could be as well
}

// Solve gives the frequencies that fit what was counted. What that leaves open is divided as the plan's graph has it,
// whose frequencies may be on any scale.
func Solve(pl *placement.Plan, counts Counts) *Solution {
	s := newSolver(pl, counts)
	for n := range s.nodes {
		s.wake(cfg.BlockID(n))
	}
	s.narrow()
	g := s.graph
	solution := &Solution{EdgeRanges: append([]Range(nil), s.flows[:len(g.Edges)]...),
		BlockRanges: append([]Range(nil), s.nodes...)}
	s.choose()
	for e := range g.Edges {
		solution.Edges = append(solution.Edges, s.flows[e].Low)
	}
	for b := range g.Blocks {
		solution.Blocks = append(solution.Blocks, s.nodes[b].Low)
	}
	return solution
}

// Of gives the frequencies that a graph has, without ranges.
func Of(g *cfg.Graph) *Solution {
	s := &Solution{}
	for e := range g.Edges {
		s.Edges = append(s.Edges, g.Edges[e].Freq)
	}
	for b := range g.Blocks {
		s.Blocks = append(s.Blocks, g.Blocks[b].Freq)
	}
	return s
}

// Apply makes the frequencies those of a graph: the one solved for, or another of the same method.
func (s *Solution) Apply(g *cfg.Graph) {
	for e := range g.Edges {
		g.Edges[e].Freq = s.Edges[e]
	}
	for b := range g.Blocks {
		g.Blocks[b].Freq = s.Blocks[b]
	}
}

func newSolver(pl *placement.Plan, counts Counts) *solver {
	g := pl.Problem().Graph
	n := len(g.Blocks)
	s := &solver{graph: g, in: make([][]int32, n), out: make([][]int32, n), nodes: make([]Range, n),
		thrown: make([]int32, n), caught: make([]int32, n),
		handled: make([][]cfg.BlockID, n), covered: make([][]cfg.BlockID, n), bound: make([]cfg.BlockID,
			n), bounds: make([][]cfg.BlockID, n), queued: make([]bool, n)}
	s.steps = maxSteps * n
	for e := range g.Edges {
		s.add(g.Edges[e].From, g.Edges[e].To, g.Edges[e].Freq)
	}
	for b := range g.Blocks {
		s.nodes[b] = Range{0, math.Inf(1)}
		s.thrown[b], s.caught[b] = none, none
		if !g.Reachable(cfg.BlockID(b)) && cfg.BlockID(b) != g.Exit() {
			s.nodes[b].High = 0
		}
	}
	// Entry and exit are one: every invocation that enters leaves.
	entry := s.add(g.Exit(), g.Entry(), max(g.Blocks[g.Entry()].Freq-inflow(g, g.Entry()), 0))
	if counts.Entries != Unknown {
		s.flows[entry] = Range{float64(counts.Entries), float64(counts.Entries)}
	}
	s.exceptions()
	s.dominance()
	s.scale = s.count(pl, counts)
	return s
}

func inflow(g *cfg.Graph, b cfg.BlockID) float64 {
	sum := 0.0
	for _, e := range g.Blocks[b].In {
		sum += g.Edges[e].Freq
	}
	return sum
}

// add makes a flow. It is without an end where that is NoBlock.
func (s *solver) add(from, to cfg.BlockID, prior float64) int32 {
	f := int32(len(s.flows))
	s.flows = append(s.flows, Range{0, math.Inf(1)})
	s.prior = append(s.prior, prior)
	s.ends = append(s.ends, [2]cfg.BlockID{from, to})
	if from != cfg.NoBlock {
		s.out[from] = append(s.out[from], f)
	}
	if to != cfg.NoBlock {
		s.in[to] = append(s.in[to], f)
	}
	return f
}

// exceptions makes the flows of exceptions that the method catches.
func (s *solver) exceptions() {
	for _, x := range s.graph.Exceptions {
		if s.caught[x.To] == none {
			s.caught[x.To] = s.add(cfg.NoBlock, x.To, max(s.graph.Blocks[x.To].Freq-inflow(s.graph, x.To), 0))
		}
		if s.thrown[x.From] == none {
			s.thrown[x.From] = s.add(x.From, cfg.NoBlock, 0)
		}
		s.handled[x.From] = append(s.handled[x.From], x.To)
		s.covered[x.To] = append(s.covered[x.To], x.From)
	}
}

// dominance finds for each block one that runs at least as often: its dominator, where that is in every loop that the
// block is in. Any way from the block back to itself leads through it then.
func (s *solver) dominance() {
	g := s.graph
	for b := range g.Blocks {
		s.bound[b] = cfg.NoBlock
	}
	for _, l := range g.Loops {
		if l.Irreducible {
			return // ways around such a loop may avoid what dominates it
		}
	}
	for b := range g.Blocks {
		if d := g.Blocks[b].Idom; d != cfg.NoBlock && g.InLoop(d, g.Blocks[b].Loop) {
			s.bound[b] = d
			s.bounds[d] = append(s.bounds[d], cfg.BlockID(b))
		}
	}
}

// count makes points of what counters say, and gives the ratio of counts to frequencies.
func (s *solver) count(pl *placement.Plan, counts Counts) float64 {
	g := s.graph
	counted, expected := 0.0, 0.0
	note := func(n int64, frequency float64) float64 {
		counted += float64(n)
		expected += frequency
		return float64(n)
	}
	for b, list := range pl.Problem().Allocs {
		for _, a := range list {
			if a.Piggybacked {
				s.atBlock(cfg.BlockID(b), note(counts.Piggybacked[a.At], g.Blocks[b].Freq))
			}
		}
	}
	for i := range pl.Counters {
		c := &pl.Counters[i]
		switch {
		case c.Piggybacked:
		case len(c.Edges) == 1:
			n := note(counts.Counters[i], c.Freq)
			s.flows[c.Edges[0]] = Range{n, n}
		case len(c.Edges) > 1:
			s.atBlock(g.Edges[c.Edges[0]].To, note(counts.Counters[i], c.Freq))
		default:
			s.atBlock(g.BlockAt(c.After), note(counts.Counters[i], c.Freq))
		}
	}
	if entry := s.prior[len(g.Edges)]; counts.Entries != Unknown && entry > 0 {
		return float64(counts.Entries) / entry
	}
	if expected == 0 {
		return counted
	}
	return counted / expected
}

// atBlock notes that a block was executed n times, as one of its counters says. The first of several has seen the most.
func (s *solver) atBlock(b cfg.BlockID, n float64) {
	r := &s.nodes[b]
	if math.IsInf(r.High, 1) || r.High < n {
		*r = Range{n, n}
	}
}
