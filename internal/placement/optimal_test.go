package placement

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mallard/internal/cfg"
)

// randomNetwork makes a dense network with few gains, which nothing reduces.
func randomNetwork(r *rand.Rand) *network {
	n := &network{nodes: 3 + r.IntN(4)}
	for range 2 * n.nodes {
		n.arcs = append(n.arcs, arc{int32(r.IntN(n.nodes)), int32(r.IntN(n.nodes)), uint64(r.IntN(3)),
			float64(1 + r.IntN(9))})
	}
	return n
}

// leastCost tries all potentials that differences of gains can reach.
func leastCost(n *network) float64 {
	best := math.Inf(1)
	potential := make([]uint64, n.nodes)
	var try func(v int)
	try = func(v int) {
		if v == n.nodes {
			best = min(best, n.cost(potential))
			return
		}
		for x := -6; x <= 6; x++ {
			potential[v] = uint64(x)
			try(v + 1)
		}
	}
	try(1)
	return best
}

// TestSearch: the search alone, without hill climbing before it, finds the least cost and
// the potentials that have it.
func TestSearch(t *testing.T) {
	branched := 0
	for seed := range 150 {
		n := randomNetwork(rand.New(rand.NewPCG(uint64(seed), 8)))
		for n.nodes > 5 {
			n = randomNetwork(rand.New(rand.NewPCG(uint64(seed), uint64(n.nodes))))
			seed += 1000
		}
		s := &search{steps: 1 << 20}
		potential, cost := s.below(n, infinite)
		if got := n.cost(potential); got > cost {
			t.Errorf("seed %d: potentials cost %v, said to cost %v", seed, got, cost)
		}
		if want := leastCost(n); cost != want {
			t.Errorf("seed %d: cost %v, least %v", seed, cost, want)
		}
		if kernel, _ := reduce(n).kernel(); kernel.nodes > 2 {
			branched++
		}
		if better, _ := s.below(n, cost); better != nil {
			t.Errorf("seed %d: something better than the best", seed)
		}
	}
	if branched < 20 {
		t.Errorf("only %d networks needed the search", branched)
	}
}

// TestClimb: moves only improve, and find a solution that a spanning tree misses.
func TestClimb(t *testing.T) {
	improved := 0
	for seed := range 500 {
		n := randomNetwork(rand.New(rand.NewPCG(uint64(seed), 9)))
		potential := spanningTree(n)
		before := n.cost(potential)
		steps := hillClimbSteps
		hillClimb(n, potential, &steps)
		if after := n.cost(potential); after > before {
			t.Errorf("seed %d: cost rose from %v to %v", seed, before, after)
		} else if after < before {
			improved++
		}
	}
	if improved < 20 {
		t.Errorf("%d of 500 spanning trees improved", improved)
	}
}

// TestSettle: settling costs nothing, φ is nonzero for no longer, and what it takes for nonzeroPhi
// is that of the plan.
func TestSettle(t *testing.T) {
	improved := 0
	for seed := range 1000 {
		pr := randomProblem(t, rand.New(rand.NewPCG(uint64(seed), 10)), graphMix{blocks: 10, conserved: seed%2 == 0})
		net, m := newNetwork(pr)
		potential := spanningTree(net)
		cost, before := net.cost(potential), m.nonzeroPhi(net, potential)
		if got := phiByInstruction(pr, m.plan(potential)); !near(got, before) {
			t.Fatalf("seed %d: the plan has nonzero φ for %v, said to for %v\n%v%v", seed, got, before, pr.Graph,
				m.plan(potential))
		}
		m.minimizePhi(net, potential)
		if !near(net.cost(potential), cost) && net.cost(potential) > cost {
			t.Errorf("seed %d: cost rose from %v to %v", seed, cost, net.cost(potential))
		}
		if near(net.cost(potential), cost) {
			after := m.nonzeroPhi(net, potential)
			if after > before && !near(after, before) {
				t.Errorf("seed %d: nonzero φ for %v, before %v", seed, after, before)
			}
			if after < before && !near(after, before) {
				improved++
			}
		}
	}
	if improved < 100 {
		t.Errorf("only %d plans improved", improved)
	}
}

// nonzeroPhi is what minimizePhi lowers.
func (m *mapping) nonzeroPhi(n *network, potential []uint64) float64 {
	c := &hillClimber{net: n, potential: potential, phiRanges: m.ranges(n)}
	all := make([]int32, n.nodes)
	for v := range all {
		all[v] = int32(v)
	}
	return c.nonzero(all, 0)
}

