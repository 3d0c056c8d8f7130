package single

import (
	"iter"

	"mallard/internal/abi"
)

// Table is the objects that are in the heap.
type Table struct {
	Fates
	Gaps
	// whether an object may have been another one, as far as classes say; nil: nobody asks. Only where some were left
	// out: one of these may have the hash of another one that died.
	Same func(was, is *Object) bool

	orders     int64 // that there are; behind the last one the first is given again
	young, old store // but those of newborn
	pool       pool[Object]
	newborn    newborn // since a collection came
	looked     newborn // that a collection is looking at, until the next walk
	looksAtOld bool    // it is looking at objects in old
	failed     bool    // the last one had no room for all that it was to move
	unordered  []Object
	doubts     doubts
	was, is    Object // that arrive
}

// Fates hear what becomes of objects, which are theirs while they are called; nil: nobody hears it.
type Fates struct {
	Lives func(was, is *Object) // a collection has left it alive
	Came  func(is *Object)      // a collection has left it, and nobody knows what it was before
	Died  func(*Object)
	Lost  func(*Object) // nobody will know whether it lives

	// Died and Lost hear also of those that the first collection behind their birth has come to, and Lives more of what
	// they were than when they were born: events are read twice for that
	Newborn bool
}

// NewTable makes one of an empty heap.
func NewTable(f Fates) *Table {
	if f.Lives == nil {
		f.Lives = func(_, _ *Object) {}
	}
	if f.Came == nil {
		f.Came = func(*Object) {}
	}
	if f.Died == nil {
		f.Died = func(*Object) {}
	}
	if f.Lost == nil {
		f.Lost = func(*Object) {}
	}
	return &Table{Fates: f, orders: abi.OrderMask, doubts: newDoubts()}
}

// All gives the objects, in no order, each until the next one. Walks may not Add any meanwhile.
func (t *Table) All() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, objects := range []*store{&t.young, &t.old} {
			for o := range objects.all() {
				if !yield(o) {
					return
				}
			}
		}
		for i := range t.unordered {
			if !yield(&t.unordered[i]) {
				return
			}
		}
		for o := range t.newborn.all(&t.doubts) {
			if !yield(o) {
				return
			}
		}
	}
}

// Resume takes what a keyframe says of all objects: a walk with Held, which stays as it is but for that. The table goes
// on from there.
func (t *Table) Resume(w *Walk) {
	t.doubts, t.Gaps, t.failed = w.Held.doubts, w.Held.gaps, w.Held.failed
	for i := range w.Held.objects.n {
		if o := *w.Held.objects.at(i); !t.insert(&o) {
			t.Twice = append(t.Twice, o)
		}
	}
}

// Born takes what was born before a pause. What a first walk finds was, whoever put it there. The walk is the table's
// from there on, and has other objects no more.
func (t *Table) Born(pause int, w *Walk, first bool) {
	again := w.End.Given > t.orders
	for i := range w.births.events {
		for order, n := range w.births.events[i].orders(uint32(t.orders)) {
			t.born(int32(pause), order, n, again)
		}
	}
	for c := range w.list.chunks(0, w.list.n) {
		for k := range c.objects {
			if p := &c.objects[k]; first || !p.has(isMoved) {
				t.bornAlone(int32(pause), c.in, p, again)
			}
		}
	}
	if first {
		for c := range w.allMoved() {
			for k := range c.objects {
				t.bornAlone(int32(pause), c.in, &c.objects[k], again)
			}
		}
	}
	w.moved = nil
	if w.free(); w.births.n > 0 {
		t.newborn.walks = append(t.newborn.walks, bornWalk{w, int32(pause)})
	}
	t.LeftOut += w.End.LeftOut
	t.Unplaced += w.End.Unplaced
}

// bornAlone takes an object that is none of births.
func (t *Table) bornAlone(pause int32, in *span, p *packed, again bool) {
	o := p.object(in)
	o.Born = pause
	if isNew := p.has(isNew); o.Order != 0 && t.isShared(o.Order, isNew, again) {
		t.share(1, isNew && again)
		o.Order = 0
	}
	t.insert(&o)
}

// born takes orders that a walk has given one behind the other to births.
func (t *Table) born(pause int32, order, n uint32, again bool) {
	for n > 0 {
		isLast := order >= t.newborn.end()
		if !again && isLast { // as most
			if certain := t.doubts.certain(order, n); certain > 0 {
				t.newborn.add(order, certain, pause)
				order, n = order+certain, n-certain
				continue
			}
		}
		if t.isShared(order, true, again || !isLast) {
			t.share(1, again)
			t.newborn.nameless++
		} else {
			t.newborn.add(order, 1, pause)
		}
		order, n = order+1, n-1
	}
}

// isShared looks for another object with the order of one that was not known. Nobody can tell them apart from there on.
func (t *Table) isShared(order uint32, isNew, again bool) bool {
	why := t.doubts.of(order)
	if why == shared {
		return true
	}
	if isNew && !again && why == certain {
		return false
	}
	if !isNew {
		t.doubts.set(order, foreign)
	}
	if !t.unname(order) {
		return false
	}
	t.doubts.set(order, shared)
	t.share(1, isNew && again && why == certain)
	return true
}

// share counts objects that share an order.
func (t *Table) share(n int64, again bool) {
	if again {
		t.Again += n
	} else {
		t.Shared += n
	}
}

// insert puts an object in. False: one that had its order was there, and is no longer.
func (t *Table) insert(o *Object) bool {
	switch {
	case o.Order == 0:
		t.unordered = append(t.unordered, *o)
		return true
	}
	return t.storeOf(o).put(&t.pool, o)
}

func (t *Table) storeOf(o *Object) *store {
	if o.IsOld() {
		return &t.old
	}
	return &t.young
}

// unname has the object with an order have none, which is shared from there on; false: there is no such object, but
// perhaps one that a collection is looking at.
func (t *Table) unname(order uint32) bool {
	for _, in := range []*store{&t.young, &t.old} {
		if o := in.get(order); o != nil && !o.Looked {
			other := *o
			in.drop(o)
			other.Order = 0
			t.insert(&other)
			return true
		}
	}
	_, is := t.newborn.take(order)
	if is {
		t.newborn.nameless++
	}
	return is
}
