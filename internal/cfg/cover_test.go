package cfg

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCover walks through random graphs: before a block that is covered, a walk has come to exactly one block of the
// cover, once.
func TestCover(t *testing.T) {
	late := 0
	for seed := range 2000 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		g := randomGraph(t, r, 14)
		var blocks []BlockID
		for range 1 + r.IntN(4) {
			blocks = append(blocks, BlockID(r.IntN(len(g.Blocks)-1)))
		}
		cover := g.Cover(blocks)
		if !slices.Contains(cover, g.Entry()) {
			late++
			walk(t, r, g, blocks, cover)
		}
		for _, b := range blocks {
			if g.Reachable(b) && !slices.ContainsFunc(cover, func(c BlockID) bool { return g.Dominates(c, b) }) {
				t.Fatalf("seed %d: %v do not cover b%d\n%v", seed, cover, b, g)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v cover %v\n%v", seed, cover, blocks, g)
		}
	}
	if late < 200 {
		t.Errorf("%d covers without the entry", late)
	}
}

// walk goes along edges, and says where it has come to a block that is not covered, or to the cover twice.
func walk(t *testing.T, r *rand.Rand, g *Graph, blocks, cover []BlockID) {
	for range 30 {
		seen, at := 0, g.Entry()
		for step := 0; step < 40 && at != g.Exit(); step++ {
			if slices.Contains(cover, at) {
				seen++
			}
			if seen > 1 || seen == 0 && slices.Contains(blocks, at) {
				t.Errorf("at b%d after %d of the cover", at, seen)
				return
			}
			out := g.Blocks[at].Out
			at = g.Edges[out[r.IntN(len(out))]].To
		}
	}
}

// TestCoverIsLate: one block is covered by the nearest that dominates it and is in no cycle.
func TestCoverIsLate(t *testing.T) {
	for seed := range 300 {
		g := randomGraph(t, rand.New(rand.NewPCG(uint64(seed), 9)), 12)
		for b := range g.Exit() {
			want := b
			for g.Reachable(b) && want != g.Entry() && g.After([]BlockID{want})[want] {
				want = g.Blocks[want].Idom
			}
			if got := g.Cover([]BlockID{b}); g.Reachable(b) && !slices.Equal(got, []BlockID{want}) {
				t.Fatalf("seed %d: %v cover b%d, not b%d\n%v", seed, got, b, want, g)
			}
		}
	}
}

// TestAfter compares with ways found by other means.
func TestAfter(t *testing.T) {
	for seed := range 300 {
		g := randomGraph(t, rand.New(rand.NewPCG(uint64(seed), 8)), 12)
		for b := range BlockID(len(g.Blocks)) {
			after := g.After([]BlockID{b})
			for other := range BlockID(len(g.Blocks)) {
				want := slices.ContainsFunc(g.Edges, func(e Edge) bool {
					return e.From == b && (e.To == other || connects(len(g.Blocks), g.Edges, e.To, other))
				})
				if after[other] != want {
					t.Fatalf("seed %d: b%d after b%d: %v\n%v", seed, other, b, after[other], g)
				}
			}
		}
	}
}
