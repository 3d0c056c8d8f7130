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

// Ages asks how long single objects live, with a span those that were born by its pauses. Those that were born in the
// old generation are left out, as in Lifetimes. Rows are in order of what was born.
func (h *History) Ages(q Query) (*Ages, error) {
	if !h.singly {
		return nil, ErrNoSingles
	}
	answer := &Ages{Query: q}
	selected := h.selects(&q)
	a := ages{rows: make([]AgesRow, len(h.classes.names)), soon: make([]Amount, len(h.classes.names))}
	f := &following{selected: selected, unknown: &answer.Unknown, spans: func(born int) bool {
		return q.spans(&h.Pauses[born])
	}}
	f.ended = func(o *single.Object, died bool) { a.end(f, o, died) }
	answer.Gaps = h.followSingles(f)
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
	if q.isWhole() {
		answer.Deaths = h.deaths(&q, Start, len(h.Pauses)-1)
	}
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
	rows []AgesRow // by class
	soon []Amount  // by class: found dead by the first collection, which most are
}

// end has an object have lived until now.
func (a *ages) end(f *following, o *single.Object, died bool) {
	amount := Amount{1, o.Bytes()}
	if died && int(o.Born) == f.now {
		a.soon[o.Class] = a.soon[o.Class].plus(amount)
		return
	}
	from, to, r := &f.moments[o.Born], &f.moments[f.now], &a.rows[o.Class]
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
}
