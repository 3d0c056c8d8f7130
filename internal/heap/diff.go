package heap

import "slices"

// Diff is what has changed between two moments.
type Diff struct {
	Query
	From, To int // in Pauses; From may be Start
	Rows     []DiffRow
	Count    int // of rows, before Top
	Selected DiffAmounts
	Sited    Sited // of what is held afterwards
}

// DiffRow is a line of the answer.
type DiffRow struct {
	Key
	DiffAmounts
}

// DiffAmounts are what can be told exactly. Which of the objects born in between are those that are held afterwards
// cannot: of one class and place they look the same.
type DiffAmounts struct {
	Before, After Amount // held at From, and at To
	Born          Amount // in between, there
}

// Difference is what is held more.
func (d DiffAmounts) Difference() Amount { return d.After.minus(d.Before) }

// Died is what was there at From, or was born there in between, and was not there any more at To: it died, and of one
// place, rather than a class, it died or was moved elsewhere, less what came from there.
func (d DiffAmounts) Died() Amount { return d.Before.plus(d.Born).minus(d.After) }

// Diff asks what has changed between two moments, the first before the second.
func (h *History) Diff(from, to int, q Query) *Diff {
	answer := &Diff{Query: q, From: from, To: to}
	selected, sums := h.selects(&q), map[Key]DiffAmounts{}
	add := func(list *Heap, amount func(*DiffAmounts) *Amount) {
		for at, e := range list.all() {
			if !selected[e.class] || e.class == Unused {
				continue
			}
			k := q.key(at, e.class)
			sum := sums[k]
			for _, d := range []*DiffAmounts{&sum, &answer.Selected} {
				*amount(d) = amount(d).plus(e.Amount)
			}
			sums[k] = sum
		}
	}
	for i, s := range h.states(to) {
		if i > from {
			add(s.born, func(d *DiffAmounts) *Amount { return &d.Born })
		}
		if i == from {
			add(s.heap, func(d *DiffAmounts) *Amount { return &d.Before })
		}
		if i == to {
			add(s.heap, func(d *DiffAmounts) *Amount { return &d.After })
		}
	}
	for k, sum := range sums {
		answer.Rows = append(answer.Rows, DiffRow{k, sum})
	}
	answer.Count = len(answer.Rows)
	answer.Sited = sited(&q, answer.Rows, func(r DiffRow) (Class, Amount) { return r.Class, r.After })
	answer.Rows = ranked(h, &q, answer.Rows, func(r DiffRow) int64 { return q.value(r.Difference()) },
		func(r DiffRow) Key { return r.Key })
	return answer
}

// DiedExactly reports whether what Died says is what has died: objects of a class do not move to another one.
func (d *Diff) DiedExactly() bool {
	return !slices.ContainsFunc(d.By, func(by By) bool { return !by.OfClass() })
}
