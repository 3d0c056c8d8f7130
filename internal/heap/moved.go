package heap

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Moved is what lived through one collection: what it had to copy, and a full one to mark, which is what makes it
// expensive. What is humongous stays where it is, and is left out.
type Moved struct {
	Query
	At       int // in Pauses
	Rows     []MovedRow
	Count    int      // of rows, before Top
	Total    MovedRow // of all classes
	Selected MovedRow // of those that passed the filter
	Sited    Sited

	Collections int           // in the recording; 0: it was not compared with others
	Stopped     time.Duration // in all of them, without walks
	More        int           // other ones of its kind that moved as many bytes and more
	Usual       time.Duration // for which these stopped the program, the median of them; 0 without any
}

// MovedRow is a line of the answer.
type MovedRow struct {
	Class    Class
	Survived Amount // in survivor spaces
	Promoted Amount // to the old generation; of mixed and full collections the least that it can be
	Old      Amount // was old before: a mixed collection has moved it, a full one left or moved it
}

// Key is what the row stands for.
func (r MovedRow) Key() Key { return Key{Class: r.Class} }

// All is all of it.
func (r MovedRow) All() Amount { return Sum(r.Survived, r.Promoted, r.Old) }

func (r *MovedRow) add(other *MovedRow) {
	r.Survived, r.Promoted = r.Survived.plus(other.Survived), r.Promoted.plus(other.Promoted)
	r.Old = r.Old.plus(other.Old)
}

// Dearest is the collection that stopped the program longest.
func (h *History) Dearest() (int, error) {
	longest := -1
	for i := range h.Pauses {
		if p := &h.Pauses[i]; p.isCollection(false) && (longest < 0 || p.Stopped() > h.Pauses[longest].Stopped()) {
			longest = i
		}
	}
	if longest < 0 {
		return 0, errors.New("the recording has no collection after which the heap is known")
	}
	return longest, nil
}

// Moved asks what lived through a collection. Rows are in order of that.
func (h *History) Moved(moment int, q Query) (*Moved, error) {
	switch p := &h.Pauses[moment]; {
	case p.Ended:
		return nil, errors.New("no collection ended at that moment; use --at gc:N with a number that " +
			"--collections prints")
	case p.Collected == Nothing:
		return nil, fmt.Errorf("gc:%d did not collect the young generation, so it moved nothing", p.Collection)
	}
	answer := &Moved{Query: q, At: moment}
	of, whole := h.wholes()
	selected, passages := h.selects(&q), newTouched[passage](len(of.classes.names))
	bytes := make([]int64, len(h.Pauses)) // moved
	rows := newTouched[MovedRow](len(h.classes.names))
	for i, s := range of.states(len(h.Pauses)) {
		passThrough(s, passages)
		for _, class := range passages.list {
			r := passages.of(class).lived(class)
			if class == Unused || !s.isCollection(false) {
				continue
			}
			if bytes[i] = saturated(bytes[i], r.All().Bytes); i != moment || r.All() == (Amount{}) {
				continue
			}
			answer.Total.add(&r)
			rows.of(whole(class)).add(&r)
		}
		passages.clear()
	}
	for _, class := range rows.list {
		if selected[class] {
			r := *rows.of(class)
			r.Class = class
			answer.Selected.add(&r)
			answer.Rows = append(answer.Rows, r)
		}
	}
	answer.compare(h, bytes)
	answer.Count = len(answer.Rows)
	answer.Sited = sited(&q, answer.Rows, func(r MovedRow) (Class, Amount) { return r.Class, r.All() })
	answer.Rows = ranked(h, &q, answer.Rows, func(r MovedRow) int64 { return q.value(r.All()) }, MovedRow.Key)
	return answer, nil
}

// Alone takes out how it compares with other collections, where not all of these were read.
func (m *Moved) Alone() { m.Collections, m.Stopped, m.More, m.Usual = 0, 0, 0, 0 }

// lived is what has lived through a collection.
func (p *passage) lived(class Class) MovedRow {
	promoted := p.promoted()
	return MovedRow{class, Sum(p.survived[:]...), promoted, p.moved.minus(promoted)}
}

// compare holds the collection against all others, given what each has moved.
func (m *Moved) compare(h *History, bytes []int64) {
	var times []time.Duration
	for i := range h.Pauses {
		p := &h.Pauses[i]
		if !p.isCollection(false) {
			continue
		}
		m.Collections++
		m.Stopped += p.Stopped()
		if i != m.At && p.Kind() == h.Pauses[m.At].Kind() && bytes[i] >= bytes[m.At] {
			times = append(times, p.Stopped())
		}
	}
	if m.More = len(times); m.More > 0 {
		slices.Sort(times)
		m.Usual = times[len(times)/2]
	}
}
