package heap

import (
	"cmp"
	"slices"
	"time"
)

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

// Lifetimes asks how long objects live. Rows are in order of what was born.
func (h *History) Lifetimes(q Query) *Lifetimes {
	answer := h.lifetimes(q)
	answer.Deaths = h.deaths(&q, Start, len(h.Pauses)-1)
	answer.Sited = sited(&q, answer.Rows, func(r LifetimeRow) (Class, Amount) { return r.Class, r.Met })
	answer.Rows = ranked(h, &q, answer.Rows, func(r LifetimeRow) int64 { return q.value(r.Met) }, LifetimeRow.Key)
	return answer
}

// Key is what the row stands for.
func (r LifetimeRow) Key() Key { return Key{Class: r.Class} }

func (h *History) lifetimes(q Query) *Lifetimes {
	answer := &Lifetimes{Query: q}
	of, whole := h.wholes()
	n := len(of.classes.names)
	by := lifetimes{classes: make([]Lifetime, n), passages: newTouched[passage](n), humongous: map[uint32]int{},
		filled: newTouched[int64](n)}
	for i, s := range of.states(len(h.Pauses)) {
		by.add(s, i == 0 && h.IsLate())
	}
	if of != h {
		sums := make([]Lifetime, len(h.classes.names))
		for class := range by.classes {
			sums[whole(Class(class))].Add(&by.classes[class])
		}
		by.classes = sums
	}
	for class, selected := range h.selects(&q) {
		if l := by.classes[class]; selected && Class(class) != Unused && l.Met != (Amount{}) {
			answer.Rows = append(answer.Rows, LifetimeRow{Class(class), l})
			answer.Met, answer.DiedSoon = answer.Met.plus(l.Met), answer.DiedSoon.plus(l.Soon)
			answer.Cost += l.Cost
		}
	}
	answer.Count = len(answer.Rows)
	return answer
}

// lifetimes adds up what becomes of objects.
type lifetimes struct {
	classes     []Lifetime
	passages    *touched[passage]
	collections int             // so far, without pauses that collected nothing of the young generation
	humongous   map[uint32]int  // by region: collections before what is there was born, or unknownBirth
	filled      *touched[int64] // bytes of eden, since the last collection
}

// unknownBirth is when something humongous was born that was there before all that is known, or came from nowhere.
const unknownBirth = -1

// add adds a pause. Where what was born before it is old, nobody knows how old.
func (l *lifetimes) add(s *state, old bool) {
	for at, e := range s.born.all() {
		if at.space == Eden && e.class != Unused {
			bytes := l.filled.of(e.class)
			*bytes = saturated(*bytes, e.Bytes)
		}
		switch born, known := l.humongous[at.region]; {
		case at.space != Humongous || known && born == unknownBirth:
		case old:
			l.humongous[at.region] = unknownBirth
		default:
			l.humongous[at.region] = l.collections
			l.classes[e.class].Met = l.classes[e.class].Met.plus(e.Amount)
		}
	}
	if s.Ended {
		l.end(s.heap)
		return
	}
	l.leave(s)
	if s.Collected == Nothing {
		return
	}
	l.collections++
	l.share(s)
	passThrough(s, l.passages)
	for _, class := range l.passages.list {
		p := l.passages.of(class)
		if s.Collected == Everything {
			p.everything(&l.classes[class])
		} else {
			p.youngOnly(&l.classes[class])
		}
	}
	l.passages.clear()
}

// share has those that filled eden bear the cost of a young collection.
func (l *lifetimes) share(s *state) {
	total := int64(0)
	for _, class := range l.filled.list {
		total = saturated(total, *l.filled.of(class))
	}
	for _, class := range l.filled.list {
		if s.Collected == Young && total > 0 {
			part := float64(*l.filled.of(class)) / float64(total)
			l.classes[class].Cost += time.Duration(part * float64(s.Stopped()))
		}
	}
	l.filled.clear()
}

// leave has humongous objects die whose regions are free, but for those that were moved: of a class the oldest.
func (l *lifetimes) leave(s *state) {
	type object struct {
		born int
		Amount
	}
	gone := map[Class][]object{}
	for at, e := range s.gone.all() {
		born, known := l.humongous[at.region]
		if at.space == Humongous && known && born != unknownBirth {
			gone[e.class] = append(gone[e.class], object{born, e.Amount})
		}
	}
	for at := range s.gone.places { // what is unused behind an object is in its place, too
		if at.space == Humongous {
			delete(l.humongous, at.region)
		}
	}
	for class, list := range gone {
		slices.SortFunc(list, func(a, b object) int { return cmp.Compare(b.born, a.born) })
		gone[class] = list
	}
	for at, e := range s.moved.all() {
		switch n := len(gone[e.class]); {
		case at.space != Humongous:
		case n == 0:
			l.humongous[at.region] = unknownBirth
		default:
			l.humongous[at.region] = gone[e.class][n-1].born
			gone[e.class] = gone[e.class][:n-1]
		}
	}
	for class, list := range gone {
		for _, o := range list {
			l.classes[class].die(l.collections-o.born, o.Amount)
		}
	}
}

// end has those that live, and takes out those that no collection has come to.
func (l *lifetimes) end(heap *Heap) {
	for at, e := range heap.all() {
		class := &l.classes[e.class]
		born, known := l.humongous[at.region]
		switch {
		case at.space == Humongous && (!known || born == unknownBirth):
		case at.space == Humongous && born == l.collections:
			class.Met = class.Met.minus(e.Amount)
		case at.space == Humongous:
			class.live(l.collections-born, e.Amount)
		case at.space == Survivor && at.age > 0:
			class.live(int(at.age), e.Amount)
		}
	}
}
