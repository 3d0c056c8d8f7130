package heap

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/heap/single"
	"mallard/internal/trace"
)

// TestPromotedAge: each object that was promoted has, as long as it is there, the age of which the program says that it
// had then.
func TestPromotedAge(t *testing.T) {
	e := new(heaptest.Events).RandomSingles(rand.New(rand.NewPCG(3, 7)), 60)
	type object struct {
		order uint32
		born  int
	}
	lives := map[object]*heaptest.Life{}
	for _, l := range e.Lives {
		if l.Order != 0 {
			lives[object{l.Order, l.Born}] = l
		}
	}
	h, ages := NewHistory(e.All()), map[int]int{}
	for i := range h.Pauses {
		answer, err := h.Objects(i, Query{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range answer.Rows {
			l := lives[object{o.Order, int(o.Born)}]
			if l == nil || o.Promoted < 0 {
				continue
			}
			age, known := o.PromotedAge()
			if !known || int(age) != l.Promoted {
				t.Fatalf("pause %d: object %d was promoted at age %d (known: %v), want %d", i, o.Order, age, known,
					l.Promoted)
			}
			ages[int(age)]++
		}
	}
	if len(ages) < 4 {
		t.Errorf("that is not what was to be tested: %v", ages)
	}
}

// TestPromotedAgeBehindKeyframe: a keyframe has ages; one that was made before they were noted is read without.
func TestPromotedAgeBehindKeyframe(t *testing.T) {
	for _, before := range []bool{false, true} {
		f, r, walks := NewFollower(true), NewReading(true), 0
		for _, e := range oneByOne(heaptest.Singly().All()) {
			if f.Take(e.kind, e.data); e.kind == abi.EventHeapWalk {
				walks++
			}
			if walks == 3 { // entries 1 and 4 were promoted at age 0, 3 at 1; a collection is to come to them
				break
			}
		}
		for part := range f.Keyframe() {
			if before {
				part = withoutAges(part)
			}
			r.Add(part)
		}
		h := r.History()
		answer, err := h.Objects(0, Query{})
		if err != nil || h.Damaged > 0 || len(answer.Rows) != 3 {
			t.Fatalf("%v, %d events are damaged, %d objects", err, h.Damaged, len(answer.Rows))
		}
		for _, o := range answer.Rows {
			age, known := o.PromotedAge()
			if want := map[uint32]uint8{3: 1}[o.Order]; known == before || known && age != want ||
				o.Promoted != single.Earlier {
				t.Errorf("without ages: %v: object %d was promoted at age %d, known: %v", before, o.Order, age, known)
			}
		}
	}
}

// withoutAges is a part of a keyframe as it was before ages of promoted objects were noted, all of which have one.
func withoutAges(k *trace.EventsKeyframe) *trace.EventsKeyframe {
	less, data := *k, k.Data
	less.Headers, less.Data = nil, nil
	for _, header := range k.Headers {
		event := data[:header.Bytes]
		data = data[header.Bytes:]
		if header.Kind == abi.EventHeapHeld && binary.LittleEndian.Uint32(event[abi.HeapHeldSpace:]) == abi.HeapOld {
			event = event[:len(event)-int(binary.LittleEndian.Uint32(event[abi.HeapHeldObjects:]))]
		}
		header.Bytes = uint32(len(event))
		less.Headers, less.Data = append(less.Headers, header), append(less.Data, event...)
	}
	return &less
}
