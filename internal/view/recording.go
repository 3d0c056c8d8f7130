package view

import (
	"cmp"

	"mallard/internal/profile"
)

// Recording is what is served of a profile. Its methods but ReadChanges are not for several goroutines at once.
type Recording struct {
	Profile *profile.Profile

	ends     []int32 // by context: the first behind it that it has not led to
	cells    cells
	first    []int32  // by context, and one more: its first cell
	methodOf []int32  // by context: as named has it
	named    []int32  // by method: the first one of the same class and name
	types    []string // what is allocated
	typeOf   []int32  // by site: index in types, -1 for what executes bytecodes only
	mine     []bool   // by method: it is the user's
	in       []int32  // by context: the innermost transaction, as profile.Transactions has it
	changes  *changes // nil until they are read
	recent   []*selection
	scratch  []amount     // of sums
	slots    []int32      // by context: scratch of frames of callers
	lines    *lineNumbers // nil until they are asked for

	collections []Collections
}

// layOut lays out a reading.
func (o *Serving) layOut(reading *Reading) *Recording {
	r := New(reading.Profile, o.Mine)
	r.collections = collectionsOf(reading.Collections)
	return r
}

// New lays out a profile. Of code that is not the user's calls can be folded; nil: that is guessed.
func New(p *profile.Profile, mine *profile.Mine) *Recording {
	r := &Recording{Profile: p, collections: []Collections{}, named: p.Named(), in: p.Transactions(),
		ends: make([]int32, len(p.Contexts)), slots: make([]int32, len(p.Contexts))}
	for i := len(r.ends) - 1; i >= 0; i-- {
		r.ends[i] = max(r.ends[i], int32(i)+1)
		if parent := p.Contexts[i].Parent; parent >= 0 {
			r.ends[parent] = max(r.ends[parent], r.ends[i])
		}
	}
	r.methodOf = make([]int32, len(p.Contexts))
	for i := range r.methodOf {
		r.methodOf[i] = r.named[p.Contexts[i].Method]
	}
	own := cmp.Or(mine, p.GuessMine())
	r.mine = make([]bool, len(p.Methods))
	for i := range p.Methods {
		r.mine[i] = own.IsMethod(&p.Methods[i])
	}
	numbers := map[string]int32{}
	r.typeOf = make([]int32, len(p.Sites))
	for i := range p.Sites {
		site := &p.Sites[i]
		number, known := numbers[site.Type]
		switch {
		case site.Executed:
			number = -1
		case !known:
			number = int32(len(r.types))
			numbers[site.Type] = number
			r.types = append(r.types, site.Type)
		}
		r.typeOf[i] = number
	}
	count := 0
	for i := range p.Threads {
		count += len(p.Threads[i].Cells)
	}
	all := newCells(count)
	for i := range p.Threads {
		for k := range p.Threads[i].Cells {
			c := &p.Threads[i].Cells[k]
			if r.typeOf[c.Site] >= 0 {
				all.add(c.Context, c.Site, int32(i), amount{c.Amount.Objects, c.Amount.Bytes})
			}
		}
	}
	r.cells, _ = all.sorted(len(p.Contexts))
	r.index()
	return r
}

// index finds the first cell of each context.
func (r *Recording) index() {
	r.first = make([]int32, len(r.ends)+1)
	for _, context := range r.cells.context {
		r.first[context+1]++
	}
	for i := range r.ends {
		r.first[i+1] += r.first[i]
	}
}

// each gives the contexts that one has called, -1 for the outermost ones.
func (r *Recording) each(context int32, yield func(called int32)) {
	end := int32(len(r.ends))
	if context >= 0 {
		end = r.ends[context]
	}
	for i := context + 1; i < end; i = r.ends[i] {
		yield(i)
	}
}

// outermost gives the contexts of a method that are not called by another one of it.
func (r *Recording) outermost(method int32, yield func(context int32)) {
	for i := int32(0); i < int32(len(r.ends)); {
		if r.methodOf[i] != method {
			i++
			continue
		}
		yield(i)
		i = r.ends[i]
	}
}
