package heapgraph_test

import (
	"testing"
	"time"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/heapgraph"
	"mallard/internal/trace"
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
	checkReading(t, e.All(), h)
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

// checkReading: who does not ask for all moments keeps the objects of the last one alone, in whatever records they are.
func checkReading(t *testing.T, events []*trace.Events, h *heap.History) {
	t.Helper()
	var single []*trace.Events
	for _, e := range events {
		for kind, data := range e.All() {
			single = append(single, &trace.Events{Observer: e.Observer, Data: data,
				Headers: []trace.EventHeader{{Kind: kind, Bytes: uint32(len(data))}}})
		}
	}
	for _, records := range [][]*trace.Events{events, single} {
		for _, all := range []bool{false, true} {
			reading := heap.NewReading(false)
			reading.AllReferences = all
			lists := 0
			for _, record := range records {
				reading.Add(record)
			}
			for _, e := range reading.Events {
				for kind := range e.All() {
					if kind == abi.EventHeapObjects {
						lists++
					}
				}
			}
			g, err := heapgraph.New(reading.Events, h, heapgraph.End)
			if err != nil || g.Objects != 5 || !g.Complete {
				t.Fatalf("of %d records the last has %+v, %v", len(records), g, err)
			}
			if want := map[bool]int{false: 1, true: 3}[all]; lists != want {
				t.Errorf("of %d records %d lists of objects are kept, want %d", len(records), lists, want)
			}
		}
	}
}
