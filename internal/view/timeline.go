package view

import (
	"cmp"
	"iter"
	"slices"
	"sync"
	"time"

	"mallard/internal/profile"
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
	passes := r.Profile.Selection(q.Filter)
	all := r.classesThatPass(passes)
	order := make([]int32, len(all))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(all[j][1], all[i][1]), cmp.Compare(all[j][0], all[i][0]), cmp.Compare(i, j))
	})
	order = order[:min(len(order), drawnClasses)]
	t := &Timeline{Ready: true, To: make([]float64, len(r.changes.intervals)), Collections: r.collections}
	for i := range r.changes.intervals {
		t.To[i] = float64(r.changes.intervals[i].to) / float64(time.Second)
	}
	part := make([]uint8, len(all)) // by class
	for i := range part {
		part[i] = uint8(len(order))
	}
	for k, class := range order {
		part[class] = uint8(k)
		t.add(r.types[class])
	}
	t.add("others")
	t.sum(r.changes, r.partOfPlaces(part, passes))
	return t
}

// classesThatPass has what was allocated of each type and passes.
func (r *Recording) classesThatPass(passes *profile.Selection) [][2]int64 {
	all := make([][2]int64, len(r.types))
	var adding sync.Mutex
	split(len(r.cells.site), manyNumbers, func(pieces iter.Seq2[int, int]) {
		sums := make([][2]int64, len(r.types))
		for from, to := range pieces {
			for k := from; k < to; k++ {
				if r.cells.passes(k, passes) {
					add(&sums[r.typeOf[r.cells.site[k]]], r.cells.amounts[k])
				}
			}
		}
		adding.Lock()
		defer adding.Unlock()
		for i, sum := range sums {
			add(&all[i], amount{sum[0], sum[1]})
		}
	})
	return all
}

// partOfPlaces gives for each place the class of the timeline that it belongs to; noPart for what does not pass.
func (r *Recording) partOfPlaces(part []uint8, passes *profile.Selection) []uint8 {
	of := make([]uint8, len(r.changes.cells))
	split(len(of), manyNumbers, func(pieces iter.Seq2[int, int]) {
		for from, to := range pieces {
			for place, cell := range r.changes.cells[from:to] {
				of[from+place] = noPart
				if cell >= 0 && r.cells.passes(int(cell), passes) {
					of[from+place] = part[r.typeOf[r.cells.site[cell]]]
				}
			}
		}
	})
	return of
}

// noPart stands for what is no part of a timeline.
const noPart = drawnClasses + 1

// sum adds up what has changed, given the class of each place: pieces of intervals, which may be few and large.
func (t *Timeline) sum(c *changes, of []uint8) {
	type piece struct{ interval, from, to int }
	var list []piece
	for i := range c.intervals {
		for from := 0; from < len(c.intervals[i].place); from += manyNumbers {
			list = append(list, piece{i, from, min(len(c.intervals[i].place), from+manyNumbers)})
		}
	}
	var adding sync.Mutex
	split(len(list), 8, func(pieces iter.Seq2[int, int]) {
		for from, to := range pieces {
			for _, piece := range list[from:to] {
				sums := c.intervals[piece.interval].byPart(piece.from, piece.to, of)
				adding.Lock()
				for i := range t.Classes {
					t.Classes[i].Objects[piece.interval] += sums[i].objects
					t.Classes[i].Bytes[piece.interval] += sums[i].bytes
				}
				adding.Unlock()
			}
		}
	})
}

// byPart sums up some of an interval, given the part that each place is of.
func (i *interval) byPart(from, to int, of []uint8) (sums [noPart + 1]amount) {
	objects, bytes := i.objects[from:to], i.bytes[from:to]
	for k, place := range i.place[from:to] {
		sums[of[place]].add(amount{objects[k], bytes[k]})
	}
	return sums
}

func (t *Timeline) add(title string) {
	t.Classes = append(t.Classes, TimelineClass{title, make([]int64, len(t.To)), make([]int64, len(t.To))})
}
