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
	In     string // the same for methods that have made them
	Rows   []Row
	Count  int         // of rows, before Top
	All    heap.Amount // hashed, of all classes
	Saved  heap.Amount // of what is selected: without copies there would be so much less
	Lost   int64       // events, or rows, that are damaged or were left out
}

// Row is objects of one class, or of one site's or context's of a class, as the history tells them apart.
type Row struct {
	Class    heap.Class
	Copies             // of those that are born, when the first collection comes to them
	Lived    Copies    // of those that have come through a first young collection, by then
	Examples []Example // of groups at birth, largest first; none where no contents were recorded

	Met, Soon heap.Amount // objects of these that a collection has come to, and those that the first one found dead
}

// Copies are objects that are compared with one another.
type Copies struct {
	Hashed  heap.Amount
	Unknown int64       // objects that are not among them, since they refer to what has no identity
	Groups  int64       // different contents
	Largest int64       // objects of the largest group
	Saved   heap.Amount // what there would be less with one object of each group
	// Not all groups are known: Groups and Saved are estimates from one of Sample, and Largest may be too low
	Estimated bool
	Sample    int64
}

// Example is what objects of one group have in them.
type Example struct {
	Count    int64 // of these objects; of samples, of pairs that were equal whole
	Contents Value
}

// DiedSoon is the share of the objects that their first collection found dead; NaN if none has come to any.
func (r *Row) DiedSoon() float64 {
	if r.Met.Objects == 0 {
		return math.NaN()
	}
	return float64(r.Soon.Objects) / float64(r.Met.Objects)
}

// soon is DiedSoon, or a half where nobody knows.
func (r *Row) soon() float64 {
	if r.Met.Objects == 0 {
		return 0.5
	}
	return r.DiedSoon()
}

// SavedLong is how many bytes of what outlives its first collection would be saved: as many as are copies when it has,
// where such objects were looked at; else their share of all that would be saved.
func (r *Row) SavedLong() float64 {
	soon := r.soon()
	if r.Lived.Hashed.Bytes == 0 {
		return float64(r.Saved.Bytes) * (1 - soon)
	}
	long := max(float64(r.Hashed.Bytes)*(1-soon), float64(r.Lived.Hashed.Bytes))
	return long * float64(r.Lived.Saved.Bytes) / float64(r.Lived.Hashed.Bytes)
}

// SavedYoung is what else would be saved, of what the first collection found dead.
func (r *Row) SavedYoung() float64 {
	return min(max(float64(r.Saved.Bytes)-r.SavedLong(), 0), r.soon()*float64(r.Hashed.Bytes))
}

// value is what puts rows in order.
func (r *Row) value(s Sort) float64 {
	switch s {
	case SortObjects:
		return float64(r.Saved.Objects)
	case SortLong:
		return r.SavedLong()
	case SortYoung:
		return r.SavedYoung()
	}
	return float64(r.Saved.Bytes)
}

// Ask answers from a history that tells apart what rows are to be of.
func (t *Totals) Ask(h *heap.History, q Query) *Answer {
	answer := &Answer{Query: q, Work: t.Work, Hashed: t.Classes, In: t.Methods,
		Lost: plus(t.Damaged, t.LeftOut)}
	merged := map[heap.Class]*class{}
	for number, c := range t.classes {
		of := c.in(h, number)
		if of == heap.Unused || of == heap.Other {
			continue
		}
		if merged[of] == nil {
			merged[of] = &class{}
		}
		merged[of].merge(c)
	}
	lives := map[heap.Class]heap.LifetimeRow{}
	for _, row := range h.Lifetimes(heap.Query{}).Rows {
		lives[row.Class] = row
	}
	for of, c := range merged {
		all := c.sets[atBirth]
		answer.All = heap.Sum(answer.All, heap.Amount{Objects: all.objects, Bytes: all.bytes})
		if !profile.MatchName(q.Class, h.Name(of)) || all.objects == 0 {
			continue
		}
		row := Row{Class: of, Copies: all.copies(t.certain()), Lived: c.sets[lived].copies(t.certain()),
			Examples: c.examples(), Met: lives[of].Met, Soon: lives[of].Soon}
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

// in is what there is of a class in a history.
func (c *class) in(h *heap.History, number uint32) heap.Class {
	if c.is.Name == "" {
		return h.ClassNumbered(number)
	}
	return h.Class(c.is)
}

// merge adds what is of another number.
func (c *class) merge(o *class) {
	for at := range c.sets {
		c.sets[at].merge(&o.sets[at])
	}
	for hash, v := range o.values {
		if c.values == nil {
			c.values = map[uint64]Value{}
		}
		c.values[hash] = v
	}
}

func (s *set) merge(o *set) {
	s.objects, s.bytes = plus(s.objects, o.objects), plus(s.bytes, o.bytes)
	s.unknown = plus(s.unknown, o.unknown)
	s.raise(o.level)
	for hash, g := range o.sorted() {
		s.add(hash, g)
	}
}

// examples are those of the groups with most objects.
func (c *class) examples() (list []Example) {
	all := &c.sets[atBirth]
	for _, hash := range slices.Sorted(maps.Keys(c.values)) {
		list = append(list, Example{min(all.in(hash)[hash].objects, all.objects), c.values[hash]})
	}
	return mostFirst(list)
}

// mostFirst puts those in front of which there are most, and gives some.
func mostFirst(list []Example) []Example {
	slices.SortStableFunc(list, func(a, b Example) int { return cmp.Compare(b.Count, a.Count) })
	return list[:min(len(list), abi.ReplicaValues)]
}

// copies counts groups. Those with as many objects as is certain are known one by one. Of the others there is a sample,
// which stands for all objects that are left: so many times what is in it.
func (s *set) copies(certain int64) Copies {
	r := Copies{Hashed: heap.Amount{Objects: s.objects, Bytes: s.bytes}, Unknown: s.unknown, Sample: 1 << s.level}
	var known, sampled part
	for hash, g := range s.sorted() { // floating point sums are the same each time
		switch {
		case s.level == 0 || g.objects >= certain:
			known.add(g)
		case s.isSampled(hash):
			sampled.add(g)
		}
		r.Largest = max(r.Largest, min(g.objects, s.objects))
	}
	rest := max(0, s.objects-known.objects)
	groups, objects, bytes := float64(known.groups), float64(known.objects-known.groups), known.saved
	if s.level == 0 || sampled.objects == 0 {
		groups += float64(rest) // of what is lost nothing is taken to be a copy
	} else {
		times := float64(rest) / float64(sampled.objects)
		groups += times * float64(sampled.groups)
		objects += times * float64(sampled.objects-sampled.groups)
		bytes += times * sampled.saved
	}
	r.Estimated = s.level > 0 || rest > 0
	limit := func(x float64, most int64) int64 { return int64(math.Round(min(max(x, 0), float64(most)))) }
	r.Groups = limit(groups, s.objects)
	r.Saved = heap.Amount{Objects: limit(objects, s.objects), Bytes: limit(bytes, s.bytes)}
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
