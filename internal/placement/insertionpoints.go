package placement

import (
	"cmp"
	"slices"

	"mallard/internal/cfg"
)

// Where says who runs the code of an InsertionPoint. The values are those of package
// bytecode's type of the same name.
type Position uint8

const (
	Always      Position = iota // all who come to the instruction, in whatever way
	FallThrough                 // those who come from the instruction before it
	Taken                       // those who come by the branches From
)

func (w Position) String() string { return [...]string{"always", "fallthrough", "taken"}[w] }

// InsertionPoint is a piece of code to insert before instruction At.
type InsertionPoint struct {
	At       int
	Position Position
	From     []int // for Taken: branch and switch instructions, ascending
	Counter  int   // index in Plan.Counters
}

// InsertionPoints lists the code to insert, ascending by At, Where and From. Several points
// before one instruction are run in any order. Each counter has one point, so that the counts
// say how often each of its edges was taken.
func (pl *Plan) InsertionPoints() []InsertionPoint {
	points := make([]InsertionPoint, 0, len(pl.Counters))
	for c := range pl.Counters {
		points = append(points, pl.insertionPoint(c))
	}
	slices.SortFunc(points, comparePoints)
	return points
}

// SharedInsertionPoints is InsertionPoints with fewer counters: of those with equal semantics only the
// first is used, and branches to one place that need it share their code. The
// number of increments is the same, but the counts of single edges are lost.
func (pl *Plan) SharedInsertionPoints() []InsertionPoint {
	first := make(map[string]int, len(pl.Counters))
	points := pl.InsertionPoints()
	for i := range points {
		semantics := pl.Counters[points[i].Counter].Semantics.String()
		c, ok := first[semantics]
		if !ok {
			c = points[i].Counter
			first[semantics] = c
		}
		points[i].Counter = c
	}
	kept := points[:0]
next:
	for _, s := range points {
		for k := len(kept) - 1; k >= 0 && s.Position == Taken && kept[k].Position == Taken && kept[k].At == s.At; k-- {
			if kept[k].Counter == s.Counter {
				kept[k].From = slices.Sorted(slices.Values(slices.Concat(kept[k].From, s.From)))
				continue next
			}
		}
		kept = append(kept, s)
	}
	slices.SortFunc(kept, comparePoints)
	return kept
}

func comparePoints(a, b InsertionPoint) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Position, b.Position), slices.Compare(a.From, b.From),
		cmp.Compare(a.Counter, b.Counter))
}

func (pl *Plan) insertionPoint(c int) InsertionPoint {
	g := pl.problem.Graph
	counter := &pl.Counters[c]
	if len(counter.Edges) == 0 {
		if counter.Ahead {
			return InsertionPoint{At: counter.After, Position: Always, Counter: c}
		}
		return InsertionPoint{At: counter.After + 1, Position: fallThroughPosition(g, counter.After+1), Counter: c}
	}
	edge := counter.Edges[0]
	e := &g.Edges[edge]
	at := g.Blocks[e.To].First
	switch {
	case len(counter.Edges) > 1:
		return InsertionPoint{At: at, Position: Always, Counter: c}
	case beforeBranch(g, edge):
		return InsertionPoint{At: g.Branch(edge), Position: Always, Counter: c}
	case e.Kind == cfg.FallThrough:
		return InsertionPoint{At: at, Position: fallThroughPosition(g, at), Counter: c}
	case onlyWayIn(g, e.To):
		return InsertionPoint{At: at, Position: Always, Counter: c}
	}
	return InsertionPoint{At: at, Position: Taken, From: []int{g.Branch(edge)}, Counter: c}
}

// fallThroughPosition is where code goes that those who fall into instruction i run: when
// nobody else comes there it need not be told apart.
func fallThroughPosition(g *cfg.Graph, i int) Position {
	if b := g.BlockAt(i); g.Blocks[b].First != i || onlyWayIn(g, b) {
		return Always
	}
	return FallThrough
}

// onlyWayIn reports whether all who come to block b come by one edge.
func onlyWayIn(g *cfg.Graph, b cfg.BlockID) bool {
	return len(g.Blocks[b].In) == 1 && b != g.Entry() && !g.Blocks[b].Handler
}
