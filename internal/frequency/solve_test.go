package frequency

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mallard/internal/cfg"
	"mallard/internal/placement"
)

// randomProblem makes a graph with branches, switches, loops, several exits and a few handlers, and allocations in it.
func randomProblem(t *testing.T, r *rand.Rand, handlers bool) *placement.Problem {
	t.Helper()
	n := 2 + r.IntN(14)
	exit := cfg.BlockID(n)
	blocks := make([]cfg.Block, n+1)
	var edges []cfg.Edge
	var exceptions []cfg.Exception
	for b := range n {
		blocks[b] = cfg.Block{First: 4 * b, End: 4*b + 4, Zero: b == 0}
		if handlers && b > 0 && r.IntN(6) == 0 {
			blocks[b].Zero, blocks[b].Handler = true, true
		}
	}
	blocks[n] = cfg.Block{First: 4 * n, End: 4 * n, Zero: true}
	anywhere := func(b int) cfg.BlockID {
		if b+1 < n && r.IntN(4) > 0 {
			return cfg.BlockID(b + 1 + r.IntN(n-b-1))
		}
		return cfg.BlockID(r.IntN(n))
	}
	for b := range n {
		id := cfg.BlockID(b)
		switch kind := r.IntN(10); {
		case b == n-1 || kind < 2:
			edges = append(edges, cfg.Edge{From: id, To: exit, Kind: cfg.Return})
		case kind < 4:
			edges = append(edges, cfg.Edge{From: id, To: id + 1})
		case kind < 9:
			edges = append(edges, cfg.Edge{From: id, To: id + 1}, cfg.Edge{From: id, To: anywhere(b), Kind: cfg.Taken})
		default:
			targets := []cfg.BlockID{anywhere(b), anywhere(b), anywhere(b)}
			slices.Sort(targets)
			for _, to := range slices.Compact(targets) {
				edges = append(edges, cfg.Edge{From: id, To: to, Kind: cfg.Switch, Cases: 1})
			}
		}
		for h := range n {
			if blocks[h].Handler && r.IntN(2) == 0 {
				exceptions = append(exceptions, cfg.Exception{From: id, To: cfg.BlockID(h)})
			}
		}
	}
	g, err := cfg.New(blocks, edges, exceptions)
	if err != nil {
		return randomProblem(t, r, handlers) // it has a block that nothing leads to
	}
	probabilities := make([]float64, len(g.Edges))
	for b := range g.Blocks {
		for _, e := range g.Blocks[b].Out {
			probabilities[e] = 1 / float64(len(g.Blocks[b].Out))
		}
	}
	g.Propagate(probabilities)
	var allocations []placement.Allocation
	for b := range n {
		if r.IntN(2) == 0 {
			allocations = append(allocations, placement.Allocation{At: 4*b + 1, Sites: placement.Unit(len(allocations)),
				Piggybacked: r.IntN(4) == 0})
		}
	}
	problem, err := placement.NewProblem(g, allocations)
	if err != nil {
		t.Fatal(err)
	}
	return problem
}

// walks is what random walks through a graph did.
type walks struct {
	entries int64
	edges   []int64
	blocks  []int64
	ends    []int64 // executions of a block that came to its end
}

// walk goes through the graph many times, with odds of its own at each branch. One execution of a covered block in
// throws goes to a handler, for 0 none.
func walk(g *cfg.Graph, r *rand.Rand, throws int) walks {
	w := walks{edges: make([]int64, len(g.Edges)), blocks: make([]int64, len(g.Blocks)),
		ends: make([]int64, len(g.Blocks))}
	odds := make([]float64, len(g.Edges))
	for e := range odds {
		odds[e] = 0.02 + math.Pow(r.Float64(), 4)
	}
	handlers := make([][]cfg.BlockID, len(g.Blocks))
	for _, x := range g.Exceptions {
		handlers[x.From] = append(handlers[x.From], x.To)
	}
	for range 200 {
		path := walks{edges: make([]int64, len(g.Edges)), blocks: make([]int64, len(g.Blocks)),
			ends: make([]int64, len(g.Blocks))}
		b := g.Entry()
		for steps := 0; b != g.Exit() && steps < 2000; steps++ {
			path.blocks[b]++
			if h := handlers[b]; throws > 0 && len(h) > 0 && r.IntN(throws) == 0 {
				b = h[r.IntN(len(h))]
				continue
			}
			path.ends[b]++
			sum := 0.0
			for _, e := range g.Blocks[b].Out {
				sum += odds[e]
			}
			x := r.Float64() * sum
			for _, e := range g.Blocks[b].Out {
				if x -= odds[e]; x <= 0 {
					path.edges[e]++
					b = g.Edges[e].To
					break
				}
			}
		}
		if b != g.Exit() {
			continue // an endless loop: no such invocation is part of a finished program
		}
		w.entries++
		for e := range w.edges {
			w.edges[e] += path.edges[e]
		}
		for b := range w.blocks {
			w.blocks[b] += path.blocks[b]
			w.ends[b] += path.ends[b]
		}
	}
	w.blocks[g.Exit()] = w.entries
	return w
}

