package replica

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/profile"
)

// Sort is an order of rows, largest first.
type Sort uint8

// The orders.
const (
	SortSaved   Sort = iota // bytes that would be saved
	SortObjects             // objects that would be saved
	SortLong                // bytes that would be saved, of the share that comes through a collection
	SortYoung               // bytes that would be saved, of the share that the first collection finds dead
	SortReads               // reads of copies, of samples
)

var sortNames = [...]string{"bytes", "objects", "long", "young", "accesses"}

// String returns the word for s in reports.
func (s Sort) String() string { return sortNames[s] }

// Query asks for rows.
type Query struct {
	Sort  Sort
	Top   int    // keep this many rows, 0 for all
	Class string // only classes whose name matches this pattern; empty for all
}

// Answer is what are copies.
type Answer struct {
	Query
	Work
	Hashed string // patterns for classes whose objects were hashed; "": all were
	Rows   []Row
	Count  int         // of rows, before Top
	All    heap.Amount // hashed, of all classes
	Saved  heap.Amount // of what is selected: without copies there would be so much less
	Lost   int64       // events, or rows, that are damaged or were left out
}

// Row is objects of one class, or of one site's or context's of a class, as the history tells them apart.
type Row struct {
	Class   heap.Class
	Hashed  heap.Amount
	Unknown int64       // objects that are not among them, since they refer to what has no identity
	Groups  int64       // different contents
	Largest int64       // objects of the largest group
	Saved   heap.Amount // what there would be less with one object of each group
	// Not all groups are known: Groups and Saved are estimates from one of Sample, and Largest may be too low
	Estimated bool
	Sample    int64
	Examples  []Example // of groups, largest first; none where no contents were recorded

	Met, Soon int64 // objects of these that a collection has come to, and those that the first one found dead
}

// Example is what objects of one group have in them.
type Example struct {
	Count    int64 // of these objects; of samples, of pairs that were equal whole
	Contents Value
}

// DiedSoon is the share of the objects that their first collection found dead; NaN if none has come to any.
func (r *Row) DiedSoon() float64 {
	if r.Met == 0 {
		return math.NaN()
	}
	return float64(r.Soon) / float64(r.Met)
}

// value is what puts rows in order.
func (r *Row) value(s Sort) float64 {
	soon := 0.5
	if r.Met > 0 {
		soon = r.DiedSoon()
	}
	switch s {
	case SortObjects:
		return float64(r.Saved.Objects)
	case SortLong:
		return float64(r.Saved.Bytes) * (1 - soon)
	case SortYoung:
		return float64(r.Saved.Bytes) * soon
	}
	return float64(r.Saved.Bytes)
}

// Ask answers from a history that tells apart what rows are to be of.
func (t *Totals) Ask(h *heap.History, q Query) *Answer {
	answer := &Answer{Query: q, Work: t.Work, Hashed: t.Classes, Lost: plus(t.Damaged, t.LeftOut)}
	merged := map[heap.Class]*class{}
	for number, c := range t.classes {
		of := h.ClassNumbered(number)
		if c.is.Name != "" {
			of = h.Class(c.is)
		}
		if of == heap.Unused || of == heap.Other {
			continue
		}
		if merged[of] == nil {
			merged[of] = &class{groups: map[uint64]group{}}
		}
		merged[of].merge(c)
	}
	lives := map[heap.Class]heap.LifetimeRow{}
	for _, row := range h.Lifetimes(heap.Query{}).Rows {
		lives[row.Class] = row
	}
	for of, c := range merged {
		answer.All = heap.Sum(answer.All, heap.Amount{Objects: c.objects, Bytes: c.bytes})
		if !profile.MatchName(q.Class, h.Name(of)) || c.objects == 0 {
			continue
		}
		row := c.row(t.certain())
		row.Class, row.Met, row.Soon = of, lives[of].Met.Objects, lives[of].Soon.Objects
		answer.Saved = heap.Sum(answer.Saved, row.Saved)
		answer.Rows = append(answer.Rows, row)
	}
	slices.SortFunc(answer.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.value(q.Sort), a.value(q.Sort)), cmp.Compare(b.Hashed.Bytes, a.Hashed.Bytes),
			cmp.Compare(h.Name(a.Class), h.Name(b.Class)), cmp.Compare(a.Class, b.Class))
	})
	if answer.Count = len(answer.Rows); q.Top > 0 && q.Top < answer.Count {
		answer.Rows = answer.Rows[:q.Top]
	}
	return answer
}

// merge adds what is of another number.
func (c *class) merge(o *class) {
	c.objects, c.bytes = plus(c.objects, o.objects), plus(c.bytes, o.bytes)
	c.unknown, c.level = plus(c.unknown, o.unknown), max(c.level, o.level)
	for hash, g := range o.groups {
		c.groups[hash] = group{plus(c.groups[hash].objects, g.objects), g.size}
	}
	for hash, v := range o.values {
		if c.values == nil {
			c.values = map[uint64]Value{}
		}
		c.values[hash] = v
	}
}

// examples are those of the groups with most objects.
func (c *class) examples() (list []Example) {
	for _, hash := range slices.Sorted(maps.Keys(c.values)) {
		list = append(list, Example{min(c.groups[hash].objects, c.objects), c.values[hash]})
	}
	return mostFirst(list)
}

// mostFirst puts those in front of which there are most, and gives some.
func mostFirst(list []Example) []Example {
	slices.SortStableFunc(list, func(a, b Example) int { return cmp.Compare(b.Count, a.Count) })
	return list[:min(len(list), abi.ReplicaValues)]
}

// row counts groups. Those with as many objects as is certain are known one by one. Of the others there is a sample,
// which stands for all objects that are left: so many times what is in it.
func (c *class) row(certain int64) Row {
	r := Row{Hashed: heap.Amount{Objects: c.objects, Bytes: c.bytes}, Unknown: c.unknown, Sample: 1 << c.level}
	var known, sampled part
	for _, hash := range slices.Sorted(maps.Keys(c.groups)) { // floating point sums are the same each time
		g := c.groups[hash]
		switch {
		case c.level == 0 || g.objects >= certain:
			known.add(g)
		case isSampled(hash, c.level):
			sampled.add(g)
		}
		r.Largest = max(r.Largest, min(g.objects, c.objects))
	}
	rest := max(0, c.objects-known.objects)
	groups, objects, bytes := float64(known.groups), float64(known.objects-known.groups), known.saved
	if c.level == 0 || sampled.objects == 0 {
		groups += float64(rest) // of what is lost nothing is taken to be a copy
	} else {
		times := float64(rest) / float64(sampled.objects)
		groups += times * float64(sampled.groups)
		objects += times * float64(sampled.objects-sampled.groups)
		bytes += times * sampled.saved
	}
	r.Estimated = c.level > 0 || rest > 0
	r.Examples = c.examples()
	limit := func(x float64, most int64) int64 { return int64(math.Round(min(max(x, 0), float64(most)))) }
	r.Groups = limit(groups, c.objects)
	r.Saved = heap.Amount{Objects: limit(objects, c.objects), Bytes: limit(bytes, c.bytes)}
	return r
}

// part is some groups of a class.
type part struct {
	groups, objects int64
	saved           float64 // bytes of all objects but one of each
}

func (p *part) add(g group) {
	p.groups++
	p.objects = plus(p.objects, g.objects)
	p.saved += float64(g.objects-1) * float64(g.size)
}
