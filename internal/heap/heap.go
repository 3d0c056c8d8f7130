package heap

import (
	"iter"

	"mallard/internal/abi"
)

// Space is a part of the heap.
type Space uint8

// The spaces. All but G1's, which has regions for each, are one range of memory, or two.
const (
	Eden      Space = abi.HeapEden
	Survivor  Space = abi.HeapSurvivor
	Old       Space = abi.HeapOld
	Humongous Space = abi.HeapHumongous // G1's, of objects that are larger than half a region
	Spaces          = abi.HeapSpaces
)

var spaceNames = [Spaces]string{"eden", "survivor", "old", "humongous"}

// String returns the word for s in reports.
func (s Space) String() string { return spaceNames[s] }

// IsOld reports whether the space is of the old generation, as humongous objects are.
func (s Space) IsOld() bool { return s == Old || s == Humongous }

// place is where objects are.
type place struct {
	space  Space
	age    uint8  // young collections that they have come through, in survivor spaces
	region uint32 // G1's number, of what is old
}

// Heap is objects by class and place: those of a moment, or those that came or went.
type Heap struct {
	places map[place]*table
	spaces [Spaces]Amount // sums
}

func newHeap() *Heap { return &Heap{places: map[place]*table{}} }

// isEmpty reports whether there is nothing.
func (h *Heap) isEmpty() bool { return len(h.places) == 0 }

// bytes has the bytes by space, of what is unused too.
func (h *Heap) bytes() (sums [Spaces]int64) {
	for space, sum := range h.spaces {
		sums[space] = sum.Bytes
	}
	return sums
}

func (h *Heap) add(at place, entries ...entry) {
	t := h.places[at]
	if t == nil {
		t = &table{}
		h.places[at] = t
	}
	t.add(entries)
	for _, e := range entries {
		h.spaces[at.space] = h.spaces[at.space].plus(e.Amount)
	}
}

// addAll adds what another heap has, which stays as it is.
func (h *Heap) addAll(other *Heap) {
	for at, t := range other.places {
		h.add(at, t.entries...)
	}
}

// take moves what is in some places to another heap, which has nothing there.
func (h *Heap) take(to *Heap, some func(place) bool) {
	for at, t := range h.places {
		if !some(at) {
			continue
		}
		delete(h.places, at)
		to.places[at] = t
		for _, e := range t.entries {
			h.spaces[at.space] = h.spaces[at.space].minus(e.Amount)
			to.spaces[at.space] = to.spaces[at.space].plus(e.Amount)
		}
	}
}

// classes gives those of all that there is, some more than once.
func (h *Heap) classes(yield func(Class) bool) {
	for _, e := range h.all() {
		if !yield(e.class) {
			return
		}
	}
}

// all gives what is in each place, some classes more than once.
func (h *Heap) all() iter.Seq2[place, entry] {
	return func(yield func(place, entry) bool) {
		for at, t := range h.places {
			for _, e := range t.entries {
				if !yield(at, e) {
					return
				}
			}
		}
	}
}
