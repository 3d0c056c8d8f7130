package heap

// Held is what was in the heap at a moment.
type Held struct {
	Query
	At       int // in Pauses
	Rows     []HeldRow
	Count    int    // of rows, before Top
	Total    Amount // of all objects
	Selected Amount // of those that passed the filter
	Unused   int64  // bytes that are no objects, as far as they are known
	Sited    Sited
	Deaths   *Deaths // up to then
}

// HeldRow is a line of the answer.
type HeldRow struct {
	Key
	Amount // without objects where the class is Unused
}

// Held asks what was in the heap at a moment.
func (h *History) Held(moment int, q Query) *Held {
	answer := &Held{Query: q, At: moment}
	selected, sums := h.selects(&q), map[Key]Amount{}
	for i, s := range h.states(moment) {
		if i < moment {
			continue
		}
		if s.Ended {
			answer.Unused = s.Unused
		}
		for at, e := range s.heap.all() {
			switch {
			case e.class == Unused:
				answer.Unused += e.Bytes
				if !q.hasClass() {
					continue
				}
				e.Objects = 0
			default:
				answer.Total = answer.Total.plus(e.Amount)
				if selected[e.class] {
					answer.Selected = answer.Selected.plus(e.Amount)
				}
			}
			if selected[e.class] {
				k := q.key(at, e.class)
				sums[k] = sums[k].plus(e.Amount)
			}
		}
	}
	for k, sum := range sums {
		if sum != (Amount{}) {
			answer.Rows = append(answer.Rows, HeldRow{k, sum})
		}
	}
	answer.Count = len(answer.Rows)
	answer.Sited = sited(&q, answer.Rows, func(r HeldRow) (Class, Amount) { return r.Class, r.Amount })
	answer.Deaths = h.deaths(&q, Start, moment)
	answer.Rows = ranked(h, &q, answer.Rows, func(r HeldRow) int64 { return q.value(r.Amount) },
		func(r HeldRow) Key { return r.Key })
	return answer
}
