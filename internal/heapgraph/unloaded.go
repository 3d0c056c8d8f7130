package heapgraph

import (
	"cmp"
	"slices"

	"mallard/internal/heap"
)

// LoaderRow is a class loader: what it takes with its classes and their objects, and what would be free without them.
type LoaderRow struct {
	Loader heap.Loader
	heap.Amount
	Retained heap.Amount
	Least    bool // it may be more: where objects that two of the loader's refer to are no other's
}

// mostFollowed bounds the references that are followed to be exact.
const mostFollowed = 500_000_000

// RetainedByLoaders gives a row for each loader, and how many there are. Without a loader is without the object that it
// is, all its classes, and all their objects. For as many loaders as there is time, those that retain most, what is
// reached without them is looked for.
func (d *Dominators) RetainedByLoaders(q heap.Query) (rows []LoaderRow, count int) {
	g := d.Reached.Graph
	own := make([]heap.Loader, g.Objects)
	for object := range own {
		own[object] = g.ownLoader(int32(object))
	}
	for loader, s := range retainedBy(d, func(object int32) heap.Loader { return own[object] }) {
		rows = append(rows, LoaderRow{loader, s.all, s.retained, true})
	}
	order := func(a, b LoaderRow) int {
		return cmp.Or(cmp.Compare(value(&q, b.Retained), value(&q, a.Retained)),
			cmp.Compare(value(&q, b.Amount), value(&q, a.Amount)), cmp.Compare(a.Loader, b.Loader))
	}
	slices.SortFunc(rows, order)
	exact := max(1, mostFollowed/(len(g.target)+1))
	u := unloading{Graph: g, own: own, seen: make([]int32, g.Objects)}
	for i := range rows[:min(exact, len(rows))] {
		r, all := &rows[i], d.Reached.Sums[Strong]
		left := u.without(int32(i+1), r.Loader)
		r.Retained = heap.Amount{Objects: all.Objects - left.Objects, Bytes: all.Bytes - left.Bytes}
		r.Least = false
	}
	slices.SortFunc(rows, order)
	return top(&q, rows), len(rows)
}

// unloading follows references as if a loader were gone.
type unloading struct {
	*Graph
	own  []heap.Loader // by object
	seen []int32       // by object: the last time that it was reached
	next []int32
}

// without gives what is strongly reached without a loader's objects, the time-th time.
func (u *unloading) without(time int32, loader heap.Loader) (left heap.Amount) {
	reach := func(object int32) {
		if u.own[object] != loader && u.seen[object] != time {
			u.seen[object] = time
			u.next = append(u.next, object)
		}
	}
	for _, r := range u.roots {
		reach(r.object)
	}
	for len(u.next) > 0 {
		object := u.next[len(u.next)-1]
		u.next = u.next[:len(u.next)-1]
		left = plus(left, u.Amount(object))
		u.strongly(object, reach)
	}
	return left
}
