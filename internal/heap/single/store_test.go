package single

import (
	"math/rand/v2"
	"testing"
)

// TestStore: a store has what a map has, whatever was put in and taken out before.
func TestStore(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		var s store
		var spare pool[Object]
		want := map[uint32]uint32{} // words, by order
		for step := uint32(1); step < 20_000; step++ {
			order := 1 + random.Uint32N(1<<(4+seed))
			switch random.IntN(5) {
			case 0, 1, 2:
				if _, is := want[order]; s.put(&spare, &Object{Order: order, Words: step}) == is {
					t.Fatalf("put of %d, which was there: %v", order, is)
				}
				want[order] = step
			case 3:
				words, is := want[order]
				if o, got := s.take(order); got != is || o.Words != words || is && o.Order != order {
					t.Fatalf("took %+v, %v, want %d, %v", o, got, words, is)
				}
				delete(want, order)
			default:
				if o := s.get(order); o != nil != (want[order] != 0) || o != nil && o.Words != want[order] {
					t.Fatalf("got %+v, want %d", o, want[order])
				}
			}
			if step%3000 == 2999 {
				for o := range s.all() {
					if o.Words != want[o.Order] {
						t.Fatalf("has %+v, want %d", o, want[o.Order])
					}
					if o.Order%8 != 0 {
						delete(want, o.Order)
						s.drop(o)
					}
				}
				if step%7000 > 3500 {
					s.tidy(&spare)
				}
			}
			if s.len() != len(want) {
				t.Fatalf("%d objects, want %d", s.len(), len(want))
			}
			if 3*(s.list.n-1) >= 2*len(s.slots) {
				t.Fatalf("%d objects in %d slots", s.list.n, len(s.slots))
			}
		}
	}
}
