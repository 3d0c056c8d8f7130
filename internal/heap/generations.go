package heap

import (
	"cmp"
	"math/bits"
	"slices"

	"mallard/internal/heap/single"
)

// MostGenerationWords bounds generations: numbers of all together.
const MostGenerationWords = 300_000

// Generations are what was born in stretches of a timeline, and what became of it, by groups of classes, for who adds
// up those of any span. They are of a bounded size: where they would be larger they are of longer stretches.
//
// With single objects a generation has those that were born in it. Sums tell by which collection objects were met
// first, and Met, Soon and Lived are of those that were in it.
type Generations struct {
	Every   int          // a generation is of so many points of the timeline
	List    []Generation // by group, and then in the order of time
	Singly  bool         // from single objects
	Met     Amount       // of all of them
	Unknown Unknown      // of single objects
	Gaps    single.Gaps
}

// Generation is what was born in a stretch of a timeline.
type Generation struct {
	Group  int
	Number int    // of the stretch, from 0
	Born   Amount // in any space
	Met    Amount // by a first collection, as Lifetimes and Ages have it
	Soon   Amount // of that, found dead by it
	Lived  []Lived
}

// Lived is objects that were found dead, or seen for the last time, when they had come through so many collections;
// without those that the first one found dead.
type Lived struct {
	Collections int64 // RoundedAge of what it was
	Died, Left  int64
}

// RoundedAge is an age with no more than its four highest bits: at most an eighth lower.
func RoundedAge(age int64) int64 {
	return age &^ (1<<max(0, bits.Len64(uint64(age))-4) - 1)
}

// Generations asks for those of groups, each class's number, or -1: it is not asked for. Words bounds them, 0:
// MostGenerationWords.
func (h *History) Generations(line *Timeline, groups []int, words int) *Generations {
	g := &generations{line: line, groups: groups, most: cmp.Or(words, MostGenerationWords),
		cells: map[generationKey]*Generation{}, recent: make([]*Generation, len(groups)),
		Generations: Generations{Every: 1, Singly: h.singly}}
	for i, s := range h.states(len(h.Pauses)) {
		for _, e := range s.born.all() {
			if cell := g.of(e.class, i); cell != nil {
				cell.Born = cell.Born.plus(e.Amount)
			}
		}
	}
	if h.singly {
		g.followSingles(h)
	} else {
		h.followSums(g)
	}
	for g.words > g.most && g.isLonger() {
	}
	for _, cell := range g.cells {
		g.List = append(g.List, *cell)
		g.Met = g.Met.plus(cell.Met)
	}
	slices.SortFunc(g.List, func(a, b Generation) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Number, b.Number))
	})
	return &g.Generations
}

// generations adds up what becomes of objects.
type generations struct {
	Generations
	line   *Timeline
	groups []int // by Class
	most   int   // words
	words  int
	cells  map[generationKey]*Generation
	recent []*Generation // by Class, the last one that was asked for
}

type generationKey struct{ group, number int }

// What a generation takes.
const (
	generationWords = 8
	livedWords      = 3
)

// of is the generation of what was born by a pause; nil: it is not asked for. It is valid until the next one is asked
// for.
func (g *generations) of(class Class, born int) *Generation {
	if g.groups[class] < 0 {
		return nil
	}
	if g.words > g.most {
		g.isLonger()
	}
	key := generationKey{g.groups[class], born / g.line.Step / g.Every}
	if cell := g.recent[class]; cell != nil && cell.Number == key.number {
		return cell
	}
	cell := g.cells[key]
	if cell == nil {
		cell = &Generation{Group: key.group, Number: key.number}
		g.cells[key] = cell
		g.words += generationWords
	}
	g.recent[class] = cell
	return cell
}

// isLonger has two generations be one; false: there is one alone.
func (g *generations) isLonger() bool {
	if g.Every >= len(g.line.Points) {
		return false
	}
	g.Every *= 2
	cells := g.cells
	g.cells = make(map[generationKey]*Generation, len(cells))
	clear(g.recent)
	g.words = 0
	for _, cell := range cells {
		key := generationKey{cell.Group, cell.Number / 2}
		into := g.cells[key]
		if into == nil {
			cell.Number /= 2
			g.cells[key] = cell
			g.words += cell.words()
			continue
		}
		g.words -= into.words()
		into.add(cell)
		g.words += into.words()
	}
	return true
}

func (g *Generation) words() int { return generationWords + livedWords*len(g.Lived) }

// add has the objects of another one be among these.
func (g *Generation) add(other *Generation) {
	g.Born, g.Met, g.Soon = g.Born.plus(other.Born), g.Met.plus(other.Met), g.Soon.plus(other.Soon)
	for _, l := range other.Lived {
		into, _ := g.lived(l.Collections)
		into.Died, into.Left = saturated(into.Died, l.Died), saturated(into.Left, l.Left)
	}
}

// lived is what has an age.
func (g *Generation) lived(age int64) (at *Lived, isNew bool) {
	age = RoundedAge(age)
	i, found := slices.BinarySearchFunc(g.Lived, age, func(l Lived, age int64) int {
		return cmp.Compare(l.Collections, age)
	})
	if !found {
		g.Lived = slices.Insert(g.Lived, i, Lived{Collections: age})
	}
	return &g.Lived[i], !found
}

// end has objects of a generation be found dead, or seen for the last time.
func (g *generations) end(cell *Generation, age int64, died, left Amount) {
	if age == 0 {
		cell.Soon = cell.Soon.plus(died)
		died = Amount{}
	}
	if died.Objects == 0 && left.Objects == 0 {
		return
	}
	at, isNew := cell.lived(age)
	at.Died, at.Left = saturated(at.Died, died.Objects), saturated(at.Left, left.Objects)
	if isNew {
		g.words += livedWords
	}
}

// met, died and left hear of sums, as fates.
func (g *generations) met(class Class, born int, a Amount) {
	if cell := g.of(class, born); cell != nil {
		cell.Met = cell.Met.plus(a)
	}
}

func (g *generations) died(class Class, born, age int, a Amount) {
	if age >= longest {
		g.left(class, born, age, a) // as Lifetime.Collections
	} else if a == (Amount{}) {
		return
	} else if cell := g.of(class, born); cell != nil {
		g.end(cell, int64(age), a, Amount{})
	}
}

func (g *generations) left(class Class, born, age int, a Amount) {
	if a == (Amount{}) {
		return
	}
	if cell := g.of(class, born); cell != nil {
		g.end(cell, int64(min(age, longest)), Amount{}, a)
	}
}

// followSingles hears of single objects.
func (g *generations) followSingles(h *History) {
	selected := make([]bool, len(g.groups))
	for class, group := range g.groups {
		selected[class] = group >= 0
	}
	f := &following{selected: selected, unknown: &g.Unknown, spans: func(int) bool { return true }}
	f.ended = func(o *single.Object, died bool) {
		cell, a := g.of(Class(o.Class), int(o.Born)), Amount{1, o.Bytes()}
		cell.Met = cell.Met.plus(a)
		age := f.moments[f.now].collections - f.moments[o.Born].collections
		if died {
			g.end(cell, age, a, Amount{})
		} else {
			g.end(cell, age, Amount{}, a)
		}
	}
	g.Gaps = h.followSingles(f)
}
