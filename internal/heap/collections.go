package heap

// Collections are what each pause has done.
type Collections struct {
	Query
	Rows []CollectionRow // in the order of time
}

// CollectionRow is a line of the answer.
type CollectionRow struct {
	Pause    int    // index in Pauses
	Born     Amount // since the pause before
	Died     Amount // this and the next two are unknown where the pause has Ended
	Promoted Amount
	Survived Amount // in survivor spaces
	Held     Amount // behind it
}

// Collections asks what each pause has done.
func (h *History) Collections(q Query) *Collections {
	answer := &Collections{Query: q}
	selected, passages := h.selects(&q), newTouched[passage](len(h.classes.names))
	selected[Unused] = false
	sum := func(list *Heap) (sum Amount) {
		for _, e := range list.all() {
			if selected[e.class] {
				sum = sum.plus(e.Amount)
			}
		}
		return sum
	}
	held := Amount{}
	for i, s := range h.states(len(h.Pauses)) {
		r := CollectionRow{Pause: i, Born: sum(s.born), Died: sum(s.gone).minus(sum(s.moved))}
		passThrough(s, passages)
		for _, class := range passages.list {
			if !selected[class] {
				continue
			}
			p := passages.of(class)
			if s.Collected != Nothing {
				r.Promoted = r.Promoted.plus(p.promoted())
			}
			for _, a := range p.survived {
				r.Survived = r.Survived.plus(a)
			}
		}
		passages.clear()
		held = held.plus(r.Born).minus(r.Died)
		r.Held = held
		if i == 0 && h.IsLate() || !q.spans(s.Pause) {
			continue // of the first pause that is known it is not known what was born before it
		}
		answer.Rows = append(answer.Rows, r)
	}
	return answer
}
