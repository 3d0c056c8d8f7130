package heap

import "slices"

// Diff is what has changed between two moments.
type Diff struct {
	Query
	From, To int // in Pauses; From may be Start
	Rows     []DiffRow
	Count    int // of rows, before Top
	Selected DiffAmounts
	Sited    Sited   // of what is held afterwards
	Deaths   *Deaths // in between
}

// DiffRow is a line of the answer.
type DiffRow struct {
	Key
	DiffAmounts
}

// Diff asks what has changed between two moments, the first before the second.
func (h *History) Diff(from, to int, q Query) *Diff {
	answer := &Diff{Query: q, From: from, To: to}
	sums, selected := h.changes(from, to, &q)
	answer.Selected = selected
	for k, sum := range sums {
		answer.Rows = append(answer.Rows, DiffRow{k, sum})
	}
	answer.Count = len(answer.Rows)
	answer.Sited = sited(&q, answer.Rows, func(r DiffRow) (Class, Amount) { return r.Class, r.After })
	if h.knowsDeaths(&q) {
		answer.Deaths = deathsOf(q.Counts, sums)
	}
	answer.Rows = ranked(h, &q, answer.Rows, func(r DiffRow) int64 { return q.value(r.Difference()) },
		func(r DiffRow) Key { return r.Key })
	return answer
}

// DiedExactly reports whether what Died says is what has died: objects of a class do not move to another one.
func (d *Diff) DiedExactly() bool {
	return !slices.ContainsFunc(d.By, func(by By) bool { return !by.OfClass() })
}
