package heap

import "time"

// Lifetimes are how many collections objects have come through, by class.
type Lifetimes struct {
	Query
	Rows     []LifetimeRow
	Count    int    // of rows, before Top
	Met      Amount // all selected objects that a collection has come to
	DiedSoon Amount // of them, those that the first one found dead
	Cost     time.Duration
	Sited    Sited   // of Met, or of DiedSoon in a Churn
	Deaths   *Deaths // in all, also those that no collection has come to as young ones
}

// LifetimeRow is a line of the answer.
type LifetimeRow struct {
	Class Class
	Lifetime
}

// Lifetimes asks how long objects live, with a span those that collections in it were the first to come to. Rows are in
// order of what was born.
func (h *History) Lifetimes(q Query) *Lifetimes {
	answer := h.lifetimes(q)
	if q.isWhole() {
		answer.Deaths = h.deaths(&q, Start, len(h.Pauses)-1)
	}
	answer.Sited = sited(&q, answer.Rows, func(r LifetimeRow) (Class, Amount) { return r.Class, r.Met })
	answer.Rows = ranked(h, &q, answer.Rows, func(r LifetimeRow) int64 { return q.value(r.Met) }, LifetimeRow.Key)
	return answer
}

// Key is what the row stands for.
func (r LifetimeRow) Key() Key { return Key{Class: r.Class} }

func (h *History) lifetimes(q Query) *Lifetimes {
	answer := &Lifetimes{Query: q}
	by := &byClass{h: h, q: &q, list: make([]Lifetime, len(h.classes.names))}
	cost := h.followSums(by)
	for class, selected := range h.selects(&q) {
		if l := by.list[class]; selected && Class(class) != Unused && l.Met != (Amount{}) {
			l.Cost = cost[class]
			answer.Rows = append(answer.Rows, LifetimeRow{Class(class), l})
			answer.Met, answer.DiedSoon = answer.Met.plus(l.Met), answer.DiedSoon.plus(l.Soon)
			answer.Cost += l.Cost
		}
	}
	answer.Count = len(answer.Rows)
	return answer
}

// byClass has what becomes of the objects of a query's span be Lifetimes.
type byClass struct {
	h    *History
	q    *Query
	list []Lifetime
}

func (b *byClass) has(born int) bool { return b.q.spans(&b.h.Pauses[born]) }

func (b *byClass) met(c Class, born int, a Amount) {
	if b.has(born) {
		b.list[c].Met = b.list[c].Met.plus(a)
	}
}

func (b *byClass) died(c Class, born, age int, a Amount) {
	if b.has(born) {
		b.list[c].die(age, a)
	}
}

func (b *byClass) left(c Class, born, age int, a Amount) {
	if b.has(born) {
		b.list[c].live(age, a)
	}
}
