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

// ByAddress gives all objects in the order of addresses, first those that have none, each until the next one. It takes
// four bytes of memory for each but those that were born since a collection: events have these one behind the other.
// The table must not change meanwhile.
func (t *Table) ByAddress() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		older := t.sorted()
		o := older.next()
		for born := range t.newborn.byAddress(&t.doubts) {
			for ; o != nil && o.Address <= born.Address; o = older.next() {
				if !yield(o) {
					return
				}
			}
			if !yield(born) {
				return
			}
		}
		for ; o != nil; o = older.next() {
			if !yield(o) {
				return
			}
		}
	}
}

// byAddress gives all objects but those of newborn, as ByAddress.
func (t *Table) byAddress() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		objects := t.sorted()
		for o := objects.next(); o != nil && yield(o); o = objects.next() {
		}
	}
}

// sorted is places of objects, in the order of addresses as far as they have been asked for.
type sorted struct {
	table   *Table
	places  []uint32
	ends    []uint32 // in places, of ranges that have not been sorted
	at, end int
}

// sorted has all objects but those of newborn.
//
//  1. Count the objects in each range of addresses.
//  2. Put their places, which are in the order of the table, together by range.
//  3. Sort each range when the one before is over.
func (t *Table) sorted() sorted {
	first, last := uint64(math.MaxUint64), uint64(0)
	for _, o := range t.placed() {
		if last = max(last, o.Address); o.Address != 0 {
			first = min(first, o.Address)
		}
	}
	shift := max(0, bits.Len64(last-min(first, last))-ranges)
	ends := make([]uint32, 1<<ranges+1) // of ranges, from 1 on
	for _, o := range t.placed() {
		ends[1+(max(o.Address, first)-first)>>shift]++
	}
	for i := range len(ends) - 1 {
		ends[i+1] += ends[i]
	}
	places := make([]uint32, ends[len(ends)-1])
	for at, o := range t.placed() { // then ends has that of each range from 0 on
		end := &ends[(max(o.Address, first)-first)>>shift]
		places[*end] = at
		*end++
	}
	return sorted{table: t, places: places, ends: ends[:len(ends)-1]}
}

// next gives the next object; nil: there is none.
func (s *sorted) next() *Object {
	for s.at == s.end {
		if len(s.ends) == 0 {
			return nil
		}
		s.end, s.ends = int(s.ends[0]), s.ends[1:]
		slices.SortFunc(s.places[s.at:s.end], func(a, b uint32) int {
			return cmp.Compare(s.table.at(a).Address, s.table.at(b).Address)
		})
	}
	s.at++
	return s.table.at(s.places[s.at-1])
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
