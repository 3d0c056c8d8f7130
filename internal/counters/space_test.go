package counters

import (
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

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

// TestHold: numbers that are given back are taken again only when all objects have been met that there were by then,
// and none has them for a tag; and as often as one is taken, its turn as a tag is the next one.
func TestHold(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const limit = 20_000
	space, tags := NewSpace(limit), &Tags{}
	space.Hold(tags)
	var taken []Range
	given, turns, carried := map[trace.CounterID]time.Duration{}, map[trace.CounterID]int{}, map[trace.CounterID]bool{}
	met, known := time.Duration(0), true
	for now := time.Duration(1); now < 30_000; now++ {
		if len(taken) > 300 {
			i := random.IntN(len(taken))
			space.GiveBack(taken[i:i+1], now)
			for c := taken[i].First; c < taken[i].End; c++ {
				given[c] = now
				if random.IntN(20) == 0 {
					carried[c] = true // by what lives on
				}
			}
			taken = slices.Delete(taken, i, i+1)
		}
		if now%50 == 0 {
			known, met = random.IntN(10) > 0, max(met, now-time.Duration(random.Int64N(int64(min(now, 200)))))
			for c := range carried {
				if random.IntN(50) == 0 {
					delete(carried, c) // it died
				}
			}
			space.Release(met, now, func() (iter.Seq[uint32], bool) {
				return func(yield func(uint32) bool) {
					for c := range carried {
						if !yield(tags.Turned(uint32(c))) || !yield(abi.TagOthers) {
							return
						}
					}
				}, known
			})
		}
		n := random.Uint32N(20)
		r, ok := space.Take(n)
		if !ok {
			t.Fatal("no numbers are left")
		}
		space.Define(r)
		taken = append(taken, r)
		for c := r.First; c < r.End; c++ {
			if at, was := given[c]; was {
				if at >= met || carried[c] {
					t.Fatalf("at %v number %d is taken, which was given back at %v; %v is met, carried %v", now, c, at,
						met, carried[c])
				}
				turns[c]++
				delete(given, c)
			}
			if want := uint32(c) | uint32(turns[c])<<abi.TagTurnShift; tags.Turned(uint32(c)) != want {
				t.Fatalf("%d is %#x in its turn, want %#x", c, tags.Turned(uint32(c)), want)
			}
		}
	}
	if space.Early() > 0 || len(turns) < limit/4 {
		t.Errorf("%d were taken early, %d again", space.Early(), len(turns))
	}
	for ok := true; ok; { // whatever waits is taken when there is nothing else
		_, ok = space.Take(16)
	}
	if space.Early() == 0 {
		t.Error("none were taken early")
	}
}

// TestTurnsEnd: a tag has so many turns, and no more.
func TestTurnsEnd(t *testing.T) {
	var tags Tags
	for turn := range abi.LastTagTurn {
		some, ok := tags.Again(Range{7, 9})
		if want := uint32(7 | (turn+1)<<abi.TagTurnShift); !ok || some != (Range{7, 9}) || tags.Turned(7) != want {
			t.Fatalf("turn %d: %v, %#x", turn+1, some, tags.Turned(7))
		}
	}
	if some, ok := tags.Again(Range{7, 9}); ok {
		t.Errorf("%v have another turn", some)
	}
	if some, ok := tags.Again(Range{6, 9}); !ok || some != (Range{6, 7}) {
		t.Errorf("%v have a turn", some)
	}
	if _, ok := tags.Again(Range{abi.TagNone, abi.TagNone + 1}); ok {
		t.Error("what is no site's has turns")
	}
}
