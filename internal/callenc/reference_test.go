package callenc

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTheorem1 is the paper's theorem: whatever chain of calls an invocation was reached by, decoding its number
// gives that chain. Random programs with loops, recursion and two threads are walked; every number is decoded when it
// is made, and all of them again at the end, when the graph has changed many times. Each step of the paper's proof is
// looked at as well: lv has, in the callee's version, the version that the caller was entered in.
func TestTheorem1(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		g := randomGraph(random, 2+random.IntN(8), 4+random.IntN(20))
		r := NewReference()
		threads := make([]walker[ReferenceID], 2)
		var samples []sample[ReferenceID]
		for range 400 {
			w := &threads[random.IntN(len(threads))]
			e, called := w.step(g, random, 20, r.Start(), r.Update)
			if !called {
				continue
			}
			s := w.sample()
			samples = append(samples, s)
			before := r.Start()
			if n := len(w.frames); n > 1 {
				before = w.frames[n-2].id
			}
			if got := r.leftAt(e.Caller, s.id.V); got != before.V {
				t.Fatalf("seed %d: lv(%d) in version %d is %d, and it was entered in %d", seed, e.Caller, s.id.V, got,
					before.V)
			}
			check(t, r, s)
		}
		for _, s := range samples {
			check(t, r, s)
		}
	}
}

func check(t *testing.T, r *Reference, s sample[ReferenceID]) {
	t.Helper()
	calls, err := r.Decode(s.method, s.id)
	if err != nil || !slices.Equal(calls, s.calls) {
		t.Fatalf("%v in version %d: decoded %v (%v), want %v", s.id.C, s.id.V, calls, err, s.calls)
	}
}

// TestTheorem1Fails is the shortest program that the paper's own addition values do not decode. f calls itself by two
// calls, and is then 7 of 5 contexts; g, which it calls by two calls, takes 7 for the second one's.
func TestTheorem1Fails(t *testing.T) {
	const f, g = 1, 2
	for _, r := range []*Reference{NewLiteral(), NewReference()} {
		id := r.Update(Edge{Root, f, 0}, r.Start())
		id = r.Update(Edge{f, f, 1}, id)
		id = r.Update(Edge{f, f, 2}, id)
		r.Update(Edge{f, g, 3}, id)
		r.Update(Edge{f, g, 4}, id)
		last := r.Update(Edge{f, g, 3}, id)
		calls, err := r.Decode(g, last)
		wrong := err != nil || !slices.Equal(calls, []Edge{{Root, f, 0}, {f, f, 1}, {f, f, 2}, {f, g, 3}})
		if wrong != r.literal {
			t.Errorf("literal %v: f is %v of %v contexts, decoded %v (%v)", r.literal, id.C, r.NumCC(f), calls, err)
		}
	}
}

// TestExample2 is the paper's: A → B → C → E is 0, A → B → D → E is 1, and X → B → D → E is 2 in a later version,
// which knows nothing of X → B → C → E.
func TestExample2(t *testing.T) {
	const a, b, c, d, e, x = 1, 2, 3, 4, 5, 6
	r := NewReference()
	path := func(methods ...Method) (id ReferenceID) {
		id = r.Start()
		caller := Root
		for _, m := range methods {
			id = r.Update(Edge{caller, m, 0}, id)
			caller = m
		}
		return id
	}
	for i, id := range []ReferenceID{path(a, b, c, e), path(a, b, d, e), path(x, b, d, e)} {
		if id.C.Int64() != int64(i) {
			t.Errorf("path %d is %v in version %d", i, id.C, id.V)
		}
	}
}

// TestGrowth shows why Algorithm 1 is a reference and no product. A method with two calls of itself doubles numCC
// with each level, so that
// 64 bits last for 63 calls; with one call it grows by one, and never settles.
func TestGrowth(t *testing.T) {
	for _, test := range []struct{ sites, calls, bits int }{{2, 63, 64}, {1, 1000, 10}} {
		r := NewReference()
		id := r.Update(Edge{Root, 1, 0}, r.Start())
		calls := 0
		for r.NumCC(1).BitLen() < test.bits && calls < 2000 {
			id = r.Update(Edge{1, 1, int32(calls % test.sites)}, id)
			calls++
		}
		t.Logf("%d calls of itself: numCC has %d bits after %d calls, the number %d, and the graph %d versions",
			test.sites, r.NumCC(1).BitLen(), calls, id.C.BitLen(), r.Version())
		if calls < test.calls/2 || calls > test.calls {
			t.Errorf("%d calls of itself: %d bits after %d calls, want about %d", test.sites, test.bits, calls,
				test.calls)
		}
	}
}

// TestNeverSettles: in a loop that calls f, which calls g, without any recursion, every turn makes a version. The
// caller of g was entered in a version that the call of g itself had made the time before.
func TestNeverSettles(t *testing.T) {
	r := NewReference()
	main := r.Update(Edge{Root, 1, 0}, r.Start())
	turn := func() {
		f := r.Update(Edge{1, 2, 0}, main)
		r.Update(Edge{2, 3, 0}, f)
	}
	turn()
	before := r.Version()
	const turns = 1000
	for range turns {
		turn()
	}
	if made := r.Version() - before; made != turns {
		t.Errorf("%d versions in %d turns", made, turns)
	}
}
