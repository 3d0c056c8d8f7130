package heap

import (
	"fmt"
	"math"
)

// Growth is how what is held after collections grows, by class.
type Growth struct {
	Query
	Rows        []GrowthRow
	Count       int  // of rows, before Top
	Collections int  // after which it was looked at
	Full        bool // these are the full ones
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
	for _, p := range h.Pauses {
		if !p.Ended && p.Collected == Everything {
			full++
		}
		if !p.Ended && p.Collected != Nothing {
			answer.Collections++
		}
	}
	if answer.Full = full >= fewest; answer.Full {
		answer.Collections = full
	}
	if answer.Collections < fewest {
		return nil, fmt.Errorf("a line through what was held after collections needs %d of them; there is %d",
			fewest, answer.Collections)
	}
	lines, last := h.fit(answer, &q)
	for class, selected := range h.selects(&q) {
		if g := last[class]; selected && Class(class) != Unused && g.Born != (Amount{}) {
			g.Slope, g.Fit, g.Fitted = lines.slope(class)
			answer.Rows = append(answer.Rows, g)
		}
	}
	answer.Count = len(answer.Rows)
	answer.Rows = ranked(h, &q, answer.Rows, func(r GrowthRow) float64 { return r.Slope },
		func(r GrowthRow) Key { return Key{Class: r.Class} })
	return answer, nil
}

// fit looks at each class after each of the collections. It returns the lines, and what there was after the last.
func (h *History) fit(answer *Growth, q *Query) (*lines, []GrowthRow) {
	n := len(h.classes.names)
	lines, last, now := newLines(n), make([]GrowthRow, n), make([]GrowthRow, n)
	for i, s := range h.states(len(h.Pauses)) {
		for _, e := range s.born.all() {
			now[e.class].Held, now[e.class].Born = now[e.class].Held.plus(e.Amount), now[e.class].Born.plus(e.Amount)
		}
		for _, e := range s.gone.all() {
			now[e.class].Held = now[e.class].Held.minus(e.Amount)
		}
		for _, e := range s.moved.all() {
			now[e.class].Held = now[e.class].Held.plus(e.Amount)
		}
		p := &h.Pauses[i]
		if p.Ended || p.Collected == Nothing || answer.Full && p.Collected != Everything {
			continue
		}
		lines.at(p.Finish.Seconds())
		for class := range now {
			now[class].Class = Class(class)
			lines.add(class, float64(q.value(now[class].Held)))
		}
		copy(last, now)
	}
	return lines, last
}

// lines are straight lines through points that have their x in common, by Welford's way to sum up: what is near to
// others in size is not subtracted from them.
type lines struct {
	n, meanX, sumXX float64
	deltaX          float64
	y               []lineSums
}

type lineSums struct{ mean, sumXY, sumYY float64 }

func newLines(n int) *lines { return &lines{y: make([]lineSums, n)} }

// at begins with the next points.
func (l *lines) at(x float64) {
	l.n++
	l.deltaX = x - l.meanX
	l.meanX += l.deltaX / l.n
	l.sumXX += l.deltaX * (x - l.meanX)
}

// add adds a line's point.
func (l *lines) add(line int, y float64) {
	s := &l.y[line]
	delta := y - s.mean
	s.mean += delta / l.n
	s.sumYY += delta * (y - s.mean)
	s.sumXY += l.deltaX * (y - s.mean)
}

// slope gives a line's slope and R², which there is where not all points are alike.
func (l *lines) slope(line int) (slope, fit float64, fitted bool) {
	s := l.y[line]
	if l.sumXX <= 0 || s.sumYY <= 0 {
		return 0, 0, false
	}
	return s.sumXY / l.sumXX, math.Min(1, s.sumXY*s.sumXY/(l.sumXX*s.sumYY)), true
}
