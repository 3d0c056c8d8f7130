package session

import (
	"math/rand/v2"
	"testing"

	"mallard/internal/trace"
)

// TestCounterSpace takes and gives numbers at random: nobody ever has a number that somebody else has, and given ones are taken again.
func TestCounterSpace(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const limit = 100_000
	space := counterSpace{limit: limit}
	var taken []counterRange
	owner := map[trace.CounterID]bool{}
	for range 20_000 {
		if len(taken) > 40 {
			i := random.IntN(len(taken) - 3)
			space.give(taken[i : i+3 : i+3])
			for _, r := range taken[i : i+3] {
				for c := r.first; c < r.end; c++ {
					delete(owner, c)
				}
			}
			taken = append(taken[:i:i], taken[i+3:]...)
		}
		n := random.Uint32N(20)
		first, ok := space.take(n)
		if !ok {
			t.Fatal("no numbers are left")
		}
		r := counterRange{first, first + trace.CounterID(n)}
		if middle := first + trace.CounterID(n/2); n > 0 {
			space.define(counterRange{first, middle})
			if n > 1 && space.isOpen(first) || !space.isOpen(middle) || !space.isOpen(r.end-1) {
				t.Fatalf("of %v up to %d is defined, open are %v", r, middle, space.open)
			}
			space.define(r)
		}
		taken = append(taken, r)
		for c := r.first; c < r.end; c++ {
			if owner[c] {
				t.Fatalf("number %d is taken twice", c)
			}
			owner[c] = true
		}
	}
	if len(space.open) > 0 {
		t.Errorf("open are %v", space.open)
	}
	if space.end > 2000 {
		t.Errorf("numbers go up to %d for %d that are in use", space.end, len(owner))
	}
	if _, ok := space.take(limit); ok {
		t.Error("more numbers than there are")
	}
	if _, ok := space.take(limit - uint32(space.end)); !ok {
		t.Error("the last numbers cannot be taken")
	}
}
