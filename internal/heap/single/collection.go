package single

import "iter"

// lose has an object without an identity be looked at.
func (t *Table) lose(o *Object) {
	t.Unordered++
	t.Lost(o)
}

// ArriveFailed is Arrive where the collection had no room for all that it was to move: what is not known is counted by
// itself, also what the next one finds without an identity.
func (t *Table) ArriveFailed(pause int, w *Walk, anew bool) {
	before := t.Gaps
	t.Arrive(pause, w, anew)
	t.Remains += t.Late - before.Late + t.Unordered - before.Unordered
	t.Failed += t.Shared - before.Shared
	t.Late, t.Unordered, t.Shared = before.Late, before.Unordered, before.Shared
	t.failed = true
}

// Leave has a collection look at objects: young ones, and those of the old generation that may have gone.
func (t *Table) Leave(young bool, old func(*Object) bool) {
	before := t.Unordered
	if young {
		for o := range t.young.all() {
			o.Looked = true
		}
		t.looked, t.newborn = t.newborn, t.looked
	}
	if t.looksAtOld = old != nil; t.looksAtOld {
		for o := range t.old.all() {
			o.Looked = old(o)
		}
	}
	kept := t.unordered[:0]
	for i := range t.unordered {
		o := &t.unordered[i]
		if o.IsOld() && (old == nil || !old(o)) || !o.IsOld() && !young {
			kept = append(kept, *o)
		} else {
			t.lose(o)
		}
	}
	if t.unordered = kept; t.failed {
		t.Remains, t.Unordered, t.failed = t.Remains+t.Unordered-before, before, false
	}
}

func (t *Table) maySame(was, is *Object) bool {
	return was.Words == is.Words && (t.Same == nil || t.Same(was, is))
}

// Arrive takes what the collection of a pause has moved; the others of those that it looked at are dead. In a walk that
// is not whole nobody is known to be dead. Where it has read anew what is there, what is known was not born.
func (t *Table) Arrive(pause int, w *Walk, anew bool) {
	gone := func(o *Object) {
		t.doubts.died(o.Order)
		t.Died(o)
	}
	if !w.IsWhole() {
		gone = func(o *Object) {
			t.Unseen++
			t.Lost(o)
		}
	}
	t.Unordered += t.looked.nameless
	if t.Newborn || t.LeftOut > 0 {
		t.part(w, anew, gone)
	}
	again := w.End.Given > t.orders
	for in, p := range w.arrived(anew) {
		t.arrive(int32(pause), p, in, again)
	}
	if !w.IsWhole() {
		t.Unseen += int64(t.looked.n - t.looked.found)
	}
	t.looked.clear()
	t.leaveOut(&t.young, gone)
	if t.looksAtOld {
		t.leaveOut(&t.old, gone)
	}
	t.forget(w)
}

// leaveOut has all be gone that a collection has looked at in vain.
func (t *Table) leaveOut(of *store, gone func(*Object)) {
	for o := range of.all() {
		if o.Looked {
			gone(o)
			of.drop(o)
		}
	}
	of.tidy(&t.pool)
}

// arrived gives what may have been there before.
func (w *Walk) arrived(anew bool) iter.Seq2[*span, *packed] {
	return func(yield func(*span, *packed) bool) {
		for c := range w.allMoved() {
			for k := range c.objects {
				if !yield(c.in, &c.objects[k]) {
					return
				}
			}
		}
		if !anew {
			return
		}
		for c := range w.list.chunks(0, w.list.n) {
			for k := range c.objects {
				if p := &c.objects[k]; !p.has(isNew) && !yield(c.in, p) {
					return
				}
			}
		}
	}
}

// part has births that a walk has found alive be looked at as what has lived for longer is, and the others be gone.
func (t *Table) part(w *Walk, anew bool, gone func(*Object)) {
	for _, p := range w.arrived(anew) {
		t.looked.take(p.order)
	}
	for o := range t.looked.all(&t.doubts) {
		switch {
		case o.Order == 0:
			t.Lost(o)
		case t.looked.isTaken(o.Order):
			o.Looked = true
			t.young.put(&t.pool, o)
			o.Looked = false
		default:
			gone(o)
		}
	}
	t.looked.clear()
}

// forget has the meanings of numbers be forgotten that are of no use behind a walk, which is the last one.
func (t *Table) forget(w *Walk) {
	if len(t.newborn.walks) > 0 {
		w = t.newborn.walks[0].Walk
	}
	if d := w.decoder; d != nil {
		before := d.meanings.now()
		if len(w.births.events) > 0 {
			before = w.births.events[0].meanings
		}
		d.meanings.drop(before)
	}
}

// arrive takes an object that may have been there before.
func (t *Table) arrive(pause int32, p *packed, in *span, again bool) {
	o, was, isNew := &t.is, &t.was, p.has(isNew)
	*o = p.object(in)
	var from *store
	var at *Object // there, or nil
	known := false
	if o.Order != 0 && t.doubts.of(o.Order) != shared {
		if *was, known = t.looked.take(o.Order); !known {
			if at, from = t.lookedAt(o.Order); at != nil {
				*was, known = *at, true
				was.Looked = false
			}
		}
	}
	if known && (isNew || t.LeftOut > 0 && !t.maySame(was, o)) { // nobody knows who had it before
		t.doubts.set(o.Order, shared)
		t.share(2, again)
		t.lose(was)
		known = false
	}
	if !known && at != nil {
		from.drop(at)
		at = nil
	}
	if !known && !p.has(isMoved) {
		return
	}
	p.rest |= isMoved
	switch {
	case !known && o.Order != 0 && t.doubts.of(o.Order) == shared: // it is counted
		o.Order = 0
	case !known && o.Order != 0 && t.isShared(o.Order, isNew, again):
		t.share(1, isNew && again)
		o.Order = 0
	}
	if known {
		o.Born, o.Promoted, o.Moves = was.Born, was.Promoted, was.Moves+1
		o.Settled = was.IsOld() && o.IsOld()
		if o.IsOld() && !was.IsOld() {
			o.Promoted = pause
		}
		if o.IsOld() {
			o.Age = was.Age
		}
		t.Lives(was, o)
	} else {
		if o.IsOld() {
			o.Age = NoAge
		}
		t.Late++
		t.Came(o)
	}
	switch {
	case at != nil && from == t.storeOf(o):
		*at = *o
		return
	case at != nil:
		from.drop(at)
	}
	if !t.insert(o) {
		t.Twice = append(t.Twice, *o)
	}
}

// lookedAt gives the object with an order that a collection looks at, and where it is; nil: there is none.
func (t *Table) lookedAt(order uint32) (*Object, *store) {
	if o := t.young.get(order); o != nil && o.Looked {
		return o, &t.young
	}
	if t.looksAtOld {
		if o := t.old.get(order); o != nil && o.Looked {
			return o, &t.old
		}
	}
	return nil, nil
}
