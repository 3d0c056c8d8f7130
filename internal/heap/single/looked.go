package single

// looked is what a collection is looking at, until the next walk.
type looked struct {
	objects store
	newborn newborn
}

// take gives what an object was before the collection, if it is known.
func (l *looked) take(order uint32) (o Object, is bool) {
	if o, is = l.objects.take(order); is {
		return o, true
	}
	return l.newborn.take(order)
}

func (l *looked) clear(to *pool[Object]) {
	l.objects.clear(to)
	l.newborn.clear()
}
