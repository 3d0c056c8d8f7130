package single

import (
	"cmp"
	"iter"
	"slices"

	"mallard/internal/abi"
)

// newborn are births since a collection came. Of most all that is held is which orders they have, and the events that
// tell of them.
type newborn struct {
	walks    []bornWalk
	runs     []run // in the order of births
	near     int   // in runs: where an order was found last
	n        int   // objects in them
	nameless int64 // in the walks: their orders are shared

	taken []uint64 // a bit for each object in runs that has one
	found int      // bits that are set
}

// bornWalk is a walk and the pause before which its objects were born.
type bornWalk struct {
	*Walk
	born int32
}

// run is objects with orders one behind the other.
type run struct {
	order, n uint32 // of the first; how many
	at       int    // of the first, among the objects of all runs
	born     int32
}

// end is behind the last order.
func (l *newborn) end() uint32 {
	if len(l.runs) == 0 {
		return 0
	}
	last := &l.runs[len(l.runs)-1]
	return last.order + last.n
}

// add takes objects that have orders one behind the other, none of which another one here has.
func (l *newborn) add(order, n uint32, born int32) {
	at := l.n
	l.n += int(n)
	if last := len(l.runs) - 1; last >= 0 && order == l.end() && l.runs[last].born == born &&
		l.runs[last].at+int(l.runs[last].n) == at {
		l.runs[last].n += n
		return
	}
	i, _ := slices.BinarySearchFunc(l.runs, order, func(r run, order uint32) int { return cmp.Compare(r.order, order) })
	l.runs = slices.Insert(l.runs, i, run{order, n, at, born})
}

// find gives the run of an order; nil: it is not here.
func (l *newborn) find(order uint32) *run {
	if len(l.runs) == 0 || order < l.runs[0].order { // as those that have lived for longer
		return nil
	}
	if r := &l.runs[min(l.near, len(l.runs)-1)]; order-r.order < r.n {
		return r
	}
	low, high := 0, len(l.runs)
	for low < high {
		middle := (low + high) / 2
		if l.runs[middle].order <= order {
			low = middle + 1
		} else {
			high = middle
		}
	}
	l.near = low - 1
	if r := &l.runs[l.near]; order-r.order < r.n {
		return r
	}
	return nil
}

// take gives what is known without its event of the object with an order; false: it is not here, or somebody has taken
// it before.
func (l *newborn) take(order uint32) (o Object, is bool) {
	r := l.find(order)
	if r == nil {
		return Object{}, false
	}
	if more := (l.n+63)/64 - len(l.taken); more > 0 {
		l.taken = append(l.taken, make([]uint64, more)...)
	}
	word, bit := l.bit(r, order)
	if *word&bit != 0 {
		return Object{}, false
	}
	*word |= bit
	l.found++
	return Object{Order: order, Space: abi.HeapEden, Born: r.born, Promoted: Unknown}, true
}

// bit is that of an object in a run.
func (l *newborn) bit(r *run, order uint32) (word *uint64, bit uint64) {
	at := r.at + int(order-r.order)
	return &l.taken[at/64], 1 << (at % 64)
}

// isTaken reports whether take has given the object with an order.
func (l *newborn) isTaken(order uint32) bool {
	r := l.find(order)
	if r == nil || r.at+int(order-r.order) >= 64*len(l.taken) {
		return false
	}
	word, bit := l.bit(r, order)
	return *word&bit != 0
}

// all gives the objects, also those that were taken, each until the next one. An order that is shared is none.
func (l *newborn) all(doubts *doubts) iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, w := range l.walks {
			for o := range l.of(w, w.births.events, doubts) {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// byAddress is all in the order of addresses, as long as no two events have objects in one place.
func (l *newborn) byAddress(doubts *doubts) iter.Seq[*Object] {
	type event struct {
		bornWalk
		at int // in births
	}
	return func(yield func(*Object) bool) {
		var events []event
		for _, w := range l.walks {
			for at := range w.births.events {
				events = append(events, event{w, at})
			}
		}
		address := func(e event) uint64 { return e.births.events[e.at].address }
		slices.SortFunc(events, func(a, b event) int { return cmp.Compare(address(a), address(b)) })
		for _, e := range events {
			for o := range l.of(e.bornWalk, e.births.events[e.at:][:1], doubts) {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// of gives the objects of some events of a walk.
func (l *newborn) of(w bornWalk, events []birthEvent, doubts *doubts) iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		o := Object{Promoted: Unknown, Born: w.born}
		for in, p := range born(w.decoder, events) {
			if p.in(in, &o); l.nameless > 0 && doubts.of(o.Order) == shared {
				o.Order = 0
			}
			if !yield(&o) {
				return
			}
		}
	}
}

// clear gives the memory back.
func (l *newborn) clear() {
	clear(l.walks)
	*l = newborn{walks: l.walks[:0], runs: l.runs[:0], taken: l.taken[:0]}
}
