package heapgraph_test

import (
	"testing"
	"time"

	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/heapgraph"
)

// TestMoments has references of several moments, one of them cut off: the last whole ones by a time are taken, all of
// them, and nothing of others, whose addresses and shapes are the same.
func TestMoments(t *testing.T) {
	e := heaptest.Leak()
	list := func(second uint64, objects int, whole bool) {
		const first, bytes = 0x1000, 32
		e.GraphBegin(second * 1e9)
		e.Shape(heaptest.Shape{Class: "demo/Entry", Bytes: bytes, Slots: []heaptest.Slot{{Name: "next"}}})
		e.Root(heaptest.Root{Address: first, Kind: 21})
		var entries []heaptest.Object
		for i := range uint64(objects) {
			next := first + bytes*(i+1)
			if i == uint64(objects)-1 {
				next = 0
			}
			entries = append(entries, heaptest.Object{Class: "demo/Entry", Address: first + bytes*i, Words: bytes / 8,
				To: []uint64{next}})
		}
		e.Objects(100, entries...)
		if whole {
			e.Graph(uint64(objects))
		}
	}
	list(10, 3, true)
	list(20, 7, false)
	list(30, 5, true)
	h := heap.NewHistory(e.All())
	for _, want := range []struct {
		until   time.Duration
		at      time.Duration // 0: there are none
		objects int64
	}{
		{9 * time.Second, 0, 0}, {10 * time.Second, 10 * time.Second, 3}, {29 * time.Second, 10 * time.Second, 3},
		{30 * time.Second, 30 * time.Second, 5}, {heapgraph.End, 30 * time.Second, 5},
	} {
		g, err := heapgraph.New(e.All(), h, want.until)
		switch {
		case want.at == 0 && err == nil:
			t.Errorf("by %v there are references of %v", want.until, g.At)
		case want.at == 0:
		case err != nil:
			t.Errorf("by %v: %v", want.until, err)
		default:
			strong := g.Reach().Sums[heapgraph.Strong].Objects
			if g.At != want.at || strong != want.objects || !g.Complete || g.Damaged > 0 || g.Moments != 3 {
				t.Errorf("by %v: of %v, %d of %d objects, complete %v, %d damaged, %d moments", want.until, g.At,
					strong, want.objects, g.Complete, g.Damaged, g.Moments)
			}
		}
	}
}
