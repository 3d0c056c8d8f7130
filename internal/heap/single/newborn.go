package single

import "iter"

// newborn are objects that walks have given orders to, in the order of births. They are where the walks have them.
type newborn struct {
	walks []bornWalk
	runs  []run
}

// bornWalk is a walk and the pause before which its objects were born.
type bornWalk struct {
	*Walk
	born int32
}

// run is objects with orders one behind the other.
type run struct {
	order, n uint32 // of the first; how many
	at       int    // in its walk's list
	walk     bornWalk
}

// add takes objects of a walk, that have orders one behind the other, from one on that is behind those of all others;
// false if it is not.
func (l *newborn) add(w bornWalk, at int, order, objects uint32) bool {
	if n := len(l.runs); n > 0 {
		last := &l.runs[n-1]
		next := last.order + last.n
		switch {
		case order < next:
			return false
		case order == next && last.walk == w && last.at+int(last.n) == at:
			last.n += objects
			return true
		}
	}
	l.runs = append(l.runs, run{order, objects, at, w})
	return true
}

// take gives the object with an order, which is here no longer; false: it is not.
func (l *newborn) take(order uint32) (o Object, is bool) {
	if len(l.runs) == 0 || order < l.runs[0].order { // as those that have lived for longer
		return Object{}, false
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
	r := &l.runs[low-1]
	if order-r.order >= r.n {
		return Object{}, false
	}
	return r.walk.list.take(r.at+int(order-r.order), r.walk.born)
}

// most is how many are here at most.
func (l *newborn) most() (n int) {
	for _, w := range l.walks {
		n += w.list.n
	}
	return n
}

// all gives those that are here, each until the next one.
func (l *newborn) all() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		o := Object{Promoted: Unknown}
		for _, w := range l.walks {
			o.Born = w.born
			for c := range w.list.chunks() {
				for k := range c.objects {
					p := &c.objects[k]
					if p.has(isTaken) {
						continue
					}
					if p.in(c.in, &o); !yield(&o) {
						return
					}
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
