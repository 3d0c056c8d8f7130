package callenc

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestEncoder walks random programs with loops, recursion, exceptions and three threads, while epochs change at any
// moment, in the middle of stacks. Each context is decoded when it is made, and all of them again at the end; with
// words of few bits many edges stay without a constant.
func TestEncoder(t *testing.T) {
	for _, limit := range []uint64{0, 1, 2, 7, 1 << 10} {
		anchors, contexts := 0, 0
		for seed := range uint64(30) {
			random := rand.New(rand.NewPCG(seed, limit))
			g := randomGraph(random, 2+random.IntN(12), 4+random.IntN(40))
			x := NewEncoder(limit)
			threads := make([]walker[Context], 3)
			var samples []sample[Context]
			hot := map[Edge]uint64{}
			for range 1000 {
				if random.IntN(200) == 0 {
					x.Advance(hot)
					clear(hot)
				}
				w := &threads[random.IntN(len(threads))]
				e, called := w.step(g, random, 60, Context{}, x.Call)
				if !called {
					continue
				}
				hot[e]++
				s := w.sample()
				if limit > 0 && s.id.Value >= limit {
					t.Fatalf("limit %d, seed %d: value %d", limit, seed, s.id.Value)
				}
				samples = append(samples, s)
				checkContext(t, x, s)
			}
			chains := map[string]bool{}
			for _, s := range samples {
				checkContext(t, x, s)
				chains[fmt.Sprint(s.calls)] = true
			}
			anchors += x.Stats().Anchors
			contexts += len(chains)
		}
		t.Logf("limit %d: %d anchors for %d contexts", limit, anchors, contexts)
	}
}

func checkContext(t *testing.T, x *Encoder, s sample[Context]) {
	t.Helper()
	calls, err := x.Decode(s.method, s.id)
	if err != nil || !slices.Equal(calls, s.calls) {
		t.Fatalf("%+v: decoded %v (%v), want %v", s.id, calls, err, s.calls)
	}
}

// layers has methods in layers, each of which calls all of the next layer twice: width·(2·width)^(depth-1) contexts
// for its last one.
func layers(depth, width int) graph {
	g := make(graph, 1+depth*width)
	method := func(layer, i int) Method { return Method(1 + layer*width + i) }
	for i := range width {
		g[Root] = append(g[Root], Edge{Root, method(0, i), int32(i)})
	}
	for layer := range depth - 1 {
		for i := range width {
			for k := range 2 * width {
				g[method(layer, i)] = append(g[method(layer, i)], Edge{method(layer, i), method(layer+1, k%width),
					int32(k)})
			}
		}
	}
	return g
}

// TestSettles: once all edges are known and in an epoch, a program without recursion makes an anchor for each way in
// which a thread begins and no other, whatever it calls from where. The paper's graph never settles
// (TestNeverSettles).
func TestSettles(t *testing.T) {
	const depth, width = 12, 6
	g, x := layers(depth, width), NewEncoder(0)
	for caller := range g {
		for _, e := range g[caller] {
			x.Call(e, Context{})
		}
	}
	x.Advance(nil)
	before := x.Stats()
	random := rand.New(rand.NewPCG(1, 1))
	var w walker[Context]
	chains := map[string]bool{}
	for range 30000 {
		if _, called := w.step(g, random, depth, Context{}, x.Call); called {
			s := w.sample()
			checkContext(t, x, s)
			chains[fmt.Sprint(s.calls)] = true
		}
	}
	after := x.Stats()
	t.Logf("%d contexts met, of %d·12^11; %d edges, %d anchors, %d bytes", len(chains), width, after.Edges,
		after.Anchors-before.Anchors, after.Bytes())
	if after.Anchors-before.Anchors > width || after.Epochs != before.Epochs || len(chains) < 5000 {
		t.Errorf("%+v, before %+v, %d contexts", after, before, len(chains))
	}
}

// TestRecursion: each level of a recursion takes an anchor, the first time; a recursion through several methods takes
// one for each turn. (That of the first call is as old as the first epoch.)
func TestRecursion(t *testing.T) {
	cycle := []Edge{{1, 2, 0}, {2, 3, 0}, {3, 1, 0}}
	x := NewEncoder(0)
	for _, e := range append(cycle, Edge{Root, 1, 0}) {
		x.Call(e, Context{})
	}
	x.Advance(nil)
	before := x.Stats().Anchors
	const turns = 1000
	for range 3 {
		c := x.Call(Edge{Root, 1, 0}, Context{})
		for i := range 3 * turns {
			c = x.Call(cycle[i%3], c)
		}
		if calls, err := x.Decode(1, c); err != nil || len(calls) != 3*turns+1 {
			t.Fatalf("%d calls decoded (%v)", len(calls), err)
		}
	}
	if made := x.Stats().Anchors - before; made != turns {
		t.Errorf("%d anchors for %d turns", made, turns)
	}
}

// TestHottestAddsNothing: the edge into a method that is taken most has the addition value 0.
func TestHottestAddsNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	hot := map[Edge]uint64{}
	for _, edges := range layers(4, 5) {
		for _, e := range edges {
			hot[e] = random.Uint64N(1000)
		}
	}
	x := NewEncoder(0)
	x.Advance(hot)
	most := map[Method]Edge{}
	for e, n := range hot {
		if e.Caller != Root && n > hot[most[e.Callee]] {
			most[e.Callee] = e
		}
	}
	for _, e := range most {
		if add, known := x.current.Load().Add(e); !known || add != 0 {
			t.Errorf("%v adds %d (known: %v)", e, add, known)
		}
	}
}

// TestAtOnce has goroutines call, decode and change epochs at the same time, for the race detector.
func TestAtOnce(t *testing.T) {
	g, x := randomGraph(rand.New(rand.NewPCG(8, 8)), 10, 40), NewEncoder(0)
	var group sync.WaitGroup
	for seed := range uint64(4) {
		group.Go(func() {
			random := rand.New(rand.NewPCG(seed, 9))
			var w walker[Context]
			for i := range 2000 {
				if i%500 == 0 {
					x.Advance(nil)
				}
				if _, called := w.step(g, random, 40, Context{}, x.Call); called {
					s := w.sample()
					if calls, err := x.Decode(s.method, s.id); err != nil || !slices.Equal(calls, s.calls) {
						t.Errorf("decoded %v (%v), want %v", calls, err, s.calls)
						return
					}
				}
			}
		})
	}
	group.Wait()
}

// BenchmarkCall is one call on the fast path and one behind an anchor that is known.
func BenchmarkCall(b *testing.B) {
	x := NewEncoder(0)
	edges := []Edge{{Root, 1, 0}, {1, 2, 0}, {2, 2, 0}}
	for _, e := range edges {
		x.Call(e, Context{})
	}
	x.Advance(nil)
	first := x.Call(edges[0], Context{})
	second := x.Call(edges[1], first)
	b.Run("constant", func(b *testing.B) {
		for b.Loop() {
			x.Call(edges[1], first)
		}
	})
	b.Run("anchor", func(b *testing.B) {
		for b.Loop() {
			x.Call(edges[2], second)
		}
	})
	b.Run("reference", func(b *testing.B) { // whose histories grow all the time
		r := NewReference()
		id := r.Update(edges[0], r.Start())
		for b.Loop() {
			r.Update(edges[1], id)
		}
	})
}
