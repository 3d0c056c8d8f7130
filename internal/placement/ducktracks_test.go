package placement

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/cfg"
)

// TestPaths has the figures of the paper and the rules of its section 2.1.
func TestPaths(t *testing.T) {
	for _, test := range []struct {
		name, graph string
		want        []string
	}{
		{"figure 2, sequential", "A-B:9 A-C:1 B-E:9 C-D:1 D-E:1 E-X:10",
			[]string{"ABE", "(A)CD(E)"}},
		{"figure 2, looping", "A-B:9 A-C:1 B-E:9 C-D:8 C-E:1 D-C:8 E-X:10",
			[]string{"ABE", "(A)C(E)", "(C)D(C)"}},
		{"figure 3", "A-B:9 A-E:2 B-C:8 B-D:1 C-X:8 D-F:1 E-F:2 F-G:3 G-X:3",
			[]string{"ABC", "(A)EFG", "(B)D(F)"}},
		{"the hot path has a loop of one block", "A-B:1 B-B:9 B-C:1 C-X:1",
			[]string{"ABC", "(B)(B)"}},
		{"inner loops are split off first", "A-B:1 B-C:10 B-E:1 C-D:90 C-B:10 D-C:90 E-X:1",
			[]string{"ABE", "(C)D(C)", "(B)C(B)"}},
		{"branching points of split-off loops", "A-B:1 B-C:9 B-F:1 C-D:8 C-E:1 D-B:8 E-B:1 F-X:1",
			[]string{"ABF", "(B)CD(B)", "(C)E(B)"}},
		{"a header without other successors ends the path", "A-B:1 B-C:9 C-B:9",
			[]string{"AB", "(B)C(B)"}},
		{"no joining of a loop split off from itself: another successor",
			"A-B:1 B-C:9 B-D:5 C-E:9 D-E:4 D-F:1 E-B:13 F-X:1",
			[]string{"ABDF", "(B)CE(B)", "(D)(E)"}},
		{"no joining of a loop split off from itself: going back", "A-B:1 B-C:9 B-D:5 B-F:1 C-E:9 D-E:5 E-B:14 F-X:1",
			[]string{"ABF", "(B)CE(B)", "(B)D(E)"}},
		{"no joining of a loop split off from itself: no way out", "A-B:1 B-C:9 B-D:5 C-E:9 D-E:5 E-B:14",
			[]string{"AB", "(B)CE(B)", "(B)D(E)"}},
		{"a loop may join another path's loop", "A-B:5 A-D:1 B-C:9 B-E:5 C-B:9 D-C:1 E-X:5",
			[]string{"ABE", "(B)C(B)", "(A)D(C)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := letters(t, test.graph, "").Graph
			if diff := cmp.Diff(test.want, pathsText(g, buildPaths(g).paths)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestForcedZerosSplitPaths: the path before a forced zero ends as if it left, the
// one that starts there is built next, handlers come last.
func TestForcedZerosSplitPaths(t *testing.T) {
	g := letters(t, "A-B:9 A-C:1 A-F:0 B-D:9 C-D:1 D-E:10 E-X:10 F-E:0", "").Graph
	g.Blocks[3].Zero = true
	g.Blocks[5].Zero, g.Blocks[5].Handler = true, true
	// F is entered by an exception only.
	edges := slices.Delete(g.Edges, int(edge(t, g, 'A', 'F')), int(edge(t, g, 'A', 'F'))+1)
	g, err := cfg.New(g.Blocks, edges, []cfg.Exception{{From: 1, To: 5}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"AB", "DE", "(A)C", "F(E)"}
	if diff := cmp.Diff(want, pathsText(g, buildPaths(g).paths)); diff != "" {
		t.Error(diff)
	}
}

// TestShares: counters stay off the beginning and the end that paths share.
func TestShares(t *testing.T) {
	for _, test := range []struct {
		name, graph string
		shares      [][]int  // of each path's edges; the first of the hot path is none
		counters    []string // edges
	}{
		{"a side path", "A-B:9 A-C:1 B-D:9 C-D:1 D-X:10",
			[][]int{{2, 1, 1, 2}, {1, 1}}, []string{"A-B", "A-C"}},
		{"all edges shared", "A-B:9 A-C:1 B-D:9 C-D:1 D-E:8 D-F:2 E-G:8 F-G:2 G-X:10",
			[][]int{{3, 2, 2, 2, 2, 3}, {1, 1}, {1, 1}}, []string{"D-E", "A-C", "D-F"}},
		{"a chain of branches", "A-B:9 A-C:3 B-F:9 C-D:2 C-E:1 D-F:2 E-F:1 F-X:12",
			[][]int{{3, 1, 1, 3}, {2, 1, 1}, {1, 1}}, []string{"A-B", "C-D", "C-E"}},
		{"a chain of joins", "A-B:9 A-C:2 A-D:1 B-E:9 C-E:3 D-C:1 E-X:12",
			[][]int{{3, 1, 1, 3}, {1, 2}, {1, 1}}, []string{"A-B", "A-C", "A-D"}},
		{"a loop is shared evenly", "A-B:1 B-C:9 B-D:1 C-B:9 D-X:1",
			[][]int{{2, 2, 2, 2}, {1, 1}}, []string{"A-B", "B-C"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := letters(t, test.graph, "").Graph
			b := buildPaths(g)
			if diff := cmp.Diff(test.shares, b.shares()); diff != "" {
				t.Error(diff)
			}
			var counters []string
			for _, e := range b.counterEdges() {
				counters = append(counters, string([]byte{'A' + byte(g.Edges[e].From), '-', 'A' + byte(g.Edges[e].To)}))
			}
			if diff := cmp.Diff(test.counters, counters); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCorrections places the counters of figure 3 in all four ways the paper
// shows. Path red is ABC, blue EFG, green D, which branches off from red at B and
// joins blue at F.
func TestCorrections(t *testing.T) {
	pr := letters(t, "A-B:9 A-E:2 B-C:8 B-D:1 C-X:8 D-F:1 E-F:2 F-G:3 G-X:3", "ABCDEFG")
	g := pr.Graph
	paths := buildPaths(g).paths
	const a, b, c, d, e, f, gg = 0, 1, 2, 3, 4, 5, 6
	for _, test := range []struct {
		name      string
		red, blue [2]byte
		want      Vector // of the counter on B-D
	}{
		{"red before, blue before", [2]byte{'A', 'B'}, [2]byte{'E', 'F'}, Unit(d).Sub(Unit(c)).Add(Unit(f, gg))},
		{"red after, blue before", [2]byte{'B', 'C'}, [2]byte{'E', 'F'}, Unit(d).Add(Unit(a, b)).Add(Unit(f, gg))},
		// Blue branches off from red at A: what its counter adds for A has to go as well.
		{"red before, blue after", [2]byte{'A', 'B'}, [2]byte{'F', 'G'},
			Unit(d).Sub(Unit(c)).Sub(Unit(e)).Sub(Unit(a))},
		{"red after, blue after", [2]byte{'B', 'C'}, [2]byte{'F', 'G'},
			Unit(d).Add(Unit(a, b)).Sub(Unit(e)).Sub(Unit(a))},
	} {
		t.Run(test.name, func(t *testing.T) {
			on := edge(t, g, 'B', 'D')
			pl := pathPlan(pr, paths, []cfg.EdgeID{edge(t, g, test.red[0], test.red[1]),
				edge(t, g, test.blue[0], test.blue[1]), on})
			if err := Check(pr, pl); err != nil {
				t.Fatal(err)
			}
			if got := pl.semantics(on); !got.Equal(test.want) {
				t.Errorf("green counts %v, want %v", got, test.want)
			}
		})
	}
}

// TestLoopCorrections is figure 4: wherever the counter of the path around it is,
// a loop's counter has the allocations of the loop and of its header.
func TestLoopCorrections(t *testing.T) {
	pr := letters(t, "A-B:9 A-C:1 B-E:9 C-D:8 C-E:1 D-C:8 E-X:10", "ABCDE")
	g := pr.Graph
	paths := buildPaths(g).paths
	const c, d = 2, 3
	for _, hot := range []cfg.EdgeID{edge(t, g, 'A', 'B'), edge(t, g, 'B', 'E'), edge(t, g, 'E', 'X')} {
		for _, around := range []cfg.EdgeID{edge(t, g, 'A', 'C'), edge(t, g, 'C', 'E')} {
			for _, on := range []cfg.EdgeID{edge(t, g, 'C', 'D'), edge(t, g, 'D', 'C')} {
				pl := pathPlan(pr, paths, []cfg.EdgeID{hot, around, on})
				if err := Check(pr, pl); err != nil {
					t.Fatal(err)
				}
				if got, want := pl.semantics(on), Unit(c, d); !got.Equal(want) {
					t.Errorf("the loop counts %v, want %v", got, want)
				}
			}
		}
	}
}

// TestPaperFormulas compares φ with the paper's way to calculate semantics:
// allocations plus branching correction plus joining correction, along whole
// chains, on random graphs and with counters on edges chosen by chance.
func TestPaperFormulas(t *testing.T) {
	compared := 0
	for seed := range 2000 {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		pr := randomProblem(t, r, graphMix{blocks: 14, conserved: seed%2 == 0})
		b := buildPaths(pr.Graph)
		chosen := b.counterEdges()
		for i := range chosen {
			if seed%3 == 0 || chosen[i] == noEdge {
				continue
			}
			if e := b.paths[i].edges[r.IntN(len(b.paths[i].edges))]; e != noEdge && pr.Graph.Edges[e].Kind.Placeable() {
				chosen[i] = e
			}
		}
		pl := pathPlan(pr, b.paths, chosen)
		if err := Check(pr, pl); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		onEdge := make([]Vector, len(pr.Graph.Edges))
		formulas := &paperFormulas{pr, b, chosen}
		for i, e := range chosen {
			if e != noEdge {
				onEdge[e] = formulas.semantics(int32(i))
				compared++
			}
		}
		for e, want := range onEdge {
			if got := pl.semantics(cfg.EdgeID(e)); !got.Equal(want) {
				t.Fatalf("seed %d: edge %d counts %v, by the paper %v\n%v%v", seed, e, got, want, pr.Graph,
					pathsText(pr.Graph, b.paths))
			}
		}
	}
	if compared < 5000 {
		t.Errorf("only %d counters compared", compared)
	}
}

// paperFormulas is section 2.2.2 of the paper, word by word.
type paperFormulas struct {
	pr     *Problem
	b      *pathBuilder
	chosen []cfg.EdgeID
}

func (f *paperFormulas) semantics(i int32) Vector {
	return f.allocations(i, 0, len(f.b.paths[i].blocks)).Add(f.branching(i)).Add(f.joining(i))
}

// allocations sums those of a path's blocks from one place to before another.
func (f *paperFormulas) allocations(i int32, from, to int) Vector {
	var v Vector
	for _, b := range f.b.paths[i].blocks[from:to] {
		v = v.Add(total(f.pr.Allocs[b]))
	}
	return v
}

// counterBefore reports whether the path's counter is before the block at a place.
func (f *paperFormulas) counterBefore(i int32, place int) bool {
	for at, e := range f.b.paths[i].edges {
		if e != noEdge && e == f.chosen[i] {
			return at <= place
		}
	}
	return false
}

func (f *paperFormulas) branching(i int32) Vector {
	block := f.b.paths[i].branch
	if block == cfg.NoBlock {
		return nil
	}
	from, place := f.b.owner[block], int(f.b.index[block])
	end := len(f.b.paths[from].blocks)
	if f.counterBefore(from, place) {
		// Counted, but not traversed.
		return Vector(nil).Sub(f.allocations(from, place+1, end)).Sub(f.joining(from))
	}
	// Traversed, but not counted.
	return f.allocations(from, 0, place+1).Add(f.branching(from))
}

func (f *paperFormulas) joining(i int32) Vector {
	block := f.b.paths[i].join
	if block == cfg.NoBlock {
		return nil
	}
	to, place := f.b.owner[block], int(f.b.index[block])
	end := len(f.b.paths[to].blocks)
	if f.counterBefore(to, place) {
		// Will be traversed, but not counted.
		return f.allocations(to, place, end).Add(f.joining(to))
	}
	// Will be counted, but not traversed.
	return Vector(nil).Sub(f.allocations(to, 0, place)).Sub(f.branching(to))
}
