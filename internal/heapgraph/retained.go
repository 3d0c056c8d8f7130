package heapgraph

import (
	"cmp"
	"slices"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// RetainedRow is a group of objects, those of a class or a class loader: what they take, and what would be free if none
// of them were there.
type RetainedRow[Of comparable] struct {
	Of Of
	heap.Amount
	Retained heap.Amount
	Least    bool // it may be more: what two of the objects refer to, and no other
}

// mostFollowed bounds the references that are followed to be exact.
const mostFollowed = 500_000_000

// Retained gives a row for each class whose name matches q.Class, and how many there are. For as many classes as there
// is time, those that retain most, it is exact.
func (d *Dominators) Retained(q heap.Query) (rows []RetainedRow[heap.Class], count int) {
	g := d.Reached.Graph
	return retainedBy(d, &q, g.Class, func(c heap.Class) bool { return profile.MatchName(q.Class, g.history.Name(c)) },
		func(a, b heap.Class) int {
			return cmp.Or(cmp.Compare(g.history.Name(a), g.history.Name(b)),
				cmp.Compare(g.history.Loader(a), g.history.Loader(b)))
		})
}

// RetainedByLoaders is Retained by class loaders: each is the object that it is, its classes, and all their objects.
func (d *Dominators) RetainedByLoaders(q heap.Query) (rows []RetainedRow[heap.Loader], count int) {
	return retainedBy(d, &q, d.Reached.Graph.ownLoader, func(heap.Loader) bool { return true }, cmp.Compare)
}

func retainedBy[K comparable](d *Dominators, q *heap.Query, group func(object int32) K, selected func(K) bool,
	compare func(a, b K) int) (rows []RetainedRow[K], count int) {
	w := without[K]{Graph: d.Reached.Graph, of: make([]K, d.Reached.Graph.Objects),
		seen: make([]int32, d.Reached.Graph.Objects)}
	for object := range w.of {
		w.of[object] = group(int32(object))
	}
	for k, s := range sumsBy(d, w.of) {
		if selected(k) {
			rows = append(rows, RetainedRow[K]{k, s.all, s.retained, true})
		}
	}
	order := func(a, b RetainedRow[K]) int {
		return cmp.Or(cmp.Compare(value(q, b.Retained), value(q, a.Retained)), cmp.Compare(value(q, b.Amount),
			value(q, a.Amount)), compare(a.Of, b.Of))
	}
	slices.SortFunc(rows, order)
	exact := max(1, mostFollowed/(len(w.target)+1))
	for i := range rows[:min(exact, len(rows))] {
		all, left := d.Reached.Sums[Strong], w.left(int32(i+1), rows[i].Of)
		rows[i].Retained = heap.Amount{Objects: all.Objects - left.Objects, Bytes: all.Bytes - left.Bytes}
		rows[i].Least = false
	}
	slices.SortFunc(rows, order)
	return top(q, rows), len(rows)
}

// retainedSum is of a group of objects: what they take, and what one or the other of them dominates.
type retainedSum struct {
	all, retained heap.Amount
	above         int // of them, those on the way from the roots to where we are
}

// sumsBy adds up objects by their groups.
func sumsBy[K comparable](d *Dominators, of []K) map[K]*retainedSum {
	sums := map[K]*retainedSum{}
	d.walk(func(n int32) {
		k := of[d.object[n]]
		s := sums[k]
		if s == nil {
			s = &retainedSum{}
			sums[k] = s
		}
		s.all = plus(s.all, d.Reached.Graph.Amount(d.object[n]))
		if s.above == 0 {
			s.retained = plus(s.retained, d.retained(n))
		}
		s.above++
	}, func(n int32) { sums[of[d.object[n]]].above-- })
	return sums
}

func (d *Dominators) retained(n int32) heap.Amount {
	return heap.Amount{Objects: int64(d.objects[n]), Bytes: d.bytes[n]}
}

// walk calls enter with each number, dominators first, and leave when all that it dominates have been entered.
func (d *Dominators) walk(enter, leave func(n int32)) {
	first, next := d.children()
	for n := int32(0); ; {
		if first[n] != 0 {
			n = first[n]
			enter(n)
			continue
		}
		for n != 0 && next[n] == 0 {
			leave(n)
			n = d.idom[n]
		}
		if n == 0 {
			return
		}
		leave(n)
		n = next[n]
		enter(n)
	}
}

// TopRow is an object that no other one dominates, or one below it in the tree of dominators.
type TopRow struct {
	Object   int32
	Depth    int // 0: no other one dominates it
	Class    heap.Class
	Name     string // of the class that a java.lang.Class stands for; "" for other objects
	Retained heap.Amount
	heap.Amount
	Way        Way
	Gathers    heap.Class // where what it retains is gathered: the last object below it that retains nearly all
	HasGathers bool
}

// nearly is the share of what an object retains that one below it has to retain to be where it is gathered.
const nearly = 0.8

// What is shown below the objects that no other one dominates.
const (
	enough    = 0.05 // it retains such a share of all at least
	mostDepth = 4
	mostBelow = 5 // of one object
)

// Tops gives the objects that nothing but roots dominates, those that retain most first, each with what below it
// retains much, and how many there are. A chain of objects of one class, as a list's, is its first one.
func (d *Dominators) Tops(q heap.Query) (rows []TopRow, count int) {
	g := d.Reached.Graph
	first, next := d.children()
	var tops []int32
	for n := first[0]; n != 0; n = next[n] {
		if q.Class == "" || profile.MatchName(q.Class, g.history.Name(g.Class(d.object[n]))) ||
			profile.MatchName(q.Class, g.nameOf(d.object[n])) {
			tops = append(tops, n)
		}
	}
	slices.SortFunc(tops, func(a, b int32) int {
		return cmp.Or(cmp.Compare(value(&q, d.retained(b)), value(&q, d.retained(a))), cmp.Compare(a, b))
	})
	var add func(n int32, depth int)
	add = func(n int32, depth int) {
		object := d.object[n]
		r := TopRow{Object: object, Depth: depth, Class: g.Class(object), Name: g.nameOf(object),
			Retained: d.retained(n), Amount: g.Amount(object), Way: d.Reached.Way(object)}
		if at := d.gathers(n, first, next); at != n {
			r.Gathers, r.HasGathers = g.Class(d.object[at]), true
		}
		rows = append(rows, r)
		if depth < mostDepth {
			for _, below := range d.below(n, first, next) {
				add(below, depth+1)
			}
		}
	}
	for _, n := range top(&q, tops) {
		add(n, 0)
	}
	return top(&q, rows), len(tops)
}

// below gives what is to be shown below n, those that retain most first. Of a chain of objects of n's class, as a
// list's, it is what is below the last one.
func (d *Dominators) below(n int32, first, next []int32) []int32 {
	g := d.Reached.Graph
	list := d.large(n, first, next)
	for len(list) == 1 && g.shape[d.object[list[0]]] == g.shape[d.object[n]] {
		list = d.large(list[0], first, next)
	}
	return list[:min(len(list), mostBelow)]
}

// large gives what n dominates directly that retains enough.
func (d *Dominators) large(n int32, first, next []int32) (list []int32) {
	for child := first[n]; child != 0; child = next[child] {
		if float64(d.bytes[child]) >= enough*float64(d.bytes[0]) {
			list = append(list, child)
		}
	}
	slices.SortFunc(list, func(a, b int32) int {
		return cmp.Or(cmp.Compare(d.bytes[b], d.bytes[a]), cmp.Compare(a, b))
	})
	return list
}

// gathers goes down from n as long as one object below retains nearly all.
func (d *Dominators) gathers(n int32, first, next []int32) int32 {
	for whole := d.bytes[n]; ; {
		most := int32(0)
		for child := first[n]; child != 0; child = next[child] {
			if most == 0 || d.bytes[child] > d.bytes[most] {
				most = child
			}
		}
		if most == 0 || float64(d.bytes[most]) < nearly*float64(whole) {
			return n
		}
		n = most
	}
}

// nameOf is the class that a java.lang.Class stands for; "" for other objects.
func (g *Graph) nameOf(object int32) string {
	if !g.isMirror(object) {
		return ""
	}
	return g.mirrorName(object)
}

// Retains is what would be free without an object, itself included; nothing of what is not strongly reached.
func (d *Dominators) Retains(object int32) heap.Amount {
	if n := d.number[object]; n != 0 {
		return d.retained(n)
	}
	return heap.Amount{}
}
