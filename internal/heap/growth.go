package heap

import "fmt"

// Growth is how what is held after collections grows, by class.
type Growth struct {
	Query
	Rows        []GrowthRow
	Count       int  // of rows, before Top
	Collections int  // after which it was looked at
	Full        bool // these are the full ones
	Sited       Sited
}

// GrowthRow is a line of the answer: a straight line through what the class held after collections, by least squares.
type GrowthRow struct {
	Class  Class
	Held   Amount  // after the last of the collections
	Born   Amount  // until then
	Slope  float64 // a second, of bytes or objects as the query sorts
	Fit    float64 // R², the share of the differences between collections that the line explains
	Fitted bool    // there are differences
}

// Key is what the row stands for.
func (r GrowthRow) Key() Key { return Key{Class: r.Class} }

// Stayed is the share of what was born that was held at last, in percent of objects.
func (r *GrowthRow) Stayed() float64 {
	return 100 * float64(r.Held.Objects) / float64(max(r.Born.Objects, 1))
}

// fewest is how many collections a line needs.
const fewest = 3

// Growth asks what grows. It looks after full collections, where there are enough, since these leave no garbage; else
// after all that have collected something.
func (h *History) Growth(q Query) (*Growth, error) {
	answer := &Growth{Query: q}
	full := 0
	for i := range h.Pauses {
		if h.Pauses[i].isCollection(true) {
			full++
		}
		if h.Pauses[i].isCollection(false) {
			answer.Collections++
		}
	}
	if answer.Full = full >= fewest; answer.Full {
		answer.Collections = full
	}
	if answer.Collections < fewest {
		return nil, fmt.Errorf("a line through what was held after collections needs %d of them; the recording has %d",
			fewest, answer.Collections)
	}
	rows, fits := h.fit(&q, func(p *Pause) bool { return p.isCollection(answer.Full) }, 0)
	lines := fits[0]
	for class, selected := range h.selects(&q) {
		if g := rows[class]; selected && Class(class) != Unused && g.Born != (Amount{}) {
			g.Class = Class(class)
			g.Slope, g.Fit, g.Fitted = lines.slope(class)
			answer.Rows = append(answer.Rows, g)
		}
	}
	answer.Count = len(answer.Rows)
	answer.Sited = sited(&q, answer.Rows, func(r GrowthRow) (Class, Amount) { return r.Class, r.Held })
	answer.Rows = ranked(h, &q, answer.Rows, func(r GrowthRow) float64 { return r.Slope },
		GrowthRow.Key)
	return answer, nil
}

// isCollection reports whether a pause has collected something, or everything, and what it has left is known.
func (p *Pause) isCollection(full bool) bool {
	return !p.Ended && (p.Collected == Everything || !full && p.Collected != Nothing)
}

// fit follows what each class holds, up to the last of the pauses that are looked at. Of each first pause there are
// lines through what was held after those from then on.
func (h *History) fit(q *Query, looksAt func(*Pause) bool, firsts ...int) (rows []GrowthRow, fits []*lines) {
	last := 0
	for _, first := range firsts {
		var times []float64
		for i := first; i < len(h.Pauses); i++ {
			if p := &h.Pauses[i]; looksAt(p) {
				times, last = append(times, p.Finish.Seconds()), max(last, i)
			}
		}
		fits = append(fits, newLines(times, len(h.classes.names)))
	}
	rows = make([]GrowthRow, len(h.classes.names))
	for i, s := range h.states(last) {
		change := func(list *Heap, change func(*GrowthRow, Amount)) {
			for _, e := range list.all() {
				g := &rows[e.class]
				change(g, e.Amount)
				for _, lines := range fits {
					lines.set(int(e.class), float64(q.value(g.Held)))
				}
			}
		}
		change(s.born, func(g *GrowthRow, a Amount) { g.Held, g.Born = g.Held.plus(a), g.Born.plus(a) })
		change(s.gone, func(g *GrowthRow, a Amount) { g.Held = g.Held.minus(a) })
		change(s.moved, func(g *GrowthRow, a Amount) { g.Held = g.Held.plus(a) })
		for k, first := range firsts {
			if i >= first && looksAt(&h.Pauses[i]) {
				fits[k].next()
			}
		}
	}
	return rows, fits
}
