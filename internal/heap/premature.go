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
	// whether a collection that looks at it is the first one behind its promotion
	first := func(o *single.Object) bool { return o.Promoted != single.Unknown && o.IsOld() && !o.Settled }
	for range h.replaySingles(len(h.Pauses), &singles{Fates: single.Fates{
		Lives: func(was, is *single.Object) {
			if was.Promoted == single.Unknown && is.Promoted != single.Unknown {
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
		},
	}}) {
	}
	for class, selected := range h.selects(&q) {
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
