package single

import (
	"iter"
	"math/bits"
	"math/rand/v2"
)

// store is objects by their orders. Those that were taken out, which have none then, are in the list until it is made
// anew. The zero value is empty.
type store struct {
	list   pieces[Object]
	taken  int
	slots  []slot // a power of two, half of them free at least
	factor uint64 // odd, by chance: nobody foresees which orders meet
}

// slot says where an object is in the list. Orders that are one behind the other are, where there is room.
type slot struct{ order, at uint32 } // no order: it is free

// lineBits is how many slots, as a power of two, orders have that are one behind the other: as a line of the
// processor's cache has.
const lineBits = 3

// How many slots there are at least, and for each object where they are used again.
const (
	fewSlots  = 1 << 10
	manySlots = 16
)

// find gives the slot of an order, or the free one where it would be.
func (s *store) find(order uint32) *slot {
	mask := uint64(len(s.slots) - 1)
	line := uint64(order>>lineBits) * s.factor >> (64 - bits.Len64(mask>>lineBits))
	for at := line<<lineBits | uint64(order)&(1<<lineBits-1); ; at++ {
		if slot := &s.slots[at&mask]; slot.order == order || slot.order == 0 {
			return slot
		}
	}
}

// len is how many objects there are.
func (s *store) len() int { return s.list.n - s.taken }

// get gives the object with an order; nil: there is none.
func (s *store) get(order uint32) *Object {
	if s.list.n == 0 {
		return nil
	}
	if slot := s.find(order); slot.order != 0 {
		if o := s.list.at(int(slot.at)); o.Order != 0 {
			return o
		}
	}
	return nil
}

// put puts an object in that has an order, in place of the one that had it. False: there was one.
func (s *store) put(from *pool[Object], o *Object) bool {
	if 2*s.list.n >= len(s.slots) {
		s.makeRoom(from)
	}
	place := s.find(o.Order)
	if place.order == 0 {
		*place = slot{o.Order, uint32(s.list.n)}
		s.list.add(from, *o)
		return true
	}
	in := s.list.at(int(place.at))
	isNew := in.Order == 0
	if isNew {
		s.taken--
	}
	*in = *o
	return isNew
}

// take takes an object out.
func (s *store) take(order uint32) (o Object, is bool) {
	in := s.get(order)
	if in == nil {
		return Object{}, false
	}
	o = *in
	s.drop(in)
	return o, true
}

// drop takes one out that get or all has given.
func (s *store) drop(o *Object) {
	o.Order = 0
	s.taken++
}

// makeRoom has two thirds of the slots, at least, be free. Where most of the list was taken it is made anew.
func (s *store) makeRoom(to *pool[Object]) {
	before := s.slots
	if s.taken > s.list.n/2 {
		before = nil
		s.compact(to)
	}
	slots := fewSlots
	for slots < 3*s.list.n {
		slots *= 2
	}
	if s.slots = make([]slot, slots); s.factor == 0 {
		s.factor = rand.Uint64() | 1
	}
	for _, slot := range before { // in the order of lines, which is the same there
		if slot.order != 0 {
			*s.find(slot.order) = slot
		}
	}
	for i := 0; before == nil && i < s.list.n; i++ {
		order := s.list.at(i).Order
		*s.find(order) = slot{order, uint32(i)}
	}
}

// compact leaves out what was taken.
func (s *store) compact(to *pool[Object]) {
	n := 0
	for o := range s.all() {
		*s.list.at(n) = *o
		n++
	}
	s.list.truncate(to, n)
	s.taken = 0
}

// clear takes all out.
func (s *store) clear(to *pool[Object]) {
	if len(s.slots) > manySlots*s.list.n {
		s.slots = nil
	}
	clear(s.slots)
	s.list.truncate(to, 0)
	s.taken = 0
}

// all gives the objects, which may be dropped.
func (s *store) all() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, piece := range s.list.list {
			for i := range piece {
				if o := &piece[i]; o.Order != 0 && !yield(o) {
					return
				}
			}
		}
	}
}
