package export

import (
	"cmp"
	"fmt"
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

// lived is what was born of a class, or of several together.
type lived struct {
	within  string // package; "" for none
	name    string
	classes []heap.Class
	site    string // "" where it is not known
	born    heap.Amount
}

// lives are how long objects lived, by class and when they were born, in the order of the picture.
type lives struct {
	list        []lived
	generations *heap.Generations // by index in list
}

// newLives has what --lifetimes has of any span: of single objects, where these were recorded.
func newLives(h *heap.History, line *heap.Timeline) *lives {
	l := &lives{list: listLived(h, line)}
	groups := make([]int, len(line.Selected))
	for class := range groups {
		groups[class] = -1
	}
	for i := range l.list {
		for _, class := range l.list[i].classes {
			groups[class] = i
		}
	}
	l.generations = h.Generations(line, groups, 0)
	return l
}

// facts say what there is of single objects, and how long the shortest span is.
func (l *lives) facts(line *heap.Timeline) (facts []string) {
	g := l.generations
	if g.Singly {
		facts = append(facts, "Lifetimes of single objects, "+heapAmount(g.Met)+", that a collection has come to")
		if unknown := joinUnknown(unknownAges(g.Unknown, &g.Gaps, "shares that died in the first collection are "+
			"too low")); unknown != "" {
			facts = append(facts, "Unknown of lifetimes "+unknown)
		}
	}
	if g.Every > 1 {
		facts = append(facts, fmt.Sprintf("Spans of lifetimes begin and end with one in %d of %s: what is in between "+
			"is in them", g.Every, counted(int64(len(line.Points)), "point")))
	}
	return facts
}

// losses are those of single objects.
func (l *lives) losses() []jsonLoss { return gapLosses(&l.generations.Gaps) }

// listLived gives classes by package: those of which most were born, and the others of each package together.
func listLived(h *heap.History, line *heap.Timeline) []lived {
	q := line.Query
	var list []lived
	for class, born := range line.Born {
		name, class := h.Name(heap.Class(class)), heap.Class(class)
		if class == heap.Unused || born == (heap.Amount{}) || !line.Selected[class] {
			continue
		}
		l := lived{within: packageOf(name), name: h.Title(class), classes: []heap.Class{class}, born: born}
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
		sum.classes = append(sum.classes, l.classes...)
		sum.name = othersName(len(sum.classes))
		sum.born = heap.Sum(sum.born, l.born)
	}
	return sums
}

// writeLived writes the tree: packages, their classes, and the site of each where it is known.
func writeLived(t *pageTree, list []lived) {
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
	}
}

// pageLifetimes are what became of what was born in stretches of so many points.
type pageLifetimes struct {
	Every int `json:"every"`
	// of each leaf, in order: for each stretch in which there were any the number of stretches behind the one before,
	// objects and bytes born, of them those that no collection came to, and of the others those that the first one did
	// not find dead; then how many ages follow, and for each of these collections, objects that were dead after so
	// many, and others that were seen alive last
	Leaves [][]int64 `json:"leaves"`
}

func newPageLifetimes(l *lives) *pageLifetimes {
	p := &pageLifetimes{Every: l.generations.Every, Leaves: make([][]int64, len(l.list))}
	last := make([]int, len(l.list))
	for i := range p.Leaves {
		p.Leaves[i], last[i] = []int64{}, -1
	}
	for _, g := range l.generations.List {
		numbers := append(p.Leaves[g.Group], int64(g.Number-last[g.Group]), g.Born.Objects, g.Born.Bytes,
			g.Born.Objects-g.Met.Objects, g.Born.Bytes-g.Met.Bytes, g.Met.Objects-g.Soon.Objects,
			g.Met.Bytes-g.Soon.Bytes, int64(len(g.Lived)))
		for _, lived := range g.Lived {
			numbers = append(numbers, lived.Collections, lived.Died, lived.Left)
		}
		p.Leaves[g.Group], last[g.Group] = numbers, g.Number
	}
	return p
}

// packageOf is a class's package; "" if it has none, as arrays of numbers have none.
func packageOf(class string) string {
	class, _, _ = strings.Cut(class, "/") // in the name of a hidden class
	return class[:max(0, strings.LastIndexByte(class, '.'))]
}
