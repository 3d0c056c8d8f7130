package view

import (
	"cmp"
	"slices"
	"time"
)

// drawnClasses is how many classes a timeline tells apart.
const drawnClasses = 8

// Timeline is what was allocated when, by class.
type Timeline struct {
	Ready bool `json:"ready"` // false while that is being read
	// ends of the intervals, seconds since the start; the first begins with it
	To []float64 `json:"to"`
	// by class, the largest first, the others last: objects and bytes of each interval
	Classes []TimelineClass `json:"classes"`
	// garbage collections, where they were recorded, whatever the filter
	Collections []Collections `json:"collections"`
}

// TimelineClass is a part of a Timeline.
type TimelineClass struct {
	Title   string  `json:"title"`
	Objects []int64 `json:"objects"`
	Bytes   []int64 `json:"bytes"`
}

// Timeline says when what passes a filter was allocated. The span of the query does not matter.
func (r *Recording) Timeline(q Query) *Timeline {
	if r.changes == nil {
		return &Timeline{To: []float64{}, Classes: []TimelineClass{}, Collections: []Collections{}}
	}
	q.Span.From, q.Span.To = 0, 0
	all := r.classSums(r.selected(q))
	order := make([]int32, len(all))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(all[j][1], all[i][1]), cmp.Compare(all[j][0], all[i][0]))
	})
	order = order[:min(len(order), drawnClasses)]
	intervals := r.changes.intervals
	t := &Timeline{Ready: true, To: make([]float64, len(intervals)), Collections: r.collections}
	part := make([]int32, len(all)) // by class
	for i := range part {
		part[i] = int32(len(order))
	}
	for k, class := range order {
		part[class] = int32(k)
		t.add(r.types[class])
	}
	t.add("others")
	passes := r.Profile.Selection(q.Filter)
	for i := range intervals {
		t.To[i] = float64(intervals[i].to) / float64(time.Second)
		for k, place := range intervals[i].place {
			if cell := r.changes.cells[place]; cell >= 0 && r.cells.passes(int(cell), passes) {
				class := &t.Classes[part[r.typeOf[r.cells.site[cell]]]]
				class.Objects[i] += intervals[i].objects[k]
				class.Bytes[i] += intervals[i].bytes[k]
			}
		}
	}
	return t
}

func (t *Timeline) add(title string) {
	t.Classes = append(t.Classes, TimelineClass{title, make([]int64, len(t.To)), make([]int64, len(t.To))})
}