// counted is what a plan's counters say of the walks.
func (w walks) counted(pl *placement.Plan, entries int64) Counts {
	g := pl.Problem().Graph
	counts := Counts{Counters: make([]int64, len(pl.Counters)), Piggybacked: map[int]int64{}, Entries: entries}
	for i, c := range pl.Counters {
		switch {
		case c.Piggybacked:
			counts.Counters[i] = -1 // not to be looked at
		case len(c.Edges) == 0:
			counts.Counters[i] = w.ends[g.BlockAt(c.After)]
		}
		for _, e := range c.Edges {
			counts.Counters[i] += w.edges[e]
		}
	}
	for b, list := range pl.Problem().Allocs {
		for _, a := range list {
			if a.Piggybacked {
				counts.Piggybacked[a.At] = w.ends[b]
			}
		}
	}
	return counts
}

// TestSolve walks through random graphs and compares what is solved from the counters of each placement with what
// happened.
func TestSolve(t *testing.T) {
	for _, strategy := range []placement.Strategy{placement.Optimal, placement.Site, placement.DuckTracks,
		placement.Edges} {
		for _, throws := range []int{0, 20} {
			t.Run(fmt.Sprintf("%v throws %d", strategy, throws), func(t *testing.T) {
				known, all := 0, 0
				for seed := range 2000 {
					r := rand.New(rand.NewPCG(uint64(seed), uint64(throws)))
					problem := randomProblem(t, r, throws > 0)
					pl, err := placement.Place(problem, strategy)
					if err != nil {
						t.Fatal(err)
					}
					w := walk(problem.Graph, r, throws)
					entries := w.entries
					if seed%2 == 0 {
						entries = Unknown
					}
					s := Solve(pl, w.counted(pl, entries))
					if err := compare(problem.Graph, w, s, throws == 0); err != nil {
						t.Fatalf("seed %d, %d of %d entries: %v\n%v%v%v", seed, entries, w.entries, err, problem.Graph,
							pl, w.counted(pl, entries))
					}
					for _, e := range s.EdgeRanges {
						all++
						if e.Low == e.High {
							known++
						}
					}
				}
				t.Logf("%d of %d edges are determined", known, all)
				if strategy == placement.Edges && throws == 0 && known != all {
					t.Errorf("with every edge counted, %d of %d are determined", known, all)
				}
			})
		}
	}
}

// compare checks that a solution is a number within its range everywhere and, if so asked, that the ranges have the
// truth in them.
func compare(g *cfg.Graph, w walks, s *Solution, ranges bool) error {
	check := func(name string, f float64, r Range, truth int64) error {
		slack := 1e-6 * (1 + float64(truth))
		switch {
		case !(f >= r.Low && f <= r.High) || math.IsInf(f, 0):
			return fmt.Errorf("%s is %v, in %v", name, f, r)
		case ranges && (float64(truth) < r.Low-slack || float64(truth) > r.High+slack):
			return fmt.Errorf("%s is in %v and was %d", name, r, truth)
		}
		return nil
	}
	for e := range g.Edges {
		name := fmt.Sprintf("%s->%s", g.Name(g.Edges[e].From), g.Name(g.Edges[e].To))
		if err := check(name, s.Edges[e], s.EdgeRanges[e], w.edges[e]); err != nil {
			return err
		}
	}
	for b := range g.Blocks {
		if err := check(g.Name(cfg.BlockID(b)), s.Blocks[b], s.BlockRanges[b], w.blocks[b]); err != nil {
			return err
		}
	}
	return nil
}
