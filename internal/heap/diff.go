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
	Stayed   Bounds  // of all that is selected, if DiedExactly
	Singly   bool    // single objects were asked how much stayed, since sums did not tell
}

// DiffRow is a line of the answer.
type DiffRow struct {
	Key
	DiffAmounts
	Stayed Bounds // held at both moments, if DiedExactly
}

// Diff asks what has changed between two moments, the first before the second, by sums.
func (h *History) Diff(from, to int, q Query) *Diff { return h.diff(from, to, q, false) }

// DiffSingly has single objects say how much stayed, where these were recorded and sums do not tell.
func (h *History) DiffSingly(from, to int, q Query) *Diff { return h.diff(from, to, q, h.singly) }

func (h *History) diff(from, to int, q Query, singly bool) *Diff {
	answer := &Diff{Query: q, From: from, To: to}
	c := h.changes(from, to, &q)
	answer.Selected = c.all
	for k, sum := range c.sums {
		answer.Rows = append(answer.Rows, DiffRow{k, sum, sum.stayed()})
	}
	answer.Count = len(answer.Rows)
	answer.Sited = sited(&q, answer.Rows, func(r DiffRow) (Class, Amount) { return r.Class, r.After })
	if h.knowsDeaths(&q) {
		answer.Deaths = deathsOf(q.Counts, c)
	}
	if answer.DiedExactly() {
		answer.stay(h, singly)
	}
	answer.Rows = ranked(h, &q, answer.Rows, func(r DiffRow) int64 { return q.value(r.Difference()) },
		func(r DiffRow) Key { return r.Key })
	return answer
}

// stay adds up what stayed, of single objects if these are to be asked and have to be.
func (d *Diff) stay(h *History, singly bool) {
	d.Singly = singly && slices.ContainsFunc(d.Rows, func(r DiffRow) bool { return !r.Stayed.AreExact() })
	if d.Singly {
		by := h.stayedSingly(d.From, d.To)
		for i := range d.Rows {
			r := &d.Rows[i]
			r.Stayed = by.of(r.Class, r.DiffAmounts, h.classes.tagged != nil)
		}
	}
	for _, r := range d.Rows {
		d.Stayed = d.Stayed.plus(r.Stayed)
	}
}

// DiedExactly reports whether what Died says is what has died: objects of a class do not move to another one.
func (d *Diff) DiedExactly() bool {
	return !slices.ContainsFunc(d.By, func(by By) bool { return !by.OfClass() })
}
