package counters

import (
	"math/rand/v2"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// TestSpace takes and gives numbers at random: nobody ever has a number that somebody else has, and given ones are
// taken again.
func TestSpace(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const limit = 100_000
	space := NewSpace(limit)
	var taken []Range
	owner := map[trace.CounterID]bool{}
	for range 20_000 {
		if len(taken) > 40 {
			i := random.IntN(len(taken) - 3)
			space.Free(taken[i : i+3 : i+3])
			for _, r := range taken[i : i+3] {
				for c := r.First; c < r.End; c++ {
					delete(owner, c)
				}
			}
			taken = append(taken[:i:i], taken[i+3:]...)
		}
		n := random.Uint32N(20)
		r, ok := space.Take(n)
		if !ok {
			t.Fatal("no numbers are left")
		}
		if r.Len() != n || r.First < abi.FirstCounter {
			t.Fatalf("%v for %d numbers", r, n)
		}
		if middle := r.First + trace.CounterID(n/2); n > 0 {
			space.Define(Range{r.First, middle})
			undefined := space.Undefined()
			if n > 1 && undefined.Has(r.First) || !undefined.Has(middle) || !undefined.Has(r.End-1) {
				t.Fatalf("of %v up to %d is defined, undefined are %v", r, middle, undefined)
			}
			space.Define(r)
		}
		taken = append(taken, r)
		for c := r.First; c < r.End; c++ {
			if owner[c] {
				t.Fatalf("number %d is taken twice", c)
			}
			owner[c] = true
		}
	}
	if undefined := space.Undefined(); len(undefined) > 0 {
		t.Errorf("open are %v", undefined)
	}
	if space.End() > 2000 {
		t.Errorf("numbers go up to %d for %d that are in use", space.End(), len(owner))
	}
	if _, ok := space.Take(limit); ok {
		t.Error("more numbers than there are")
	}
	if _, ok := space.Take(limit - uint32(space.End())); !ok {
		t.Error("the last numbers cannot be taken")
	}
}
