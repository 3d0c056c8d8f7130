package waste

import (
	"cmp"
	"slices"

	"mallard/internal/profile"
)

// Query asks what a program could do without.
type Query struct {
	Filter profile.Filter
	Mine   *profile.Mine // whose lines are named, and only what they led to counts; nil: lines outside of the JDK
	Sort   profile.Sort
	Top    int // keep as many places of each kind, 0 for all
}

// Answer is what Ask returns.
type Answer struct {
	Query    Query
	Rows     []Row // kinds that there are, largest first
	Amount   profile.Amount
	Selected profile.Amount // what passed the filter, waste or not
	Others   profile.Amount // with Query.Mine: what would be waste, and no line of it has led to
}

// Row is a kind of waste.
type Row struct {
	Kind   Kind
	Amount profile.Amount
	Places []Place // largest first
	Count  int     // of places, before Query.Top
}

// Place is a line that led to waste. Where none is known that did it is the site.
type Place struct {
	What   string        // the class, or what grows, is copied or is called
	Line   *profile.Site // class, method, line and source
	Loader string        // of the class; empty unless the name was loaded twice
	Amount profile.Amount
}

// manyThrown is how many objects of exceptions, and of their stacks, one place has at least where they are not what
// they are for, but a way to return.
const manyThrown = 100

// Ask answers a query. Places of equal size are in order of their names.
func Ask(p *profile.Profile, q Query) *Answer {
	mine := q.Mine
	if mine == nil {
		mine = profile.OutsideJDK()
	}
	isMine := make([]bool, len(p.Methods))
	for i := range p.Methods {
		isMine[i] = mine.Is(p.Methods[i].Class)
	}
	c := newClassifier(p, isMine)
	nearest, known := c.nearest(isMine)
	answer := &Answer{Query: q}
	places := map[key]*Place{}
	for _, cell := range p.Cells(q.Filter) {
		answer.Selected.Add(cell.Amount)
		f, ok := c.classify(&cell)
		if !ok {
			continue
		}
		k := key{f.kind, f.what, line{p.Contexts[cell.Context].Method, p.Sites[cell.Site].Line}}
		above, own := f.above, isMine[k.line.method]
		if above < 0 && !own {
			above = cell.Context
		}
		switch {
		case above >= 0 && known[above]:
			k.line = nearest[above]
		case !own && q.Mine != nil:
			if f.kind != EmptyCollections { // of which most are none
				answer.Others.Add(cell.Amount)
			}
			continue
		}
		if places[k] == nil {
			places[k] = newPlace(p, k)
		}
		places[k].Amount.Add(cell.Amount)
	}
	leaveEmpty(places, c.arraysMade())
	answer.addRows(places)
	return answer
}

// key is what makes a place another one.
type key struct {
	kind Kind
	what string
	line line
}

func newPlace(p *profile.Profile, k key) *Place {
	m := &p.Methods[k.line.method]
	return &Place{What: k.what, Loader: m.Loader, Line: &profile.Site{Class: m.Class, Method: m.Name,
		Descriptor: m.Descriptor, BCI: -1, Line: k.line.line, Source: m.Source}}
}

// leaveEmpty leaves of collections those that have certainly had nothing in them, given how many arrays there were.
func leaveEmpty(places map[key]*Place, made map[family]int64) {
	for k, place := range places {
		if k.kind != EmptyCollections {
			continue
		}
		if arrays, known := made[familyOf[k.what]]; known {
			place.leaveEmpty(arrays)
		} else {
			place.Amount = profile.Amount{}
		}
	}
}

// leaveEmpty leaves of a place that makes collections those that have certainly had nothing in them: even if each array
// was the first one of a collection that was made here, so many had none.
func (p *Place) leaveEmpty(arrays int64) {
	a, n := profile.Amount{}, p.Amount.Objects
	switch empty := n - arrays; {
	case empty <= 0:
	case p.Amount.Unsized > 0:
		a.Objects, a.Unsized = empty, empty
	default:
		a.Objects, a.Bytes = empty, p.Amount.Bytes/n*empty // all are of one size
	}
	p.Amount = a
}

// addRows sums places by kind.
func (a *Answer) addRows(places map[key]*Place) {
	rows := make([]Row, kinds)
	for k, place := range places {
		if place.Amount.IsZero() || k.kind == Exceptions && place.Amount.Objects < manyThrown {
			continue
		}
		row := &rows[k.kind]
		row.Amount.Add(place.Amount)
		row.Places = append(row.Places, *place)
	}
	for k := range rows {
		row := &rows[k]
		if row.Places == nil {
			continue
		}
		row.Kind, row.Count = Kind(k), len(row.Places)
		a.Amount.Add(row.Amount)
		slices.SortFunc(row.Places, func(x, y Place) int {
			return cmp.Or(cmp.Compare(a.Query.Sort.Value(y.Amount), a.Query.Sort.Value(x.Amount)),
				cmp.Compare(x.What, y.What), cmp.Compare(x.Line.Class, y.Line.Class),
				cmp.Compare(x.Line.Method, y.Line.Method), cmp.Compare(x.Line.Descriptor, y.Line.Descriptor),
				cmp.Compare(x.Line.Line, y.Line.Line), cmp.Compare(x.Loader, y.Loader))
		})
		if a.Query.Top > 0 && row.Count > a.Query.Top {
			row.Places = row.Places[:a.Query.Top]
		}
		a.Rows = append(a.Rows, *row)
	}
	slices.SortStableFunc(a.Rows, func(x, y Row) int {
		return cmp.Compare(a.Query.Sort.Value(y.Amount), a.Query.Sort.Value(x.Amount))
	})
}
