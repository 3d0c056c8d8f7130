package heap

import (
	"cmp"
	"slices"

	"mallard/internal/profile"
)

// By is a part of what rows stand for.
type By uint8

// What rows may be told apart by.
const (
	ByClass      By = iota
	BySpace         // eden, survivor, old, humongous
	ByGeneration    // young or old; what is humongous is old
	ByAge           // young collections that objects have come through; old ones have none
	BySite          // class, and the site that made the objects, where it is known
	ByContext       // the same, and its callers
	ByLoader        // of the class: with others of these, besides its name; else all classes that it has loaded are one
	ByThread        // that has made the objects, where it is known: the same with all that it has made
)

var byNames = [...]string{"class", "space", "generation", "age", "site", "context", "loader", "thread"}

// OfClass reports whether rows told apart by it are each of one class, or of what stands for all of a loader or a
// thread.
func (b By) OfClass() bool { return b.ofName() || b.ofWhole() }

func (b By) ofWhole() bool { return b == ByLoader || b == ByThread }

func (b By) ofName() bool { return b == ByClass || b == BySite || b == ByContext }

// AreWhole reports whether all classes of a loader, or all that a thread has made, are one, so that the History has to
// be Apart by it.
func AreWhole(by []By) bool {
	return slices.ContainsFunc(by, By.ofWhole) && !slices.ContainsFunc(by, By.ofName)
}

// String returns the word for b in reports.
func (b By) String() string { return byNames[b] }

// Query asks for rows.
type Query struct {
	By    []By
	Sort  profile.Sort // by objects or bytes
	Top   int          // keep this many rows, 0 for all
	Class string       // only classes whose name matches this pattern; empty for all
	Site  string       // of paths: only what sites have made that match this (profile.MatchSite); empty for all
	Span  profile.Span // of Collections, Lifetimes, Ages: only of pauses that began in it; To 0: up to the end

	Counts *Counts // of the recording, where By has BySite or ByContext, and the History tells these apart; else nil
}

// MatchesSite reports whether Site selects what has made a class's objects.
func (q *Query) MatchesSite(class Class) bool {
	if q.Site == "" || q.Counts == nil {
		return q.Site == ""
	}
	site := q.Counts.Site(class)
	return site != nil && profile.MatchSite(q.Site, site)
}

// spans reports whether the span has a pause.
func (q *Query) spans(p *Pause) bool {
	return p.Start >= q.Span.From && (q.Span.To == 0 || p.Start < q.Span.To)
}

// isWhole reports whether the span is all of the recording.
func (q *Query) isWhole() bool { return q.Span == (profile.Span{}) }

// Key is what a row stands for, as far as the query tells it apart.
type Key struct {
	Class Class
	Space Space
	Old   bool // generation
	Age   int8 // of young objects; -1 for old ones
}

// key is what objects belong to.
func (q *Query) key(at place, class Class) (k Key) {
	for _, by := range q.By {
		switch by {
		case ByClass, BySite, ByContext, ByLoader, ByThread:
			k.Class = class
		case BySpace:
			k.Space = at.space
		case ByGeneration:
			k.Old = at.space.IsOld()
		case ByAge:
			k.Age = int8(at.age)
			if at.space.IsOld() {
				k.Age = -1
			}
		}
	}
	return k
}

// hasClass reports whether each row is of one class.
func (q *Query) hasClass() bool { return slices.ContainsFunc(q.By, By.OfClass) }

// Sited says of how many bytes the site is known that made them.
type Sited struct{ Known, All int64 }

// sited looks at the classes and amounts of all rows.
func sited[R any](q *Query, rows []R, of func(R) (Class, Amount)) (s Sited) {
	if q.Counts == nil {
		return Sited{}
	}
	for _, r := range rows {
		class, a := of(r)
		if class == Unused {
			continue
		}
		s.All = saturated(s.All, a.Bytes)
		if q.Counts.Site(class) != nil {
			s.Known = saturated(s.Known, a.Bytes)
		}
	}
	return s
}

// value is what an amount is sorted by.
func (q *Query) value(a Amount) int64 {
	if q.Sort == profile.SortObjects {
		return a.Objects
	}
	return a.Bytes
}

// selects gives the classes that the query is about.
func (h *History) selects(q *Query) []bool {
	selected := make([]bool, len(h.classes.names))
	for class, name := range h.classes.names {
		if h.parts != nil && Class(class) != Other && Class(class) != Unused {
			selected[class] = name != leftOut
		} else {
			selected[class] = profile.MatchName(q.Class, name)
		}
	}
	return selected
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// ranked puts rows in order, the larger first, then by name and place, and keeps the first.
func ranked[R any, V cmp.Ordered](h *History, q *Query, list []R, value func(R) V, key func(R) Key) []R {
	slices.SortFunc(list, func(a, b R) int {
		x, y := key(a), key(b)
		return cmp.Or(cmp.Compare(value(b), value(a)), cmp.Compare(h.Name(x.Class), h.Name(y.Class)),
			cmp.Compare(h.Loader(x.Class), h.Loader(y.Class)), cmp.Compare(h.Thread(x.Class), h.Thread(y.Class)),
			cmp.Compare(x.Space, y.Space), cmp.Compare(x.Age, y.Age), compareBools(x.Old, y.Old))
	})
	if q.Top > 0 {
		list = list[:min(q.Top, len(list))]
	}
	return list
}
