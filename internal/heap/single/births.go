package single

import "iter"

// births are objects that a walk has found new, in young spaces, and given orders to: most of all. They stay the events
// that tell of them until somebody asks for the objects.
type births struct {
	events []birthEvent
	n      int // objects
}

// birthEvent is an event that tells of some, perhaps among others.
type birthEvent struct {
	readAgain
	address  uint64 // of the first object
	order, n uint32
	from, to int // in the walk's list: the others
}

// orders gives those of the objects, as a first one and how many there are from it on: behind the last order comes 1.
func (e *birthEvent) orders(last uint32) iter.Seq2[uint32, uint32] {
	return func(yield func(order, n uint32) bool) {
		n := min(e.n, last-e.order+1)
		if yield(e.order, n) && n < e.n {
			yield(1, e.n-n)
		}
	}
}

// chunksOfBirths gives all objects of events, those that are no births too, and the event that each is of.
func chunksOfBirths(d *Decoder, events []birthEvent) iter.Seq2[*birthEvent, chunk] {
	return chunksOf(d, events, func(e *birthEvent) *readAgain { return &e.readAgain })
}

// born gives the births of events.
func born(d *Decoder, events []birthEvent) iter.Seq2[*span, *packed] {
	return func(yield func(*span, *packed) bool) {
		for _, c := range chunksOfBirths(d, events) {
			for k := range c.objects {
				if p := &c.objects[k]; p.has(isNew) && !yield(c.in, p) {
					return
				}
			}
		}
	}
}
