package heapgraph

import "mallard/internal/heap"

// without follows references as if a group of objects were not there.
type without[K comparable] struct {
	*Graph
	of   []K     // by object: its group
	seen []int32 // by object: the last time that it was reached
	next []int32
}

// left gives what is strongly reached without a group, the time-th time.
func (w *without[K]) left(time int32, group K) (left heap.Amount) {
	reach := func(object int32) {
		if w.of[object] != group && w.seen[object] != time {
			w.seen[object] = time
			w.next = append(w.next, object)
		}
	}
	for _, r := range w.roots {
		reach(r.object)
	}
	for len(w.next) > 0 {
		object := w.next[len(w.next)-1]
		w.next = w.next[:len(w.next)-1]
		left = plus(left, w.Amount(object))
		w.strongly(object, reach)
	}
	return left
}
