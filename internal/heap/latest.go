package heap

// Latest is what the last collection has left of which that is known: a walk has come behind it. Rows are those that
// have something left, the largest first.
type Latest struct {
	*Diff // against the collection before; From is To where nothing is known of one
}

// Latest asks what the last collection has left, and what has changed since the one before; or, byGrowth, which classes
// have grown, those that grew most first.
func (h *History) Latest(q Query, byGrowth bool) (*Latest, error) {
	var known []int
	for i := len(h.Pauses) - 1; i >= 0 && len(known) < 2; i-- {
		if h.Pauses[i].Kind() != OtherPause {
			known = append(known, i)
		}
	}
	if len(known) == 0 {
		return nil, ErrNone
	}
	from, to := known[0], known[0]
	if len(known) > 1 {
		from = known[1]
	} else if !h.IsLate() {
		from = Start
	}
	all := q
	all.Top = 0
	d := h.Diff(from, to, all)
	kept := d.Rows[:0]
	for _, r := range d.Rows {
		if byGrowth && q.value(r.Difference()) > 0 || !byGrowth && r.After != (Amount{}) {
			kept = append(kept, r)
		}
	}
	d.Query, d.Count = q, len(kept)
	d.Rows = ranked(h, &q, kept, func(r DiffRow) int64 {
		if byGrowth {
			return q.value(r.Difference())
		}
		return q.value(r.After)
	}, func(r DiffRow) Key { return r.Key })
	return &Latest{d}, nil
}
