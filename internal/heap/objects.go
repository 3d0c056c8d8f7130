package heap

import (
	"cmp"
	"slices"

	"mallard/internal/heap/single"
)

// Objects are the single objects that were in the heap at a moment.
type Objects struct {
	Query
	At       int // in Pauses
	Rows     []single.Object
	Count    int    // of rows, before Top
	Total    Amount // of all that are known
	Selected Amount
	Missing  Amount // held besides, that nothing is known of but their class
	Unknown  int64  // of all, those of which nobody knows when they were born
	Nameless int64  // of all, those that have no identity
	Unplaced int64  // of all, those of which nobody knows where they are
	Gaps     single.Gaps
}

// Objects asks which objects were in the heap at a moment. Rows are in order of their size, then of their addresses.
func (h *History) Objects(moment int, q Query) (*Objects, error) {
	if !h.singly {
		return nil, ErrNoSingles
	}
	answer := &Objects{Query: q, At: moment}
	selected, rows := h.selects(&q), largest{top: q.Top}
	var s singles
	for i := range h.replaySingles(moment, &s) {
		if i < moment {
			continue
		}
		for o := range s.All() {
			a := Amount{1, o.Bytes()}
			if Class(o.Class) == Unused {
				continue
			}
			answer.Total = answer.Total.plus(a)
			if o.Born < 0 {
				answer.Unknown++
			}
			if o.Order == 0 {
				answer.Nameless++
			}
			if o.Address == 0 {
				answer.Unplaced++
			}
			if selected[o.Class] {
				answer.Selected = answer.Selected.plus(a)
				answer.Count++
				rows.add(o)
			}
		}
	}
	answer.Gaps = s.Gaps
	missing := h.Held(moment, Query{}).Total.minus(answer.Total)
	answer.Missing = missing.atMost(missing)
	rows.rank()
	answer.Rows = rows.rows
	return answer, nil
}

// largest are the first ones of objects, in the order of rows; 0: all.
type largest struct {
	top    int
	rows   []single.Object
	ranked bool // the first ones are in order, and as many as are asked for
}

// someRows are so many that it does not matter how many more there are.
const someRows = 1 << 12

func (l *largest) add(o *single.Object) {
	if l.ranked && compareObjects(*o, l.rows[l.top-1]) > 0 {
		return
	}
	if l.rows = append(l.rows, *o); l.top > 0 && len(l.rows) >= l.top+someRows {
		l.rank()
	}
}

func (l *largest) rank() {
	slices.SortFunc(l.rows, compareObjects)
	if l.top > 0 && len(l.rows) >= l.top {
		l.rows, l.ranked = l.rows[:l.top], true
	}
}

func compareObjects(a, b single.Object) int {
	return cmp.Or(cmp.Compare(b.Words, a.Words), cmp.Compare(a.Address, b.Address), cmp.Compare(a.Order, b.Order))
}