// phiByInstruction is the same, instruction by instruction; counters on edges that stand
// before a branch are not seen by the branch. φ between piggybacked
// allocations of one block no potential decides.
func phiByInstruction(pr *Problem, pl *Plan) float64 {
	sum := 0.0
	for id := range pr.Graph.Blocks {
		blk := &pr.Graph.Blocks[id]
		first, last := blk.End, blk.First
		for _, a := range pr.Allocs[id] {
			if a.Piggybacked {
				first, last = min(first, a.At), a.At
			}
		}
		for i := blk.First; i < blk.End; i++ {
			if first < i && i <= last {
				continue
			}
			if !pl.phiInside(cfg.BlockID(id), i).IsZero() {
				sum += blk.Freq
			}
		}
	}
	return sum
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) }

// TestCheck breaks plans in ways that Check must notice.
func TestCheck(t *testing.T) {
	pr := letters(t, "A-B:9 A-C:2 B-D:9 C-D:1 C-A:1 D-A:5 D-E:5 E-X:5", "BD")
	pr.Graph.Blocks[2].Zero = true
	const b, c, d = 1, 2, 3
	for _, test := range []struct {
		want  string
		spoil func(pl *Plan)
	}{
		{"must be zero", func(pl *Plan) { pl.Phi[c] = Unit(0) }},
		{"which needs", func(pl *Plan) { pl.Phi[b] = Unit(0) }},
		{"which needs", func(pl *Plan) { pl.Counters = pl.Counters[1:]; pl.Cost -= 9 }},
		{"not in canonical form", func(pl *Plan) { pl.Phi[b] = Vector{{1, 1}, {0, 1}} }},
		{"adds nothing", func(pl *Plan) { pl.Counters[0].Semantics = nil }},
		{"φ for 1 blocks", func(pl *Plan) { pl.Phi = pl.Phi[:1] }},
		{"sum to", func(pl *Plan) { pl.Cost++ }},
		{"where it is passed", func(pl *Plan) { pl.Counters[0].Freq++; pl.Cost++ }},
		{"there is no update to add it to", func(pl *Plan) {
			pl.Counters[0].Piggybacked = true
			pl.Cost -= pl.Counters[0].Freq
		}},
		{"in no block", func(pl *Plan) { pl.Counters[0].After = 99 }},
		{"leave by a jump", func(pl *Plan) { pl.Counters[0].After = pr.Graph.Blocks[d].End - 1 }},
		{"two counters", func(pl *Plan) {
			e := []cfg.EdgeID{edge(t, pr.Graph, 'A', 'B')}
			pl.Counters = append(pl.Counters, Counter{Semantics: Unit(0), Edges: e, Freq: 9},
				Counter{Semantics: Unit(0), Edges: e, Freq: 9})
			pl.Cost += 18
		}},
		{"into two blocks", func(pl *Plan) {
			e := []cfg.EdgeID{edge(t, pr.Graph, 'A', 'B'), edge(t, pr.Graph, 'A', 'C')}
			pl.Counters = append(pl.Counters, Counter{Semantics: Unit(0), Edges: e, Freq: 11})
			pl.Cost += 11
		}},
		{"does not serve just its edges", func(pl *Plan) {
			e := []cfg.EdgeID{edge(t, pr.Graph, 'C', 'A'), edge(t, pr.Graph, 'D', 'A')}
			pl.Counters = append(pl.Counters, Counter{Semantics: Unit(0), Edges: e, Freq: 6})
			pl.Cost += 6
		}},
	} {
		pl, err := Place(pr, Site)
		if err != nil {
			t.Fatal(err)
		}
		test.spoil(pl)
		if err := Check(pr, pl); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v", test.want, err)
		}
	}
}

// TestUncheckable: problems that no plan could be right for.
func TestUncheckable(t *testing.T) {
	g := letters(t, "A-B:1 B-X:1", "").Graph
	for _, test := range []struct {
		want   string
		allocs []Allocation
	}{
		{"in no block", []Allocation{{At: 6, Sites: Unit(0)}}},
		{"in no block", []Allocation{{At: -1, Sites: Unit(0)}}},
		{"allocates twice", []Allocation{{At: 1, Sites: Unit(0)}, {At: 1, Sites: Unit(1)}}},
		{"both allocates and leaves", []Allocation{{At: 5, Sites: Unit(0)}}},
		{"canonical", []Allocation{{At: 1, Sites: Vector{{0, 0}}}}},
	} {
		if _, err := NewProblem(g, test.allocs); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v", test.want, err)
		}
	}
}
