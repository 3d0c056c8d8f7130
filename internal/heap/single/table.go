package single

import (
	"iter"

	"mallard/internal/abi"
)

// Table is the objects that are in the heap.
type Table struct {
	// by order, but those of newborn
	young, old map[uint32]*Object
	newborn    []Object // with orders that walks have given, since a collection came
	runs       []run    // of them, in the order of births
	unordered  []Object
	foreign    map[uint32]bool // orders that no walk has given
	clashed    map[uint32]bool // those that two objects have had at a time: they stand for none any more

	// what a collection is looking at, until the next walk
	gone        map[uint32]*Object
	goneNewborn []Object
	goneRuns    []run
	met         []bool // of goneNewborn: it lives

	Late      int64    // nobody knows what they were before a collection: they had no order then, or were not told
	Lost      int64    // nobody knows whether they live: not all was told of what a collection has left
	Unordered int64    // the same, since they had no order when a collection came
	Clashes   int64    // seen with a hash that another one has, or had
	Twice     []Object // seen while they were elsewhere
}

// run is newborn objects with orders one behind the other.
type run struct {
	order uint32 // of the first
	at, n int    // in the list
}

// NewTable makes one of an empty heap.
func NewTable() *Table {
	return &Table{young: map[uint32]*Object{}, old: map[uint32]*Object{}, foreign: map[uint32]bool{},
		clashed: map[uint32]bool{}}
}

// All gives the objects, in no order.
func (t *Table) All() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, objects := range []map[uint32]*Object{t.young, t.old} {
			for _, o := range objects {
				if !yield(o) {
					return
				}
			}
		}
		for _, list := range [][]Object{t.newborn, t.unordered} {
			for i := range list {
				if list[i].Words > 0 && !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// Born takes what was born before a pause. What a first walk finds was, whoever put it there.
func (t *Table) Born(pause int, w *Walk, first bool) {
	again := w.End.Given > abi.OrderMask
	for s := range w.All() {
		if s.Moved && !first {
			continue
		}
		o := s.Object
		o.Born = int32(pause)
		t.clash(s, again)
		t.insert(o, s.New)
	}
}

// clash looks for another object with the hash of one that was not known. Nobody can tell them apart from there on.
func (t *Table) clash(s *Seen, again bool) {
	if s.Order == 0 || s.New && !again && !t.foreign[s.Order] || t.clashed[s.Order] {
		return
	}
	if !s.New {
		t.foreign[s.Order] = true
	}
	other := t.find(s.Order)
	if other == nil {
		return
	}
	t.clashed[s.Order] = true
	o := *other
	if i := index(t.runs, s.Order); i >= 0 && other == &t.newborn[i] {
		other.Words = 0
	}
	delete(t.young, o.Order)
	delete(t.old, o.Order)
	t.insert(o, false)
}

// insert puts an object in, with its order if nobody else has it.
func (t *Table) insert(o Object, isNew bool) {
	if t.clashed[o.Order] {
		o.Order = 0
		t.Clashes++
	}
	switch {
	case o.Order == 0:
		t.unordered = append(t.unordered, o)
	case isNew && !o.IsOld() && t.append(o):
	case o.IsOld():
		t.old[o.Order] = &o
	default:
		t.young[o.Order] = &o
	}
}

// append takes an object whose order is behind those of all others that are newborn; false if it is not.
func (t *Table) append(o Object) bool {
	next := uint32(0)
	if n := len(t.runs); n > 0 {
		next = t.runs[n-1].order + uint32(t.runs[n-1].n)
	}
	switch {
	case o.Order < next:
		return false
	case o.Order == next:
		t.runs[len(t.runs)-1].n++
	default:
		t.runs = append(t.runs, run{o.Order, len(t.newborn), 1})
	}
	t.newborn = append(t.newborn, o)
	return true
}

// find gives the object with an order, of those that no collection looks at.
func (t *Table) find(order uint32) *Object {
	if o := t.young[order]; o != nil {
		return o
	}
	if o := t.old[order]; o != nil {
		return o
	}
	if i := index(t.runs, order); i >= 0 {
		return &t.newborn[i]
	}
	return nil
}

// index is where in the list an order is, -1 if it is not.
func index(runs []run, order uint32) int {
	low, high := 0, len(runs)
	for low < high {
		middle := (low + high) / 2
		if runs[middle].order <= order {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low > 0 && order-runs[low-1].order < uint32(runs[low-1].n) {
		return runs[low-1].at + int(order-runs[low-1].order)
	}
	return -1
}

// Leave has a collection look at objects: young ones, and those of the old generation that may have gone.
func (t *Table) Leave(young bool, old func(*Object) bool) {
	t.gone, t.goneNewborn, t.goneRuns, t.met = map[uint32]*Object{}, nil, nil, nil
	if young {
		t.gone, t.young = t.young, map[uint32]*Object{}
		t.goneNewborn, t.goneRuns = t.newborn, t.runs
		t.newborn, t.runs = nil, nil
		t.met = make([]bool, len(t.goneNewborn))
	}
	if old != nil {
		for order, o := range t.old {
			if old(o) {
				t.gone[order] = o
				delete(t.old, order)
			}
		}
	}
	kept := t.unordered[:0:0]
	for _, o := range t.unordered {
		if o.IsOld() && (old == nil || !old(&o)) || !o.IsOld() && !young {
			kept = append(kept, o)
		} else {
			t.Unordered++
		}
	}
	t.unordered = kept
}

// Arrive takes what the collection of a pause has moved, and calls back for each that lives, with what it was, and each
// that is dead. In a walk that is not whole nobody is known to be dead. Where it has read anew what is there, what is
// known was not born.
func (t *Table) Arrive(pause int, w *Walk, anew bool, lives func(was, is *Object), died func(*Object)) {
	for s := range w.All() {
		if !s.Moved && (!anew || s.New) {
			continue
		}
		was := t.take(&s.Object)
		if was == nil && !s.Moved {
			continue
		}
		s.Moved = true
		o := s.Object
		if was == nil {
			t.clash(s, true)
		} else if t.find(o.Order) != nil {
			t.Twice = append(t.Twice, o)
			o.Order = 0
		}
		if was != nil {
			o.Born, o.Promoted, o.Moves = was.Born, was.Promoted, was.Moves+1
			o.Settled = was.IsOld() && o.IsOld()
			if o.IsOld() && !was.IsOld() {
				o.Promoted = int32(pause)
			}
			lives(was, &o)
		} else {
			t.Late++
		}
		t.insert(o, false)
	}
	t.end(w.IsWhole(), died)
}

// take gives what an object was before the collection, nil if it is not known.
func (t *Table) take(o *Object) *Object {
	if o.Order == 0 || t.clashed[o.Order] {
		return nil
	}
	if was := t.gone[o.Order]; was != nil {
		delete(t.gone, o.Order)
		return was
	}
	i := index(t.goneRuns, o.Order)
	if i < 0 || t.met[i] {
		return nil
	}
	t.met[i] = true
	return &t.goneNewborn[i]
}

// end has the others die.
func (t *Table) end(whole bool, died func(*Object)) {
	if !whole {
		t.Lost += int64(len(t.gone))
		for _, met := range t.met {
			if !met {
				t.Lost++
			}
		}
	} else {
		for _, o := range t.gone {
			died(o)
		}
		for i := range t.goneNewborn {
			if !t.met[i] && t.goneNewborn[i].Words > 0 {
				died(&t.goneNewborn[i])
			}
		}
	}
	t.gone, t.goneNewborn, t.goneRuns, t.met = nil, nil, nil, nil
}
