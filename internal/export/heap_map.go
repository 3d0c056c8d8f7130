package export

import (
	"cmp"
	"slices"

	"mallard/internal/heap"
)

// What a map has room for.
const (
	mostRegions = 2048
	mostInSpace = 20 // classes
)

// pageSpace is what a space has.
type pageSpace struct {
	Name    string  `json:"name"`
	Objects int64   `json:"objects"`
	Bytes   int64   `json:"bytes"`
	Unused  int64   `json:"unused"`  // bytes between objects
	Classes []int64 `json:"classes"` // name, objects, bytes of those that have most
}

// newPageSpaces gives what was in each space.
func newPageSpaces(t *pageTree, h *heap.History, moment int, q heap.Query) []pageSpace {
	spaces := make([]pageSpace, heap.Spaces)
	for space := range spaces {
		spaces[space] = pageSpace{Name: heap.Space(space).String(), Classes: []int64{}}
	}
	q.By, q.Top, q.Counts = []heap.By{heap.ByClass, heap.BySpace}, 0, nil
	for _, row := range h.Held(moment, q).Rows {
		s := &spaces[row.Space]
		if row.Class == heap.Unused {
			s.Unused += row.Bytes
			continue
		}
		sum := heap.Sum(heap.Amount{Objects: s.Objects, Bytes: s.Bytes}, row.Amount)
		s.Objects, s.Bytes = sum.Objects, sum.Bytes
		if len(s.Classes) < 3*mostInSpace {
			s.Classes = append(s.Classes, t.name(h.Title(row.Class)), row.Objects, row.Bytes)
		}
	}
	return spaces
}

// newPageRegions gives numbers for each region: its own, its space's, objects, bytes, unused bytes, the largest class's
// name (-1: none) and bytes.
func newPageRegions(t *pageTree, h *heap.History, regions []heap.Region) []int64 {
	if len(regions) > mostRegions {
		slices.SortStableFunc(regions, func(a, b heap.Region) int { return cmp.Compare(b.Held.Bytes, a.Held.Bytes) })
		regions = regions[:mostRegions]
		slices.SortStableFunc(regions, func(a, b heap.Region) int { return cmp.Compare(a.Number, b.Number) })
	}
	numbers := make([]int64, 0, 7*len(regions))
	for _, r := range regions {
		largest := int64(-1)
		if r.Largest != heap.Unused {
			largest = t.name(h.Title(r.Largest))
		}
		numbers = append(numbers, int64(r.Number), int64(r.Space), r.Held.Objects, r.Held.Bytes, r.Unused, largest,
			r.Bytes)
	}
	return numbers
}
