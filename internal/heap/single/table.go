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
	unordered  []Object
	doubts     doubts
	looked     looked
	was, is    Object // that arrive
}

// Fates hear what becomes of objects, which are theirs while they are called; nil: nobody hears it.
type Fates struct {
	Lives func(was, is *Object) // a collection has left it alive
	Came  func(is *Object)      // a collection has left it, and nobody knows what it was before
	Died  func(*Object)
	Lost  func(*Object) // nobody will know whether it lives
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

// All gives the objects, in no order, each until the next one.
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
		for o := range t.newborn.all() {
			if !yield(o) {
				return
			}
		}
	}
}

// Most is how many objects there are at most.
func (t *Table) Most() int { return t.young.len() + t.old.len() + len(t.unordered) + t.newborn.most() }

// Resume takes what a keyframe says of all objects: a walk with Held, which stays as it is but for that. The table goes
// on from there.
func (t *Table) Resume(w *Walk) {
	t.doubts, t.Gaps = w.Held.doubts, w.Held.gaps
	for i := range w.Held.objects.n {
		if o := *w.Held.objects.at(i); !t.insert(&o) {
			t.Twice = append(t.Twice, o)
		}
	}
}

// Born takes what was born before a pause. What a first walk finds was, whoever put it there. The walk is the table's
// from there on, and has other objects no more.
func (t *Table) Born(pause int, w *Walk, first bool) {
	of := bornWalk{w, int32(pause)}
	again, runs := w.End.Given > t.orders, len(t.newborn.runs)
	for c := range w.list.chunks() {
		isYoung := !isOld(c.in.space)
		for k := 0; k < len(c.objects); k++ {
			p, at := &c.objects[k], c.first+k
			if isYoung && !again { // as most
				if n := t.fresh(c.objects[k:]); n > 0 && t.newborn.add(of, at, p.order, n) {
					k += int(n) - 1
					continue
				}
			}
			isNew := p.has(isNew)
			if p.has(isMoved) && !first {
				p.rest |= isTaken
				continue
			}
			o := p.object(c.in)
			o.Born = of.born
			switch {
			case o.Order != 0 && t.isShared(&o, isNew, again):
				t.share(1, isNew && again)
				o.Order = 0
				t.insert(&o)
			case isNew && isYoung && t.newborn.add(of, at, o.Order, 1):
				continue
			default:
				t.insert(&o)
			}
			p.rest |= isTaken
		}
	}
	if len(t.newborn.runs) > runs {
		t.newborn.walks = append(t.newborn.walks, of)
	} else {
		w.free()
	}
	t.LeftOut += w.End.LeftOut
}

// fresh is how many of the first objects have just been given orders, one behind the other, that are theirs alone.
func (t *Table) fresh(list []packed) (n uint32) {
	first := list[0].order
	for int(n) < len(list) && list[n].rest&(isMoved|isNew) == isNew && list[n].order == first+n {
		n++
	}
	return t.doubts.certain(first, n)
}

// isShared looks for another object with the order of one that was not known. Nobody can tell them apart from there on.
func (t *Table) isShared(o *Object, isNew, again bool) bool {
	why := t.doubts.of(o.Order)
	if why == shared {
		return true
	}
	if isNew && !again && why == certain {
		return false
	}
	if !isNew {
		t.doubts.set(o.Order, foreign)
	}
	other, is := t.takeOut(o.Order)
	if !is {
		return false
	}
	t.doubts.set(o.Order, shared)
	t.share(1, isNew && again && why == certain)
	other.Order = 0
	t.insert(&other)
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
	case o.IsOld():
		return t.old.put(&t.pool, o)
	}
	return t.young.put(&t.pool, o)
}

// takeOut takes such an object out of the table.
func (t *Table) takeOut(order uint32) (o Object, is bool) {
	if o, is = t.young.take(order); is {
		return o, true
	}
	if o, is = t.old.take(order); is {
		return o, true
	}
	return t.newborn.take(order)
}
