package heapgraph

import (
	"cmp"
	"slices"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// RetainedRow is a class: what its objects take, and what would be free if none of them were there.
type RetainedRow struct {
	Class heap.Class
	heap.Amount
	Retained heap.Amount
}

// Retained gives a row for each class whose name matches q.Class, and how many there are. What an object retains that
// another one of its class retains is counted once.
func (d *Dominators) Retained(q heap.Query) (rows []RetainedRow, count int) {
	g := d.Reached.Graph
	byClass := map[heap.Class]*RetainedRow{}
	above := map[heap.Class]int{} // objects of a class on the way from the roots to where we are
	row := func(n int32) *RetainedRow {
		class := g.Class(d.object[n])
		r := byClass[class]
		if r == nil {
			r = &RetainedRow{Class: class}
			byClass[class] = r
		}
		return r
	}
	d.walk(func(n int32) {
		r := row(n)
		r.Amount = plus(r.Amount, g.Amount(d.object[n]))
		if above[r.Class] == 0 {
			r.Retained = plus(r.Retained, d.retained(n))
		}
		above[r.Class]++
	}, func(n int32) { above[g.Class(d.object[n])]-- })
	for class, r := range byClass {
		if profile.Match(q.Class, g.history.Name(class)) {
			rows = append(rows, *r)
		}
	}
	slices.SortFunc(rows, func(a, b RetainedRow) int {
		return cmp.Or(cmp.Compare(value(&q, b.Retained), value(&q, a.Retained)), cmp.Compare(value(&q, b.Amount),
			value(&q, a.Amount)), cmp.Compare(g.history.Name(a.Class), g.history.Name(b.Class)))
	})
	return top(&q, rows), len(rows)
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

// TopRow is an object that no other one dominates.
type TopRow struct {
	Object   int32
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

// Tops gives the objects that nothing but roots dominates, those that retain most first, and how many there are.
func (d *Dominators) Tops(q heap.Query) (rows []TopRow, count int) {
	g := d.Reached.Graph
	first, next := d.children()
	var tops []int32
	for n := first[0]; n != 0; n = next[n] {
		if q.Class == "" || profile.Match(q.Class, g.history.Name(g.Class(d.object[n]))) ||
			profile.Match(q.Class, g.nameOf(d.object[n])) {
			tops = append(tops, n)
		}
	}
	slices.SortFunc(tops, func(a, b int32) int {
		return cmp.Or(cmp.Compare(value(&q, d.retained(b)), value(&q, d.retained(a))), cmp.Compare(a, b))
	})
	for _, n := range top(&q, tops) {
		object := d.object[n]
		r := TopRow{Object: object, Class: g.Class(object), Name: g.nameOf(object), Retained: d.retained(n),
			Amount: g.Amount(object), Way: d.Reached.Way(object)}
		if at := d.gathers(n, first, next); at != n {
			r.Gathers, r.HasGathers = g.Class(d.object[at]), true
		}
		rows = append(rows, r)
	}
	return rows, len(tops)
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
