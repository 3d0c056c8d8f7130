package export

import (
	"slices"

	"mallard/internal/heap"
)

// pageMaps are maps of the heap at points of the timeline, and at the moment that was asked for; the first is against
// an empty heap, each other one against that before.
type pageMaps struct {
	Every   int        `json:"every"`   // one in so many points has one
	At      int        `json:"at"`      // the one that was asked for
	Points  []int      `json:"points"`  // of each; -1: it is of a moment that is no point
	Seconds float64    `json:"seconds"` // of the one that was asked for
	Named   [][2]int64 `json:"named"`   // classes: names, and sites, -1 where they are not known or not asked for
	Names   []string   `json:"spaces"`
	// of each, space by space: objects, bytes, bytes between objects; last how many regions are left out
	Sums [][]int64 `json:"sums"`
	// changes of each: number in Named times four plus the space's, objects, bytes
	Classes [][]int64 `json:"classes"`
	// changes of each: number, the space's, objects, bytes, unused bytes, the largest class's name (-1: none) and bytes
	Regions [][]int64 `json:"regions"`
}

// drawMaps has maps for all points of a timeline, as far as there is room, and for a moment.
func drawMaps(h *heap.History, line *heap.Timeline, moment int, regions bool) *heap.Maps {
	q := heap.MapQuery{Query: line.Query, Chosen: moment, Regions: regions, Moments: []int{moment}}
	for _, p := range line.Points {
		q.Moments = append(q.Moments, p.Pause)
	}
	slices.Sort(q.Moments)
	q.Moments = slices.Compact(q.Moments)
	for i := range line.Courses {
		q.Classes = append(q.Classes, line.Courses[i].Class)
	}
	return h.Maps(q)
}

// newPageMaps writes them with names of the page.
func newPageMaps(t *pageTree, h *heap.History, line *heap.Timeline, maps *heap.Maps, moment int) *pageMaps {
	p := &pageMaps{Every: maps.Every, Seconds: h.Pauses[moment].Time().Seconds(), Named: [][2]int64{}}
	numbers := map[heap.Class]int64{}
	number := func(class heap.Class) int64 {
		n, known := numbers[class]
		if !known {
			n = int64(len(p.Named))
			numbers[class] = n
			p.Named = append(p.Named, [2]int64{t.name(h.Title(class)), siteName(t, line, class)})
		}
		return n
	}
	for space := range heap.Space(heap.Spaces) {
		p.Names = append(p.Names, space.String())
	}
	point := 0
	for i := range maps.Maps {
		m := &maps.Maps[i]
		for point < len(line.Points)-1 && line.Points[point].Pause < m.Moment {
			point++
		}
		if line.Points[point].Pause == m.Moment {
			p.Points = append(p.Points, point+1) // points of the page begin with the start
		} else {
			p.Points = append(p.Points, -1)
		}
		if m.Moment == moment {
			p.At = i
		}
		var sums []int64
		for space, sum := range m.Sums {
			sums = append(sums, sum.Objects, sum.Bytes, m.Unused[space])
		}
		classes, regions := []int64{}, []int64{}
		for _, c := range m.Classes {
			classes = append(classes, heap.Spaces*number(c.Class)+int64(c.Space), c.Objects, c.Bytes)
		}
		for _, r := range m.Regions {
			largest := int64(-1)
			if r.Largest != heap.Unused {
				largest = t.name(h.Title(r.Largest))
			}
			regions = append(regions, int64(r.Number), int64(r.Space), r.Held.Objects, r.Held.Bytes, r.Unused, largest,
				r.Bytes)
		}
		p.Sums = append(p.Sums, append(sums, int64(m.Left)))
		p.Classes, p.Regions = append(p.Classes, classes), append(p.Regions, regions)
	}
	return p
}
