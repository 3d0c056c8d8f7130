package single

import (
	"iter"
	"math/bits"
	"math/rand/v2"
)

// store is objects by their orders. Those that were dropped, which have none then, are in the list until it is made
// anew. The zero value is empty.
type store struct {
	list    pieces[Object]
	dropped int
	slots   []slot // a power of two, a third of them free at least
	factor  uint64 // odd, by chance: nobody foresees which orders meet
}

// slot says where an object is in the list, from 1 on; 0: it is free. In the bits that no place needs it has some of
// the order's product with the factor, so that few others are looked at. Orders that are one behind the other are in
// slots that are, where there is room.
type slot uint32

// lineBits is how many slots, as a power of two, orders have that are one behind the other: as a line of the
// processor's cache has.
const lineBits = 4

// fewSlots is how many there are at least.
const fewSlots = 1 << 10

// find gives the object with an order, or nil, the free slot where it would be, and what that would have but a place.
func (s *store) find(order uint32) (o *Object, free *slot, as slot) {
	mask := uint64(len(s.slots) - 1)
	product := uint64(order>>lineBits) * s.factor
	line := product >> (64 - bits.Len64(mask>>lineBits))
	as = slot(uint32(product)^order<<16) &^ slot(mask)
	for at := line<<lineBits | uint64(order)&(1<<lineBits-1); ; at++ {
		in := &s.slots[at&mask]
		if *in == 0 {
			return nil, in, as
		}
		if (*in^as)&^slot(mask) == 0 {
			if o := s.list.at(int(*in&slot(mask)) - 1); o.Order == order {
				return o, nil, as
			}
		}
	}
}

// len is how many objects there are.
func (s *store) len() int { return s.list.n - s.dropped }

// get gives the object with an order; nil: there is none.
func (s *store) get(order uint32) *Object {
	if s.list.n == 0 {
		return nil
	}
	o, _, _ := s.find(order)
	return o
}

// put puts an object in that has an order, in place of the one that had it. False: there was one.
func (s *store) put(from *pool[Object], o *Object) bool {
	if 3*s.list.n >= 2*len(s.slots) {
		s.makeRoom(from)
	}
	in, free, as := s.find(o.Order)
	if in != nil {
		*in = *o
		return false
	}
	s.list.add(from, *o)
	*free = as | slot(s.list.n)
	return true
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
	s.dropped++
}

// tidy makes the list anew where much of it was dropped.
func (s *store) tidy(to *pool[Object]) {
	if s.dropped > s.list.n/4 {
		s.makeRoom(to)
	}
}

// makeRoom makes the list anew, and has more than a third of the slots be free, also when some more have come.
func (s *store) makeRoom(to *pool[Object]) {
	if s.dropped > 0 {
		s.compact(to)
	}
	slots := fewSlots
	for 2*slots <= 3*(s.list.n+s.list.n/16) {
		slots *= 2
	}
	if s.factor == 0 {
		s.factor = rand.Uint64() | 1
	}
	if slots == len(s.slots) {
		clear(s.slots)
	} else {
		s.slots = nil
		s.slots = make([]slot, slots)
	}
	for i := range s.list.n {
		_, free, as := s.find(s.list.at(i).Order)
		*free = as | slot(i+1)
	}
}

// compact leaves out what was dropped.
func (s *store) compact(to *pool[Object]) {
	n := 0
	for o := range s.all() {
		*s.list.at(n) = *o
		n++
	}
	s.list.truncate(to, n)
	s.dropped = 0
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
