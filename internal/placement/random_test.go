package placement

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mallard/internal/cfg"
)

// graphMix says what random graphs are made of.
type graphMix struct {
	blocks    int  // at most, the exit not counted
	reducible bool // no irreducible loops
	conserved bool // frequencies come from probabilities; else each edge has any
}

// randomProblem makes a graph with several exits, infinite loops, parallel switch
// edges, handlers, forced zeros, and allocations, all of it by chance.
func randomProblem(t testing.TB, r *rand.Rand, s graphMix) *Problem {
	t.Helper()
	for {
		g := randomGraph(t, r, s)
		if s.reducible {
			irreducible := false
			for _, l := range g.Loops {
				irreducible = irreducible || l.Irreducible
			}
			if irreducible {
				continue
			}
		}
		setFrequencies(g, r, s.conserved)
		var allocs []Allocation
		sites := 1 + r.IntN(5)
		density := r.IntN(10)
		piggybacked := r.IntN(4) // of 8 allocations
		for b := range g.Blocks {
			blk := &g.Blocks[b]
			if len(blk.Out) > 0 && !g.Edges[blk.Out[0]].Kind.Placeable() {
				continue
			}
			for i := blk.First; i < blk.End; i++ {
				last := i == blk.End-1
				if last && !(len(blk.Out) == 1 && g.Edges[blk.Out[0]].Kind == cfg.FallThrough) ||
					r.IntN(10) >= density {
					continue
				}
				v := Unit(r.IntN(sites))
				if r.IntN(5) == 0 {
					v = v.Add(Unit(r.IntN(sites)))
				}
				a := Allocation{At: i, Sites: v, Piggybacked: r.IntN(8) < piggybacked}
				a.Ahead = !a.Piggybacked && r.IntN(4) == 0
				allocs = append(allocs, a)
			}
		}
		pr, err := NewProblem(g, allocs)
		if err != nil {
			t.Fatal(err)
		}
		return pr
	}
}

func randomGraph(t testing.TB, r *rand.Rand, s graphMix) *cfg.Graph {
	t.Helper()
	n := 1 + r.IntN(s.blocks)
	blocks := make([]cfg.Block, n+1)
	var edges []cfg.Edge
	var exceptions []cfg.Exception
	exit := cfg.BlockID(n)
	at := 0
	for b := range n {
		blk := &blocks[b]
		blk.First = at
		at += 1 + r.IntN(4)
		blk.End = at
		blk.Handler = b > 0 && r.IntN(8) == 0
		blk.Zero = b == 0 || blk.Handler || r.IntN(10) == 0
	}
	blocks[n] = cfg.Block{First: at, End: at, Zero: true}
	target := func(from int) cfg.BlockID {
		if from+1 < n && r.IntN(5) > 0 {
			return cfg.BlockID(from + 1 + r.IntN(n-from-1)) // mostly forward
		}
		return cfg.BlockID(r.IntN(n))
	}
	for b := range n {
		id, next := cfg.BlockID(b), cfg.BlockID(b+1)
		kind := r.IntN(20)
		if b == n-1 && (kind < 11 || kind == 19) {
			kind = 12 + r.IntN(7)
		}
		switch {
		case kind < 4:
			edges = append(edges, cfg.Edge{From: id, To: next})
		case kind < 11:
			edges = append(edges, cfg.Edge{From: id, To: next}, cfg.Edge{From: id, To: target(b), Kind: cfg.Taken})
		case kind < 13:
			edges = append(edges, cfg.Edge{From: id, To: target(b), Kind: cfg.Taken})
		case kind < 15:
			cases := map[cfg.BlockID]int{}
			for range 1 + r.IntN(5) {
				cases[target(b)]++
			}
			for to := range exit { // in order, not that of the map
				if c := cases[to]; c > 0 {
					edges = append(edges, cfg.Edge{From: id, To: to, Kind: cfg.Switch, Cases: c})
				}
			}
		case kind < 17:
			edges = append(edges, cfg.Edge{From: id, To: exit, Kind: cfg.Return})
		case kind == 17:
			blocks[b].Zero = true
			edges = append(edges, cfg.Edge{From: id, To: exit, Kind: cfg.Throw})
		case kind == 18:
			blocks[b].Zero = true
			var to cfg.BlockID
			for to = range exit {
				if blocks[to].Zero {
					edges = append(edges, cfg.Edge{From: id, To: to, Kind: cfg.Ret})
					if r.IntN(2) == 0 {
						break
					}
				}
			}
		default:
			// Nothing: an endless loop, as a branch to itself.
			edges = append(edges, cfg.Edge{From: id, To: next}, cfg.Edge{From: id, To: id, Kind: cfg.Taken})
		}
		for h := range n {
			if blocks[h].Handler && r.IntN(3) == 0 {
				exceptions = append(exceptions, cfg.Exception{From: id, To: cfg.BlockID(h)})
			}
		}
	}
	return linked(t, blocks, edges, exceptions)
}

