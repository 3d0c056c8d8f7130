package heap

import "mallard/internal/heap/single"

// Premature is what was promoted, and dead at the next collection that looked at it.
type Premature struct {
	Query
	Rows     []PrematureRow
	Count    int // of rows, before Top
	Promoted Amount
	Looked   Amount
	Died     Amount
	Sited    Sited // of Promoted

	// What is not known: no more than Found were promoted besides, and of those that were no more than Perhaps found
	// dead besides; but any number, where walks have left objects out.
	Found   Amount // in the old generation, nobody knows since when
	Perhaps Amount // of these, or of Promoted: dead now, or not known to live
	Gaps    single.Gaps
}

// PrematureRow is a line of the answer.
type PrematureRow struct {
	Class    Class
	Promoted Amount // by all collections
	Looked   Amount // of them, those that a later one has looked at
	Died     Amount // of these, those that the first such one has found dead
}

// Key is what the row stands for.
func (r PrematureRow) Key() Key { return Key{Class: r.Class} }

// Premature asks what was promoted in vain. Rows are in order of that.
func (h *History) Premature(q Query) (*Premature, error) {
	if !h.singly {
		return nil, ErrNoSingles
	}
	answer := &Premature{Query: q}
	rows := make([]PrematureRow, len(h.classes.names))
	add := func(to *Amount, o *single.Object) { *to = to.plus(Amount{1, o.Bytes()}) }
	// whether a collection that looks at it is the first one behind its promotion, by one of those that are known
	first := func(o *single.Object) bool { return o.Promoted >= 0 && o.IsOld() && !o.Settled }
	// whether nobody knows that of it
	perhaps := func(o *single.Object) bool {
		return o.Born == single.Unknown && o.Promoted == single.Unknown && o.IsOld() && !o.Settled
	}
	doubts := make([]struct{ found, perhaps Amount }, len(rows))
	s := &singles{Fates: single.Fates{
		Came: func(is *single.Object) {
			if is.IsOld() {
				add(&doubts[is.Class].found, is)
			}
		},
		Lost: func(o *single.Object) {
			if first(o) || perhaps(o) {
				add(&doubts[o.Class].perhaps, o)
			}
		},
		Lives: func(was, is *single.Object) {
			if was.Promoted == single.Unknown && is.Promoted >= 0 {
				add(&rows[is.Class].Promoted, is)
			}
			if first(was) {
				add(&rows[is.Class].Looked, is)
			}
		},
		Died: func(o *single.Object) {
			if first(o) {
				add(&rows[o.Class].Looked, o)
				add(&rows[o.Class].Died, o)
			}
			if perhaps(o) {
				add(&doubts[o.Class].perhaps, o)
			}
		},
	}}
	for range h.replaySingles(len(h.Pauses), s) {
	}
	answer.Gaps = s.Gaps
	for class, selected := range h.selects(&q) {
		if selected && Class(class) != Unused {
			answer.Found = answer.Found.plus(doubts[class].found)
			answer.Perhaps = answer.Perhaps.plus(doubts[class].perhaps)
		}
		if r := &rows[class]; selected && Class(class) != Unused && r.Promoted.Objects > 0 {
			r.Class = Class(class)
			answer.Rows = append(answer.Rows, *r)
			answer.Promoted, answer.Died = answer.Promoted.plus(r.Promoted), answer.Died.plus(r.Died)
			answer.Looked = answer.Looked.plus(r.Looked)
		}
	}
	answer.Count = len(answer.Rows)
	answer.Sited = sited(&q, answer.Rows, func(r PrematureRow) (Class, Amount) { return r.Class, r.Promoted })
	answer.Rows = ranked(h, &q, answer.Rows, func(r PrematureRow) int64 { return q.value(r.Died) }, PrematureRow.Key)
	return answer, nil
}
