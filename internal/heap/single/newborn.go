package single

import "iter"

// newborn are objects that walks have given orders to, in the order of births. They are where the walks have them.
type newborn struct {
	walks []*Walk
	runs  []run
}

// run is objects with orders one behind the other.
type run struct {
	order, n uint32 // of the first; how many
	walk     *Walk
	at       int // in its list
}

// add takes the object of a walk whose order is behind those of all others; false if it is not.
func (l *newborn) add(w *Walk, at int, order uint32) bool {
	if n := len(l.runs); n > 0 {
		last := &l.runs[n-1]
		next := last.order + last.n
		switch {
		case order < next:
			return false
		case order == next && last.walk == w && last.at+int(last.n) == at:
			last.n++
			return true
		}
	}
	l.runs = append(l.runs, run{order, 1, w, at})
	return true
}

// find gives the object with an order; nil: it is not here.
func (l *newborn) find(order uint32) *Object {
	low, high := 0, len(l.runs)
	for low < high {
		middle := (low + high) / 2
		if l.runs[middle].order <= order {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == 0 {
		return nil
	}
	r := &l.runs[low-1]
	if order-r.order >= r.n {
		return nil
	}
	if o := &r.walk.list.at(r.at + int(order-r.order)).Object; o.Words > 0 {
		return o
	}
	return nil
}

// take has the object with an order be no longer here.
func (l *newborn) take(order uint32) (o Object, is bool) {
	at := l.find(order)
	if at == nil {
		return Object{}, false
	}
	o = *at
	at.Words = 0
	return o, true
}

// all gives those that are here.
func (l *newborn) all() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, w := range l.walks {
			for _, s := range w.list.all() {
				if s.Words > 0 && !yield(&s.Object) {
					return
				}
			}
		}
	}
}

// clear gives the memory back.
func (l *newborn) clear() {
	for _, w := range l.walks {
		w.free()
	}
	clear(l.runs)
	clear(l.walks)
	l.walks, l.runs = l.walks[:0], l.runs[:0]
}
