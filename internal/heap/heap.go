package heap

import (
	"iter"
	"maps"

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
	places map[place]map[Class]Amount
	spaces [Spaces]Amount // sums
}

func newHeap() *Heap { return &Heap{places: map[place]map[Class]Amount{}} }

// isEmpty reports whether there is nothing.
func (h *Heap) isEmpty() bool { return len(h.places) == 0 }

// bytes has the bytes by space, of what is unused too.
func (h *Heap) bytes() (sums [Spaces]int64) {
	for space, sum := range h.spaces {
		sums[space] = sum.Bytes
	}
	return sums
}

func (h *Heap) add(at place, class Class, a Amount) {
	table := h.places[at]
	if table == nil {
		table = map[Class]Amount{}
		h.places[at] = table
	}
	table[class] = table[class].plus(a)
	h.spaces[at.space] = h.spaces[at.space].plus(a)
}

// addAll adds what another heap has, which stays as it is.
func (h *Heap) addAll(other *Heap) {
	for at, table := range other.places {
		if h.places[at] == nil {
			h.places[at] = maps.Clone(table)
			continue
		}
		for class, a := range table {
			h.places[at][class] = h.places[at][class].plus(a)
		}
	}
	for space, sum := range other.spaces {
		h.spaces[space] = h.spaces[space].plus(sum)
	}
}

// take moves what is in some places to another heap.
func (h *Heap) take(to *Heap, some func(place) bool) {
	for at := range h.places {
		if some(at) {
			h.takePlace(to, at)
		}
	}
}

// takePlace moves what is in a place to another heap, which has nothing there.
func (h *Heap) takePlace(to *Heap, at place) {
	table := h.places[at]
	if table == nil {
		return
	}
	delete(h.places, at)
	to.places[at] = table
	for _, a := range table {
		h.spaces[at.space] = h.spaces[at.space].minus(a)
		to.spaces[at.space] = to.spaces[at.space].plus(a)
	}
}

// all gives the objects of each class in each place.
func (h *Heap) all() iter.Seq2[place, entry] {
	return func(yield func(place, entry) bool) {
		for at, table := range h.places {
			for class, a := range table {
				if !yield(at, entry{class, a}) {
					return
				}
			}
		}
	}
}

// entry is objects of one class.
type entry struct {
	class Class
	Amount
}
