package heap

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

// changes gives what has changed between two moments, of each key and of all that are selected.
func (h *History) changes(from, to int, q *Query) (sums map[Key]DiffAmounts, all DiffAmounts) {
	selected := h.selects(q)
	sums = map[Key]DiffAmounts{}
	add := func(list *Heap, amount func(*DiffAmounts) *Amount) {
		for at, e := range list.all() {
			if !selected[e.class] || e.class == Unused {
				continue
			}
			k := q.key(at, e.class)
			sum := sums[k]
			for _, d := range []*DiffAmounts{&sum, &all} {
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
	return sums, all
}
