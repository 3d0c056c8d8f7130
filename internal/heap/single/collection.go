package single

// lose has an object without an identity be looked at.
func (t *Table) lose(o *Object) {
	t.Unordered++
	t.Lost(o)
}

// Leave has a collection look at objects: young ones, and those of the old generation that may have gone.
func (t *Table) Leave(young bool, old func(*Object) bool) {
	if young {
		t.looked.objects, t.young = t.young, t.looked.objects
		t.looked.newborn, t.newborn = t.newborn, t.looked.newborn
	}
	if old != nil {
		for o := range t.old.all() {
			if old(o) {
				t.looked.objects.put(&t.pool, o)
				t.old.drop(o)
			}
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
	t.unordered = kept
}

func (t *Table) maySame(was, is *Object) bool {
	return was.Words == is.Words && (t.Same == nil || t.Same(was, is))
}

// Arrive takes what the collection of a pause has moved; the others of those that it looked at are dead. In a walk that
// is not whole nobody is known to be dead. Where it has read anew what is there, what is known was not born.
func (t *Table) Arrive(pause int, w *Walk, anew bool) {
	again := w.End.Given > t.orders
	for c := range w.list.chunks() {
		if !c.in.moved && !anew {
			continue // as most
		}
		for k := range c.objects {
			if p := &c.objects[k]; p.has(isMoved) || !p.has(isNew) {
				t.arrive(int32(pause), p, c.in, again)
			}
		}
	}
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
	for o := range t.looked.objects.all() {
		gone(o)
	}
	for o := range t.looked.newborn.all() {
		gone(o)
	}
	t.looked.clear(&t.pool)
}

// arrive takes an object that may have been there before.
func (t *Table) arrive(pause int32, p *packed, in *span, again bool) {
	o, was, isNew, known := &t.is, &t.was, p.has(isNew), false
	*o = p.object(in)
	if o.Order != 0 && t.doubts.of(o.Order) != shared {
		*was, known = t.looked.take(o.Order)
	}
	if known && (isNew || t.LeftOut > 0 && !t.maySame(was, o)) { // nobody knows who had it before
		t.doubts.set(o.Order, shared)
		t.share(2, again)
		t.lose(was)
		known = false
	}
	if !known && !p.has(isMoved) {
		return
	}
	p.rest |= isMoved
	switch {
	case !known && o.Order != 0 && t.doubts.of(o.Order) == shared: // it is counted
		o.Order = 0
	case !known && o.Order != 0 && t.isShared(o, isNew, again):
		t.share(1, isNew && again)
		o.Order = 0
	}
	if known {
		o.Born, o.Promoted, o.Moves = was.Born, was.Promoted, was.Moves+1
		o.Settled = was.IsOld() && o.IsOld()
		if o.IsOld() && !was.IsOld() {
			o.Promoted = pause
		}
		t.Lives(was, o)
	} else {
		t.Late++
		t.Came(o)
	}
	if !t.insert(o) {
		t.Twice = append(t.Twice, *o)
	}
}
