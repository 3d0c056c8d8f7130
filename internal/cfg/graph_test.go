package cfg

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomGraph makes a graph of reachable blocks, of any shape.
func randomGraph(t testing.TB, r *rand.Rand, most int) *Graph {
	t.Helper()
	n := 2 + r.IntN(most-1)
	blocks := make([]Block, n+1)
	var edges []Edge
	for b := range n {
		blocks[b] = Block{First: b, End: b + 1, Zero: b == 0}
		var targets []BlockID
		if b+1 < n && r.IntN(4) > 0 {
			targets = append(targets, BlockID(b+1))
		}
		for range r.IntN(3) {
			to := BlockID(r.IntN(n))
			if !slices.Contains(targets, to) {
				targets = append(targets, to)
			}
		}
		if b+1 < n && len(targets) == 0 {
			targets = append(targets, BlockID(b+1))
		}
		if len(targets) == 0 {
			edges = append(edges, Edge{From: BlockID(b), To: BlockID(n), Kind: Return})
			continue
		}
		for _, to := range targets {
			edges = append(edges, Edge{From: BlockID(b), To: to, Kind: Switch, Cases: 1})
		}
	}
	blocks[n] = Block{First: n, End: n, Zero: true}
	reached := reach(n+1, edges, NoBlock)
	edges = slices.DeleteFunc(edges, func(e Edge) bool { return !reached[e.From] })
	g, err := New(blocks, edges, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// reach finds the blocks that the entry leads to without block without.
func reach(n int, edges []Edge, without BlockID) []bool {
	reached := make([]bool, n)
	reached[0] = without != 0
	for changed := true; changed; {
		changed = false
		for _, e := range edges {
			if reached[e.From] && !reached[e.To] && e.To != without {
				reached[e.To], changed = true, true
			}
		}
	}
	return reached
}

// TestDominators: a dominates b when without a nothing leads to b.
func TestDominators(t *testing.T) {
	for seed := range 300 {
		g := randomGraph(t, rand.New(rand.NewPCG(uint64(seed), 1)), 14)
		all := reach(len(g.Blocks), g.Edges, NoBlock)
		for a := range BlockID(len(g.Blocks)) {
			if g.Reachable(a) != all[a] {
				t.Fatalf("seed %d: b%d: reachable %v\n%v", seed, a, g.Reachable(a), g)
			}
			without := reach(len(g.Blocks), g.Edges, a)
			for b := range BlockID(len(g.Blocks)) {
				if want := all[b] && (a == b || !without[b]); g.Dominates(a, b) != want {
					t.Fatalf("seed %d: b%d dominates b%d: %v\n%v", seed, a, b, !want, g)
				}
			}
		}
	}
}

// TestLoops checks what makes a loop nesting forest.
func TestLoops(t *testing.T) {
	irreducible, nested := 0, 0
	for seed := range 1000 {
		g := randomGraph(t, rand.New(rand.NewPCG(uint64(seed), 2)), 12)
		checkLoops(t, g)
		for _, l := range g.Loops {
			if l.Irreducible {
				irreducible++
			}
			if l.Depth > 1 {
				nested++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d\n%v", seed, g)
		}
	}
	if irreducible < 100 || nested < 100 {
		t.Errorf("%d irreducible and %d nested loops are too few", irreducible, nested)
	}
}

func checkLoops(t *testing.T, g *Graph) {
	t.Helper()
	n := len(g.Blocks)
	for l := range LoopID(len(g.Loops)) {
		loop := &g.Loops[l]
		if own, ok := g.IsHeader(loop.Header); !ok || own != l {
			t.Errorf("loop %d: b%d is not its header", l, loop.Header)
		}
		if loop.Parent >= l || loop.Parent != NoLoop && !g.InLoop(loop.Header, loop.Parent) {
			t.Errorf("loop %d: parent %d", l, loop.Parent)
		}
		// The blocks of a loop reach each other inside it.
		var body []Edge
		entries := map[BlockID]bool{}
		for _, e := range g.Edges {
			in := g.InLoop(e.To, l)
			if in && g.InLoop(e.From, l) {
				body = append(body, e)
			} else if in {
				entries[e.To] = true
			}
		}
		for b := range BlockID(n) {
			if g.InLoop(b, l) && !(connects(n, body, b, loop.Header) && connects(n, body, loop.Header, b)) {
				t.Errorf("loop %d: b%d and its header do not reach each other", l, b)
			}
		}
		delete(entries, loop.Header)
		if dominated := len(entries) == 0; dominated == loop.Irreducible {
			t.Errorf("loop %d of b%d: irreducible %v, other entries %v", l, loop.Header, loop.Irreducible, entries)
		}
	}
	// Without edges to headers from inside their loops no circle is left.
	var forward []Edge
	for i, e := range g.Edges {
		if !g.IsBackEdge(EdgeID(i)) {
			forward = append(forward, e)
		}
	}
	for b := range BlockID(n) {
		for _, e := range forward {
			if e.From == b && connects(n, forward, e.To, b) {
				t.Errorf("a circle through b%d has no header", b)
			}
		}
	}
}

func connects(n int, edges []Edge, from, to BlockID) bool {
	reached := make([]bool, n)
	reached[from] = true
	for changed := true; changed; {
		changed = false
		for _, e := range edges {
			if reached[e.From] && !reached[e.To] {
				reached[e.To], changed = true, true
			}
		}
	}
	return reached[to]
}

// TestPropagate: where every block can get to the exit, flow is conserved and one
// execution of the entry leaves once.
func TestPropagate(t *testing.T) {
	checked := 0
	for seed := range 500 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		g := randomGraph(t, r, 12)
		p := make([]float64, len(g.Edges))
		ends := true
		for b := range g.Blocks {
			out := g.Blocks[b].Out
			for _, e := range out {
				p[e] = 1 / float64(len(out))
			}
			ends = ends && (!g.Reachable(BlockID(b)) || connects(len(g.Blocks), g.Edges, BlockID(b), g.Exit()))
		}
		g.Propagate(p)
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		if !ends {
			continue
		}
		slow := false // irreducible loops settle in rounds, some too slowly
		for _, l := range g.Loops {
			slow = slow || l.Irreducible
		}
		if slow {
			continue
		}
		checked++
		for b := range g.Blocks {
			in, out := 0.0, 0.0
			if b == 0 {
				in = 1
			}
			for _, e := range g.Blocks[b].In {
				in += g.Edges[e].Freq
			}
			for _, e := range g.Blocks[b].Out {
				out += g.Edges[e].Freq
			}
			if f := g.Blocks[b].Freq; !near(in, f) || BlockID(b) != g.Exit() && !near(out, f) {
				t.Fatalf("seed %d: b%d: in %v, freq %v, out %v\n%v", seed, b, in, f, out, g)
			}
		}
		if f := g.Blocks[g.Exit()].Freq; !near(f, 1) {
			t.Fatalf("seed %d: left %v times\n%v", seed, f, g)
		}
	}
	if checked < 50 {
		t.Errorf("only %d graphs checked", checked)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) }

// TestCheck breaks graphs in ways that Check must notice.
func TestCheck(t *testing.T) {
	good := func() ([]Block, []Edge) {
		return []Block{{End: 1, Zero: true}, {First: 1, End: 2}, {First: 2, End: 2, Zero: true}},
			[]Edge{{From: 0, To: 1}, {From: 1, To: 2, Kind: Return}}
	}
	if _, err := newWithoutHandlers(good()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		want  string
		spoil func(blocks []Block, edges []Edge) ([]Block, []Edge)
	}{
		{"starts at 2", func(b []Block, e []Edge) ([]Block, []Edge) { b[1].First = 2; b[1].End = 3; return b, e }},
		{"empty range", func(b []Block, e []Edge) ([]Block, []Edge) { b[1].End = 1; return b, e }},
		{"forced zeros", func(b []Block, e []Edge) ([]Block, []Edge) { b[0].Zero = false; return b, e }},
		{"forced zeros", func(b []Block, e []Edge) ([]Block, []Edge) { b[1].Handler = true; return b, e }},
		{"frequency NaN", func(b []Block, e []Edge) ([]Block, []Edge) { b[1].Freq = math.NaN(); return b, e }},
		{"frequency -1", func(b []Block, e []Edge) ([]Block, []Edge) { e[1].Freq = -1; return b, e }},
		{"fall-through to another", func(b []Block, e []Edge) ([]Block, []Edge) {
			e[1].Kind = FallThrough
			return b,
				e
		}},
		{"taken edge to the exit", func(b []Block, e []Edge) ([]Block, []Edge) { e[1].Kind = Taken; return b, e }},
		{"no forced zero", func(b []Block, e []Edge) ([]Block, []Edge) { e[1].Kind = Throw; return b, e }},
		{"only one", func(b []Block, e []Edge) ([]Block, []Edge) {
			return b,
				append(e, Edge{From: 1, To: 0, Kind: Taken})
		}},
		{"two fallthrough", func(b []Block, e []Edge) ([]Block, []Edge) { return b, append(e, e[0]) }},
		{"unknown kind(9)", func(b []Block, e []Edge) ([]Block, []Edge) { e[0].Kind = 9; return b, e }},
		{"no such block", func(b []Block, e []Edge) ([]Block, []Edge) { e[0].To = 7; return b, e }},
		{"unreachable", func(b []Block, e []Edge) ([]Block, []Edge) { return b, e[1:] }},
		{"an entry and an exit", func(b []Block, e []Edge) ([]Block, []Edge) { return b[:1], nil }},
	} {
		blocks, edges := test.spoil(good())
		if _, err := newWithoutHandlers(blocks, edges); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v", test.want, err)
		}
	}
}

// newWithoutHandlers is New without exception edges.
func newWithoutHandlers(blocks []Block, edges []Edge) (*Graph, error) { return New(blocks, edges, nil) }
