package placement

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

var strategies = []Strategy{Site, DuckTracks, Optimal}

// TestWalks: on random graphs, every walk's counters sum to exactly its
// allocations plus φ of where it stands, at every step; and optimal costs no more
// than the better of the other two.
func TestWalks(t *testing.T) {
	const graphs = 4000
	for _, s := range []graphMix{
		{blocks: 4, conserved: true},
		{blocks: 8, reducible: true, conserved: true},
		{blocks: 8},
		{blocks: 16, conserved: true},
		{blocks: 40},
		{blocks: 40, conserved: true},
	} {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			t.Parallel()
			counters, visited := 0, 0
			for seed := range graphs {
				r := rand.New(rand.NewPCG(uint64(seed), uint64(s.blocks)))
				pr := randomProblem(t, r, s)
				cost := map[Strategy]float64{}
				for _, strategy := range strategies {
					pl, err := Place(pr, strategy)
					if err != nil {
						t.Fatalf("seed %d: %v\n%v", seed, err, pr.Graph)
					}
					cost[strategy] = pl.Cost
					counters += len(pl.Counters)
					for _, points := range [][]InsertionPoint{pl.InsertionPoints(), pl.SharedInsertionPoints()} {
						w := newWalker(pr, pl, points)
						for range 4 {
							if err := w.run(r, 60); err != nil {
								t.Fatalf("seed %d: %v\n%v%v%v", seed, err, pr.Graph, pl, points)
							}
						}
						visited += w.visited
					}
				}
				if best := min(cost[Site], cost[DuckTracks]); !atLeast(best, cost[Optimal]) {
					t.Fatalf("seed %d: optimal %v, site %v, ducktracks %v\n%v", seed, cost[Optimal], cost[Site],
						cost[DuckTracks], pr.Graph)
				}
			}
			if counters < graphs || visited < 10*graphs {
				t.Errorf("%d counters, %d instructions: the graphs test too little", counters, visited)
			}
		})
	}
}

// TestExhaustive compares optimal with an exhaustive search on small graphs.
func TestExhaustive(t *testing.T) {
	const graphs = 3000
	for _, conserved := range []bool{true, false} {
		equal := 0
		for seed := range graphs {
			r := rand.New(rand.NewPCG(uint64(seed), 99))
			pr := randomProblem(t, r, graphMix{blocks: 8, conserved: conserved})
			pl, err := Place(pr, Optimal)
			if err != nil {
				t.Fatal(err)
			}
			best := exhaustive(pr)
			if !atLeast(pl.Cost, best) {
				t.Fatalf("seed %d: optimal %v is below the exhaustive search's %v\n%v", seed, pl.Cost, best, pr.Graph)
			}
			if atLeast(best, pl.Cost) {
				equal++
			}
		}
		t.Logf("conserved %v: equal in %d of %d", conserved, equal, graphs)
		if equal*100 < graphs*95 {
			t.Errorf("conserved %v: equal in only %d of %d", conserved, equal, graphs)
		}
	}
}

// exhaustive returns the least cost of any plan. It shares no code with optimal: it
// tries all sets of edges and insides of blocks on which φ may follow without
// closing a circle, and compares vectors. Once φ follows along such a tree, moving
// what is not connected cannot help, so the best tree is the best plan.
func exhaustive(pr *Problem) float64 {
	type step struct {
		from, to int // points: 2b is the start of block b, 2b+1 its end
		loss     Vector
		freq     float64
	}
	g := pr.Graph
	var steps []step
	phi := make([]Vector, 2*len(g.Blocks))
	group := make([]int, 2*len(g.Blocks)) // points connected so far
	for b := range g.Blocks {
		group[2*b], group[2*b+1] = 2*b, 2*b+1
		if g.Blocks[b].Zero {
			group[2*b] = 0
		}
	}
	for b := range g.Blocks {
		if slices.ContainsFunc(pr.Allocs[b], func(a Allocation) bool { return a.Piggybacked }) {
			continue // a counter there costs nothing, so nothing is gained without it
		}
		if v := total(pr.Allocs[b]); !v.IsZero() {
			steps = append(steps, step{2 * b, 2*b + 1, v, g.Blocks[b].Freq})
		} else {
			group[2*b+1] = group[2*b]
		}
	}
	for _, e := range g.Edges {
		steps = append(steps, step{2*int(e.From) + 1, 2 * int(e.To), nil, e.Freq})
	}
	best := 0.0
	for _, s := range steps {
		best += s.freq
	}
	var try func(i int, cost float64)
	try = func(i int, cost float64) {
		if cost >= best {
			return
		}
		if i == len(steps) {
			best = cost
			return
		}
		s := steps[i]
		gap := phi[s.from].Sub(s.loss).Sub(phi[s.to]) // what the target's φ must rise by
		if group[s.from] == group[s.to] {
			if !gap.IsZero() {
				cost += s.freq
			}
			try(i+1, cost)
			return
		}
		// Move the group that is not pinned at zero.
		moved, into, by := group[s.to], group[s.from], gap
		if moved == 0 {
			moved, into, by = into, 0, Vector(nil).Sub(gap)
		}
		savedPhi, savedGroup := append([]Vector(nil), phi...), append([]int(nil), group...)
		for p := range group {
			if group[p] == moved {
				group[p] = into
				phi[p] = phi[p].Add(by)
			}
		}
		try(i+1, cost)
		copy(phi, savedPhi)
		copy(group, savedGroup)
		try(i+1, cost+s.freq)
	}
	try(0, 0)
	return best
}

func total(allocs []Allocation) Vector {
	var v Vector
	for _, a := range allocs {
		v = v.Add(a.Sites)
	}
	return v
}
