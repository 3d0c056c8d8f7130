package heap

// DiffAmounts are what sums tell exactly. Which of the objects born in between are those that are held afterwards they
// do not: of one class and place they look the same.
type DiffAmounts struct {
	Before, After Amount // held at From, and at To
	Born          Amount // in between, there
}

// Difference is what is held more.
func (d DiffAmounts) Difference() Amount { return d.After.minus(d.Before) }

// Died is what was there at From, or was born there in between, and was not there any more at To: it died, and of one
// place, rather than a class, it died or was moved elsewhere, less what came from there.
func (d DiffAmounts) Died() Amount { return d.Before.plus(d.Born).minus(d.After) }

// changed is what has changed between two moments.
type changed struct {
	sums map[Key]DiffAmounts
	all  DiffAmounts
}

// changes gives those of the classes that a query selects.
func (h *History) changes(from, to int, q *Query) *changed {
	c := &changed{sums: map[Key]DiffAmounts{}}
	selected := h.selects(q)
	add := func(list *Heap, amount func(*DiffAmounts) *Amount) {
		for at, e := range list.all() {
			if !selected[e.class] || e.class == Unused {
				continue
			}
			k := q.key(at, e.class)
			sum := c.sums[k]
			for _, d := range []*DiffAmounts{&sum, &c.all} {
				*amount(d) = amount(d).plus(e.Amount)
			}
			c.sums[k] = sum
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
	return c
}
