package heap

import (
	"cmp"
	"slices"
)

// Timeline is what was held after pauses, and what had been born until then, by class. It is of a bounded size: each
// point stands for as many pauses one behind the other as are needed, and the classes that matter less are one.
type Timeline struct {
	Query
	Step    int      // how many pauses a point stands for, at most
	Points  []Point  // in the order of time; the last one is the last pause
	Courses []Course // by Class
	Others  Course   // of all other classes together
	Left    int      // how many these are
	Born    []Amount // in all of the recording, by Class

	Classes  int    // that were selected and born
	Selected []bool // by Class
}

// MostPoints and MostClasses bound a timeline.
const (
	MostPoints  = 1000
	MostClasses = 200 // unless Query.Top says otherwise
)

// Point is a pause, and those behind the point before.
type Point struct {
	Pause int               // index in Pauses; what is held is what this one has left
	Found int64             // bytes used at the start of a pause, unused ones included; the most of all
	Kinds [PauseKinds]int64 // how many pauses of each kind
}

// PauseKind is a kind of pauses.
type PauseKind uint8

// The kinds of pauses.
const (
	OtherPause PauseKind = iota // of a marking; the JVM's end
	YoungPause
	MixedPause // a young collection of G1's that has freed old regions, too, or that may have run out of room
	FullPause
	PauseKinds = 4
)

// Kind says of what kind the pause is.
func (p *Pause) Kind() PauseKind {
	switch {
	case p.Ended || p.Collected == Nothing:
		return OtherPause
	case p.Collected == Everything:
		return FullPause
	case p.Freed:
		return MixedPause
	}
	return YoungPause
}

// Timeline asks what was held over time. Of the classes one half are those that held most after a pause, the others
// those of which most were born.
func (h *History) Timeline(q Query) *Timeline {
	t := &Timeline{Query: q, Step: max(1, (len(h.Pauses)+MostPoints-1)/MostPoints)}
	for i := range h.Pauses {
		p := &h.Pauses[i]
		if last := len(h.Pauses) - 1; i%t.Step == 0 {
			t.Points = append(t.Points, Point{Pause: min(i+t.Step-1, last)})
		}
		point := &t.Points[len(t.Points)-1]
		found := int64(0)
		for _, bytes := range p.Found {
			found = saturated(found, bytes)
		}
		point.Found = max(point.Found, found)
		point.Kinds[p.Kind()]++
	}
	selected := h.selects(&q)
	selected[Unused] = false
	t.Selected = selected
	for _, class := range t.choose(h, selected) {
		t.Courses = append(t.Courses, Course{Class: class})
	}
	t.follow(h, selected)
	return t
}

// choose gives the classes that have a course of their own.
func (t *Timeline) choose(h *History, selected []bool) []Class {
	all := newCourses(len(h.classes.names))
	most := make([]int64, len(all.held)) // that were held
	for _, s := range h.states(len(h.Pauses)) {
		all.pass(s)
		for _, list := range []*Heap{s.born, s.moved} { // only of these there may be more
			for _, e := range list.all() {
				most[e.class] = max(most[e.class], t.value(all.held[e.class]))
			}
		}
	}
	t.Born = all.born
	var classes []Class
	for class, born := range t.Born {
		if selected[class] && born != (Amount{}) {
			classes = append(classes, Class(class))
		}
	}
	t.Classes = len(classes)
	top := cmp.Or(t.Top, MostClasses)
	first := func(n int, list []Class, value func(Class) int64) (chosen, others []Class) {
		slices.SortFunc(list, func(a, b Class) int {
			return cmp.Or(cmp.Compare(value(b), value(a)), cmp.Compare(h.Name(a), h.Name(b)),
				cmp.Compare(h.Loader(a), h.Loader(b)))
		})
		n = min(n, len(list))
		return list[:n], list[n:]
	}
	chosen, others := first(top-top/2, classes, func(c Class) int64 { return most[c] })
	more, others := first(top-len(chosen), others, func(c Class) int64 { return t.value(t.Born[c]) })
	t.Left = len(others)
	chosen = append(slices.Clip(chosen), more...)
	slices.Sort(chosen)
	return chosen
}

// follow takes the courses.
func (t *Timeline) follow(h *History, selected []bool) {
	all := newCourses(len(h.classes.names))
	point := 0
	for i, s := range h.states(len(h.Pauses)) {
		all.pass(s)
		if i < t.Points[point].Pause {
			continue
		}
		var held, born Amount // of others
		for class, is := range selected {
			if is {
				held, born = held.plus(all.held[class]), born.plus(all.born[class])
			}
		}
		for k := range t.Courses {
			c := &t.Courses[k]
			c.set(point, all.held[c.Class], all.born[c.Class])
			held, born = held.minus(all.held[c.Class]), born.minus(all.born[c.Class])
		}
		t.Others.set(point, held, born)
		point++
	}
}
