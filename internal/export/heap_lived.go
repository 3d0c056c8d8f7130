package export

import (
	"cmp"
	"slices"
	"strings"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// What the picture of lifetimes has room for.
const (
	mostLived = 2000 // classes of their own
	mostRests = 500  // packages in which there are others
)

// lived is what was born of a class, or of several together, and how long it lived.
type lived struct {
	within  string // package; "" for none
	name    string
	classes int
	site    string // "" where it is not known
	born    heap.Amount
	met     heap.Amount // by a first collection
	soon    heap.Amount // of that, found dead by it
	through heap.Spread // collections
}

// lives are how long objects lived, by class.
type lives struct {
	by     map[heap.Class]lived
	facts  []string   // about them
	losses []jsonLoss // of single objects
}

// newLives has the answer that --lifetimes has: of single objects, where these were recorded.
func newLives(h *heap.History, q heap.Query) (*lives, error) {
	q.Top = 0
	l := &lives{by: map[heap.Class]lived{}}
	if !h.HasSingles() {
		for _, r := range h.Lifetimes(q).Rows {
			l.by[r.Class] = lived{met: r.Met, soon: r.Soon, through: r.Collections()}
		}
		return l, nil
	}
	ages, err := h.Ages(q)
	if err != nil {
		return nil, err
	}
	for _, r := range ages.Rows {
		l.by[r.Class] = lived{met: r.Met, soon: r.Soon, through: r.Collections}
	}
	l.facts = append(l.facts, "Lifetimes of single objects, "+heapAmount(ages.Met)+", that a collection has come to")
	if unknown := joinUnknown(unknownAges(ages.Unknown, &ages.Gaps, "shares that died in the first collection are "+
		"too low")); unknown != "" {
		l.facts = append(l.facts, "Unknown of lifetimes "+unknown)
	}
	l.losses = gapLosses(&ages.Gaps)
	return l, nil
}

// listLived gives classes by package: those of which most were born, and the others of each package together.
func listLived(h *heap.History, line *heap.Timeline, lives *lives) []lived {
	q := line.Query
	var list []lived
	for class, born := range line.Born {
		name, class := h.Name(heap.Class(class)), heap.Class(class)
		if class == heap.Unused || born == (heap.Amount{}) || !line.Selected[class] {
			continue
		}
		l := lives.by[class] // nothing where no collection has come to it
		l.within, l.name, l.classes, l.born = packageOf(name), h.Title(class), 1, born
		if q.Counts != nil && q.Counts.Site(class) != nil {
			l.site = siteText(q.Counts, class)
		}
		list = append(list, l)
	}
	most := func(a, b lived) int {
		value := func(l *lived) int64 {
			if q.Sort == profile.SortObjects {
				return l.born.Objects
			}
			return l.born.Bytes
		}
		return cmp.Or(cmp.Compare(value(&b), value(&a)), cmp.Compare(a.name, b.name), cmp.Compare(a.within, b.within))
	}
	slices.SortFunc(list, most)
	if len(list) > mostLived {
		rests := together(list[mostLived:], func(l *lived) string { return l.within })
		slices.SortFunc(rests, most)
		if len(rests) > mostRests {
			rests = append(rests[:mostRests], together(rests[mostRests:], func(*lived) string { return "" })...)
		}
		list = append(list[:mostLived], rests...)
	}
	slices.SortStableFunc(list, func(a, b lived) int { return cmp.Compare(a.within, b.within) })
	return list
}

// together has the classes of one package be one.
func together(list []lived, within func(*lived) string) (sums []lived) {
	index := map[string]int{}
	for _, l := range list {
		i, known := index[within(&l)]
		if !known {
			i = len(sums)
			index[within(&l)] = i
			sums = append(sums, lived{within: within(&l)})
		}
		sum := &sums[i]
		sum.classes += l.classes
		sum.name = othersName(sum.classes)
		sum.born = heap.Sum(sum.born, l.born)
		sum.met, sum.soon = heap.Sum(sum.met, l.met), heap.Sum(sum.soon, l.soon)
		sum.through.Add(&l.through)
	}
	return sums
}

// writeLived writes the tree: packages, their classes, and the site of each where it is known. It gives numbers for
// each leaf, in order: objects and bytes that a first collection has come to, those of them that it found dead, how
// many collections half of the objects came through at most, and 1 if more is not known.
func writeLived(t *pageTree, list []lived) []int64 {
	numbers := make([]int64, 0, 6*len(list))
	within := ""
	for _, l := range list {
		depth := 0
		if l.within != "" {
			if l.within != within {
				t.inner(0, l.within, 0)
			}
			depth = 1
		}
		within = l.within
		name := l.name
		if l.site != "" {
			t.inner(depth, name, 0)
			depth, name = depth+1, l.site
		}
		t.leaf(depth, name, l.born.Objects, l.born.Bytes)
		median, isMore := l.through.Quantile(0.5)
		atLeast := int64(0)
		if isMore {
			atLeast = 1
		}
		numbers = append(numbers, l.met.Objects, l.met.Bytes, l.soon.Objects, l.soon.Bytes, median, atLeast)
	}
	return numbers
}

// packageOf is a class's package; "" if it has none, as arrays of numbers have none.
func packageOf(class string) string {
	class, _, _ = strings.Cut(class, "/") // in the name of a hidden class
	return class[:max(0, strings.LastIndexByte(class, '.'))]
}
