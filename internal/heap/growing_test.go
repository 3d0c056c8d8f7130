package heap

import (
	"math"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
)

// TestGrowing: only what grows all the time is said to grow.
func TestGrowing(t *testing.T) {
	const big = 1_000_000 // objects that stay
	held := func(class string, n func(i uint64) uint64) func(uint64) (string, uint64) {
		return func(i uint64) (string, uint64) { return class, n(i) }
	}
	leak := held("Leak", func(i uint64) uint64 { return 1000 * i })
	full := func(uint64) uint64 { return abi.HeapEverything }
	young := func(uint64) uint64 { return abi.HeapYoung }
	markedAt := func(n uint64) func(uint64) uint64 {
		return func(i uint64) uint64 {
			if i == n {
				return abi.HeapNothing
			}
			return abi.HeapYoung
		}
	}
	fullAt := func(n uint64) func(uint64) uint64 {
		return func(i uint64) uint64 {
			if i%n == n-1 {
				return abi.HeapEverything
			}
			return abi.HeapYoung
		}
	}
	for _, test := range []struct {
		name        string
		collections uint64
		kind        func(i uint64) uint64           // of collections
		held        func(i uint64) (string, uint64) // objects of 16 bytes, behind the collection before
		want        string
		full        bool
		each        float64 // seconds between collections that were looked at
	}{
		{"a leak", 40, full, leak, "Leak", true, 1},
		{"a leak that some garbage hides", 40, full,
			held("Leak", func(i uint64) uint64 { return 1000*i + 3000*(i%2) }), "Leak", true, 1},
		{"a leak at which few full collections look", 40, fullAt(7), leak, "Leak", false, 1},
		{"a leak that G1 has marked", 40, markedAt(29), leak, "Leak", false, 39.0 / 38},
		{"a leak that it has marked too early to say", 40, markedAt(21), leak, "", false, 0},
		{"what no collection has looked at", 40, young, leak, "", false, 0},
		{"a full cache, whose old entries wait for a full collection", 40, fullAt(10),
			held("Cache", func(i uint64) uint64 { return 10000 + 1000*(i%10) }), "", false, 0},
		{"the same, where that comes seldom", 40, fullAt(29),
			held("Cache", func(i uint64) uint64 { return 1000 + 1000*(i%29) }), "", false, 0},
		{"a cache that fills and is full then", 40, full,
			held("Cache", func(i uint64) uint64 { return 1000 * min(i, 20) }), "", false, 0},
		{"a cache that is full soon before the end", 40, full,
			held("Cache", func(i uint64) uint64 { return 1000 * min(i, 28) }), "", false, 0},
		{"what grows slower at last", 40, full,
			held("Cache", func(i uint64) uint64 { return 300*i + 700*min(i, 20) }), "", false, 0},
		{"what has begun to grow", 40, full,
			held("Cache", func(i uint64) uint64 { return 1000 * (max(i, 20) - 20) }), "", false, 0},
		{"what goes up and down at last", 40, full,
			held("Cache", func(i uint64) uint64 { return 1000*i + 6000*(i%2)*(i/20) }), "", false, 0},
		{"churn", 40, fullAt(3), held("Churn", func(i uint64) uint64 { return 1000 * (i % 3) }), "", false, 0},
		{"one step", 40, full, held("Step", func(i uint64) uint64 { return 100_000 * (i / 30) }), "", false, 0},
		{"what is too little", 40, full, held("Little", func(i uint64) uint64 { return i }), "", false, 0},
		{"too few collections", 9, full, leak, "", false, 0},
		{"nothing", 0, full, leak, "", false, 0},
	} {
		var e heaptest.Events
		region, before := uint64(0), uint64(0)
		for i := range test.collections {
			if i > 0 {
				class, n := test.held(i)
				stays := uint64(0)
				if i == 1 || test.kind(i-1) == abi.HeapEverything {
					region, before, stays = region+1, 0, big
				}
				e.Rows(inOld(uint32(region)), of(class, n-before, 16*(n-before)), of("Stays", stays, 16*stays))
				before = n
			}
			e.Born(of("Leak", 2000, 32000))
			e.Walk(ends{Collection: i, Start: i * 1e9})
			if test.kind(i) == abi.HeapEverything {
				e.Finish(i*1e9, abi.HeapEverything, region)
			} else {
				e.Finish(i*1e9, test.kind(i))
			}
		}
		h := NewHistory(e.All())
		got, name := h.Growing(len(h.Pauses)-1, Query{}), ""
		for _, g := range got {
			name += g.Name
			if math.Abs(g.Slope-16000) > 320 || math.Abs(g.Each-16000*test.each) > 320*test.each ||
				g.Full != test.full {
				t.Errorf("%s: %+v", test.name, g)
			}
		}
		if name != test.want {
			t.Errorf("%s: %s grows, want %s: %+v", test.name, name, test.want, got)
		}
		if h.Damaged = 1; h.Growing(len(h.Pauses)-1, Query{}) != nil {
			t.Errorf("%s: something grows where events are missing", test.name)
		}
		if h.Damaged = 0; got != nil && h.Growing(len(h.Pauses)-1, Query{Class: "Stays"}) != nil {
			t.Errorf("%s: what is not selected grows", test.name)
		}
	}
}
