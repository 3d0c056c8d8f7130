package single

import (
	"cmp"
	"iter"
	"math"
	"math/bits"
	"slices"
)

// ranges is how many parts addresses are divided into, as a power of two, so that objects of each can be sorted while
// they are in the processor's cache.
const ranges = 16

// byAddress gives all objects but those of newborn, in the order of addresses, each until the next one. It takes four
// bytes of memory for each. The table must not change meanwhile.
//
//  1. Count the objects in each range of addresses.
//  2. Put their places, which are in the order of the table, together by range.
//  3. Sort each range.
func (t *Table) byAddress() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		first, last := uint64(math.MaxUint64), uint64(0)
		for _, o := range t.placed() {
			first, last = min(first, o.Address), max(last, o.Address)
		}
		shift := max(0, bits.Len64(last-min(first, last))-ranges)
		var ends [1<<ranges + 1]uint32 // of ranges, from 1 on
		for _, o := range t.placed() {
			ends[1+(o.Address-first)>>shift]++
		}
		for i := range len(ends) - 1 {
			ends[i+1] += ends[i]
		}
		places := make([]uint32, ends[len(ends)-1])
		for at, o := range t.placed() { // then ends has that of each range from 0 on
			end := &ends[(o.Address-first)>>shift]
			places[*end] = at
			*end++
		}
		begin := uint32(0)
		for _, end := range ends[:len(ends)-1] {
			in := places[begin:end]
			slices.SortFunc(in, func(a, b uint32) int { return cmp.Compare(t.at(a).Address, t.at(b).Address) })
			for _, at := range in {
				if !yield(t.at(at)) {
					return
				}
			}
			begin = end
		}
	}
}

// placed gives all objects but those of newborn, with a place for at.
func (t *Table) placed() iter.Seq2[uint32, *Object] {
	return func(yield func(uint32, *Object) bool) {
		place := uint32(0)
		for _, objects := range []*store{&t.young, &t.old} {
			for _, piece := range objects.list.list {
				for i := range piece {
					if o := &piece[i]; o.Order != 0 && !yield(place, o) {
						return
					}
					place++
				}
			}
		}
		for i := range t.unordered {
			if !yield(place, &t.unordered[i]) {
				return
			}
			place++
		}
	}
}

func (t *Table) at(place uint32) *Object {
	at := int(place)
	for _, objects := range []*store{&t.young, &t.old} {
		if at < objects.list.n {
			return objects.list.at(at)
		}
		at -= objects.list.n
	}
	return &t.unordered[at]
}
