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
	answer := &Growth{Query: q, Full: true}
	looks := h.looks(len(h.Pauses)-1, true)
	if len(looks) < fewest {
		answer.Full, looks = false, h.looks(len(h.Pauses)-1, false)
	}
	if answer.Collections = len(looks); answer.Collections < fewest {
		return nil, fmt.Errorf("growth needs at least %d collections; the recording has %d",
			fewest, answer.Collections)
	}
	rows, fits := h.fit(&q, looks, 0)
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

// isMixed reports whether it is a collection of old regions, too, but no full one.
func (p *Pause) isMixed() bool { return p.isCollection(false) && p.Freed && p.Collected == Young }

// looks are the pauses up to a moment that are collections, or full ones.
func (h *History) looks(to int, full bool) (list []int) {
	for i := range h.Pauses[:to+1] {
		if h.Pauses[i].isCollection(full) {
			list = append(list, i)
		}
	}
	return list
}

// fit follows what each class holds, up to the last of the pauses that are looked at. Of each first pause there are
// lines through what was held after those from then on.
func (h *History) fit(q *Query, looks []int, firsts ...int) (rows []GrowthRow, fits []*lines) {
	for _, first := range firsts {
		var times []float64
		for _, i := range looks {
			if i >= first {
				times = append(times, h.Pauses[i].Finish.Seconds())
			}
		}
		fits = append(fits, newLines(times, len(h.classes.names)))
	}
	rows = make([]GrowthRow, len(h.classes.names))
	for i, s := range h.states(looks[len(looks)-1]) {
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
		if i < looks[0] {
			continue
		}
		looks = looks[1:]
		for k, first := range firsts {
			if i >= first {
				fits[k].next()
			}
		}
		if len(looks) == 0 {
			break
		}
	}
	return rows, fits
}
