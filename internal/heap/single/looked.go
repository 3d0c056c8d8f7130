package single

import "iter"

// looked is what a collection is looking at, until the next walk.
type looked struct {
	objects map[uint32]Object // by order
	newborn newborn
}

// take gives what an object was before the collection, if it is known.
func (l *looked) take(order uint32) (o Object, is bool) {
	if o, is = l.objects[order]; is {
		delete(l.objects, order)
		return o, true
	}
	return l.newborn.take(order)
}

func (l *looked) clear() {
	clear(l.objects)
	l.newborn.clear()
}

// all gives those that were not taken, each until the next one.
func (l *looked) all() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		var o Object
		for _, o = range l.objects {
			if !yield(&o) {
				return
			}
		}
		for o := range l.newborn.all() {
			if !yield(o) {
				return
			}
		}
	}
}
