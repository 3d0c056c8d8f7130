package heap

// Verdicts are what is sure about a heap up to a moment. What is not sure is nil: that nothing is said of a leak does
// not mean that there is none.
type Verdicts struct {
	Growing   []Growing
	Bounded   *Bounded
	Early     *Early
	Churning  *Churning  // the last three are not of some classes, but of all
	Oversized *Oversized // needs causes
	Crowded   *Crowded   // needs causes
}

// Verdicts asks what is sure, as if the recording had ended at a moment. There is nothing where events are missing up
// to then. Classes of one name are one.
func (h *History) Verdicts(to int, q Query, causes Causes) *Verdicts {
	answer := h.ByNames().verdicts(to, q, causes)
	born, held := h.loadersUntil(to)
	for i := range answer.Growing {
		g := &answer.Growing[i]
		g.Loaders.set(h, held(named{g.Name, g.Site}))
	}
	if b := answer.Bounded; b != nil {
		b.Loaders.set(h, held(named{b.Name, b.Site}))
	}
	if e := answer.Early; e != nil {
		e.Loaders.set(h, born(named{e.Name, e.Site}))
	}
	if c := answer.Churning; c != nil {
		c.Loaders.set(h, born(named{c.Name, c.Site}))
	}
	if o := answer.Oversized; o != nil {
		o.Loaders.set(h, born(named{o.Name, o.Site}))
	}
	return answer
}

func (h *History) verdicts(to int, q Query, causes Causes) *Verdicts {
	answer := &Verdicts{}
	if to < 0 || h.missing(to) > 0 {
		return answer
	}
	n := len(h.classes.names)
	passages := newTouched[passage](n)
	full := plateaus{full: true, within: fullWithin, over: 1, list: make([]plateau, n)}
	mixed := plateaus{within: nearWithin, over: nearOver, list: make([]plateau, n)}
	promoted := promotions{classes: make([]Early, n), since: make([]Amount, n)}
	young := churn{born: make([]Amount, n), died: make([]Amount, n)}
	large := humongous{born: make([]Amount, n)}
	var room room
	for i, s := range h.states(to) {
		cause := causes.Of(h, i)
		full.add(i, s)
		mixed.add(i, s)
		large.add(s, cause)
		room.add(s, cause)
		passThrough(s, passages)
		promoted.add(s, passages)
		young.add(s, passages)
		passages.clear()
	}
	selected := h.selects(&q)
	answer.Growing = h.growing(to, q)
	answer.Bounded, answer.Early = full.bounded(h, to, selected), promoted.early(h, selected)
	if answer.Bounded == nil {
		answer.Bounded = mixed.bounded(h, to, selected)
	}
	if q.Class == "" {
		answer.Churning, answer.Oversized = young.churning(h, to), large.oversized(h)
		answer.Crowded = room.crowded(h.Begin(), h.Pauses[to].Time())
	}
	return answer
}