// linked makes the graph, without what leaves unreachable blocks.
func linked(t testing.TB, blocks []cfg.Block, edges []cfg.Edge, exceptions []cfg.Exception) *cfg.Graph {
	t.Helper()
	reached := make([]bool, len(blocks))
	reached[0] = true
	for changed := true; changed; {
		changed = false
		visit := func(from, to cfg.BlockID) {
			if reached[from] && !reached[to] {
				reached[to], changed = true, true
			}
		}
		for _, e := range edges {
			visit(e.From, e.To)
		}
		for _, x := range exceptions {
			visit(x.From, x.To)
		}
	}
	edges = slices.DeleteFunc(edges, func(e cfg.Edge) bool { return !reached[e.From] })
	exceptions = slices.DeleteFunc(exceptions, func(x cfg.Exception) bool { return !reached[x.From] })
	g, err := cfg.New(blocks, edges, exceptions)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func setFrequencies(g *cfg.Graph, r *rand.Rand, conserved bool) {
	p := make([]float64, len(g.Edges))
	for b := range g.Blocks {
		sum := 0.0
		for _, e := range g.Blocks[b].Out {
			p[e] = 0.01 + r.Float64()
			if r.IntN(4) == 0 {
				p[e] *= 0.01
			}
			sum += p[e]
		}
		for _, e := range g.Blocks[b].Out {
			p[e] /= sum
		}
	}
	if conserved {
		g.Propagate(p)
		return
	}
	for e := range g.Edges {
		g.Edges[e].Freq = float64(r.IntN(20))
	}
	for b := range g.Blocks {
		if g.Reachable(cfg.BlockID(b)) {
			g.Blocks[b].Freq = float64(r.IntN(20))
		}
	}
}

// walker executes a plan's code along a random walk.
type walker struct {
	pr      *Problem
	pl      *Plan
	points  map[int][]InsertionPoint
	phi     Vector // counted less allocated
	visited int
}

func newWalker(pr *Problem, pl *Plan, points []InsertionPoint) *walker {
	w := &walker{pr: pr, pl: pl, points: map[int][]InsertionPoint{}}
	for _, s := range points {
		w.points[s.At] = append(w.points[s.At], s)
	}
	return w
}

// arrive runs the code that is passed on the way to instruction at: by falling in,
// by branch from, or, when both are false, by an exception.
func (w *walker) arrive(at int, falls bool, from int) {
	for _, s := range w.points[at] {
		runs := s.Position == Always || s.Position == FallThrough && falls
		for _, f := range s.From {
			runs = runs || f == from && !falls
		}
		if runs {
			w.phi = w.phi.Add(w.pl.Counters[s.Counter].Semantics)
		}
	}
}

const noBranch = -1

// run walks for at most steps blocks and checks φ at every instruction.
func (w *walker) run(r *rand.Rand, steps int) error {
	g := w.pr.Graph
	w.phi = nil
	if w.pr.instructions != nil && w.pr.EntersLoop() {
		w.phi = Unit(int(w.pr.instructions.site))
	}
	b, falls, from := g.Entry(), true, noBranch
	for range steps {
		blk := &g.Blocks[b]
		allocs := w.pr.Allocs[b]
		thrown := cfg.NoBlock
		for i := blk.First; i < blk.End; i++ {
			w.arrive(i, falls || i > blk.First, from)
			w.visited++
			if w.pr.instructions != nil {
				w.phi = w.phi.Sub(Unit(int(w.pr.instructions.site)))
			}
			if want := w.pl.PhiAt(b, i); !w.phi.Equal(want) {
				return fmt.Errorf("%s, instruction %d: φ is %v, PhiAt says %v", g.Name(b), i, w.phi, want)
			}
			if h := w.handler(r, b); h != cfg.NoBlock && (w.phi.IsZero() || w.pr.instructions != nil) &&
				r.IntN(4) == 0 {
				thrown = h
				w.phi = nil // by a correction, if it was not
				break
			}
			if len(allocs) > 0 && allocs[0].At == i {
				w.phi = w.phi.Sub(allocs[0].Sites)
				allocs = allocs[1:]
			}
		}
		if thrown != cfg.NoBlock {
			b, falls, from = thrown, false, noBranch
			continue
		}
		if len(blk.Out) == 0 {
			return nil
		}
		e := &g.Edges[blk.Out[r.IntN(len(blk.Out))]]
		b, falls, from = e.To, e.Kind == cfg.FallThrough, blk.End-1
		if b == g.Exit() {
			if !w.phi.IsZero() {
				return fmt.Errorf("left with φ %v", w.phi)
			}
			return nil
		}
	}
	return nil
}

// handler picks one of the handlers that cover b.
func (w *walker) handler(r *rand.Rand, b cfg.BlockID) cfg.BlockID {
	found := cfg.NoBlock
	n := 0
	for _, x := range w.pr.Graph.Exceptions {
		if x.From == b {
			if n++; r.IntN(n) == 0 {
				found = x.To
			}
		}
	}
	return found
}
