package heap

import "mallard/internal/heap/single"

// Ages are how long single objects have lived, by class: from the pause before which each was born to the one that has
// found it dead, or to the last one after which it is known to have lived.
type Ages struct {
	Query
	Rows     []AgesRow
	Count    int    // of rows, before Top
	Met      Amount // all selected objects that a collection has come to, and whose birth is known
	DiedSoon Amount // of them, those that the first one found dead
	Sited    Sited  // of Met
	Deaths   *Deaths
	Unknown  Unknown
	Gaps     single.Gaps
}

// Unknown is objects of which something is not known.
type Unknown struct {
	Births int64 // when they were born
	Ends   int64 // whether they live behind a collection that came to them
}

// AgesRow is a line of the answer.
type AgesRow struct {
	Class       Class
	Met         Amount
	Soon        Amount // found dead by the first collection
	Collections Spread // that objects have come through
	Time        Spread // nanoseconds
	Allocated   Spread // bytes that the program has allocated meanwhile
}

// Key is what the row stands for.
func (r AgesRow) Key() Key { return Key{Class: r.Class} }

// Ages asks how long single objects live. Those that were born in the old generation are left out, as in Lifetimes.
// Rows are in order of what was born.
func (h *History) Ages(q Query) (*Ages, error) {
	if !h.singly {
		return nil, ErrNoSingles
	}
	answer := &Ages{Query: q}
	selected := h.selects(&q)
	a := ages{rows: make([]AgesRow, len(h.classes.names)), soon: make([]Amount, len(h.classes.names)),
		selected: selected, unknown: &answer.Unknown}
	s := &singles{walk: a.walk}
	s.Newborn = true
	s.Died = func(o *single.Object) { a.end(o, true) }
	s.Lost = func(o *single.Object) {
		isAgain := o.Born == single.Unknown && o.Order == 0 // it was counted when it had lost its identity
		if !isAgain && a.end(o, false) {
			answer.Unknown.Ends++
		}
	}
	for at := range h.replaySingles(len(h.Pauses), s) {
		a.now = at + 1
		if h.Pauses[at].Ended {
			a.now = at
			for o := range s.All() {
				if o.Born < 0 || a.moments[at].collections > a.moments[o.Born].collections {
					a.end(o, false)
				}
			}
		}
	}
	answer.Gaps = s.Gaps
	for class, selected := range selected {
		r := &a.rows[class]
		r.soon(a.soon[class])
		if selected && Class(class) != Unused && r.Met != (Amount{}) {
			r.Class = Class(class)
			answer.Rows = append(answer.Rows, *r)
			answer.Met, answer.DiedSoon = answer.Met.plus(r.Met), answer.DiedSoon.plus(r.Soon)
		}
	}
	answer.Count = len(answer.Rows)
	answer.Sited = sited(&q, answer.Rows, func(r AgesRow) (Class, Amount) { return r.Class, r.Met })
	answer.Deaths = h.deaths(&q, Start, len(h.Pauses)-1)
	answer.Rows = ranked(h, &q, answer.Rows, func(r AgesRow) int64 { return q.value(r.Met) }, AgesRow.Key)
	return answer, nil
}

// soon has objects be found dead by the first collection.
func (r *AgesRow) soon(a Amount) {
	r.Met, r.Soon = r.Met.plus(a), r.Soon.plus(a)
	r.Collections.die(0, a.Objects)
	r.Time.die(0, a.Objects)
	r.Allocated.die(0, a.Objects)
}

// ages adds up what becomes of single objects.
type ages struct {
	rows     []AgesRow // by class
	soon     []Amount  // by class: found dead by the first collection, which most are
	selected []bool
	unknown  *Unknown
	moments  []moment // by pause
	now      int      // the pause whose collection looks at objects
}

// moment is when a pause began.
type moment struct{ time, allocated, collections int64 }

// walk takes the moment of one.
func (a *ages) walk(i int, before, now *state) {
	m := moment{time: int64(now.Start)}
	if i > 0 {
		last := &a.moments[i-1]
		m.allocated, m.collections = last.allocated, last.collections
		if before.Collected != Nothing {
			m.collections++
		}
	}
	for _, e := range now.born.all() {
		if e.class != Unused {
			m.allocated = saturated(m.allocated, e.Bytes)
		}
	}
	a.moments = append(a.moments, m)
}

// end has an object have lived until now. False: it is not asked for, or nobody knows when it was born.
func (a *ages) end(o *single.Object, died bool) bool {
	switch {
	case !a.selected[o.Class] || Class(o.Class) == Unused:
		return false
	case o.Born < 0:
		a.unknown.Births++
		return false
	case Space(o.Space) == Old && o.Promoted == single.Unknown: // born there
		return false
	case died && int(o.Born) == a.now:
		a.soon[o.Class] = a.soon[o.Class].plus(Amount{1, o.Bytes()})
		return true
	}
	from, to, r := &a.moments[o.Born], &a.moments[a.now], &a.rows[o.Class]
	amount := Amount{1, o.Bytes()}
	r.Met = r.Met.plus(amount)
	collections := to.collections - from.collections
	if died && collections == 0 {
		r.Soon = r.Soon.plus(amount)
	}
	for _, in := range []struct {
		spread *Spread
		age    int64
	}{
		{&r.Collections, collections}, {&r.Time, to.time - from.time},
		{&r.Allocated, to.allocated - from.allocated},
	} {
		if died {
			in.spread.die(in.age, 1)
		} else {
			in.spread.live(in.age, 1)
		}
	}
	return true
}
