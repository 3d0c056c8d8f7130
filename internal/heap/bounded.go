package heap

import (
	"cmp"
	"slices"
	"time"

	"mallard/internal/profile"
)

// Bounded is a class that grew, and then was full: after full collections, or, where there are too few of these, after
// the last of each series of mixed ones. These leave it with garbage that they do not look at, more or less of it: what
// it holds is the least of what some of them in turn have left.
type Bounded struct {
	Full        bool // after full collections
	Class       Class
	Name        string
	Site        *profile.Site // that makes it, where it is known; else nil
	Loaders     Loaders       // that have objects of the class at that moment
	Over        int           // collections, or series, in turn, of which the one with the least counts
	Level       Amount        // held when it had become full, and, but for Within, after each collection since
	Within      float64       // more or less
	Since       time.Duration
	Collections int    // these, or series, since then, that one included
	Born        Amount // since then
}

// What is sure to be full.
const (
	fullWithin = 0.01 // of what it held then, it holds more or less, after full collections
	nearWithin = 0.03 // the same after mixed ones
	nearOver   = 5    // series, the least of which counts
	fullRises  = 3    // it grew from so many collections to the next
	fullShare  = 0.01 // of all that is held, at least
)

// plateaus follow what each class holds after full collections, or after series of mixed ones.
type plateaus struct {
	full    bool
	within  float64
	over    int       // collections, or series, the least of which counts
	list    []plateau // by Class
	changed []Class   // since the last of them
	looks   []int     // pauses
	mixed   bool      // the last collection was one
}

// plateau is how long a class has held about the same.
type plateau struct {
	held, born      Amount
	lately          []found // after each of the last, the oldest first
	level, bornThen Amount  // when it began
	since           int     // index in looks
	rises           int     // collections that found more than the one before, one after the other, up to then
	changed         bool
}

// found is what a class held, and was born of it, when it was looked at.
type found struct {
	held, born Amount
	look       int // index in looks
}

func (l *plateaus) add(i int, s *state) {
	if !l.full && s.isCollection(false) {
		if l.mixed && !s.isMixed() { // the one before was the last of a series
			l.look(i - 1)
		}
		l.mixed = s.isMixed()
	}
	change := func(list *Heap, change func(*plateau, Amount)) {
		for _, e := range list.all() {
			p := &l.list[e.class]
			if change(p, e.Amount); !p.changed {
				p.changed = true
				l.changed = append(l.changed, e.class)
			}
		}
	}
	change(s.born, func(p *plateau, a Amount) { p.held, p.born = p.held.plus(a), p.born.plus(a) })
	change(s.gone, func(p *plateau, a Amount) { p.held = p.held.minus(a) })
	change(s.moved, func(p *plateau, a Amount) { p.held = p.held.plus(a) })
	if l.full && s.isCollection(true) {
		l.look(i)
	}
}

// look notes what is held after a pause.
func (l *plateaus) look(i int) {
	for _, class := range l.changed {
		p := &l.list[class]
		p.changed = false
		held := p.least(l.over, len(l.looks))
		more := float64(held.Bytes) - float64(p.level.Bytes)
		if max(more, -more) <= l.within*float64(p.level.Bytes) {
			continue
		}
		if p.rises++; more < 0 {
			p.rises = 0
		}
		p.level, p.bornThen, p.since = held, p.lately[0].born, p.lately[0].look
	}
	l.changed = l.changed[:0]
	l.looks = append(l.looks, i)
}

// least adds what is held at a look, and is the least of what was at the last of those at which it had changed.
func (p *plateau) least(over, look int) Amount {
	if len(p.lately) == over {
		p.lately = slices.Delete(p.lately, 0, 1)
	}
	p.lately = append(p.lately, found{p.held, p.born, look})
	return slices.MinFunc(p.lately, func(a, b found) int { return cmp.Compare(a.held.Bytes, b.held.Bytes) }).held
}

// bounded names the largest class that has been full for the last third of the time, while as many bytes of it were
// born as it holds, at least; nil for none.
func (l *plateaus) bounded(h *History, to int, selected []bool) (full *Bounded) {
	third := h.from(to, 2, 3)
	held := int64(0)
	for class := range l.list {
		if !h.classes.mayBeUnused(Class(class)) {
			held = saturated(held, l.list[class].held.Bytes)
		}
	}
	for class, p := range l.list {
		born := p.born.minus(p.bornThen)
		isFull := p.rises >= fullRises && len(l.looks)-p.since >= sureCollections && l.looks[p.since] <= third &&
			born.Bytes >= p.level.Bytes
		if !selected[class] || h.classes.mayBeUnused(Class(class)) || !isFull ||
			float64(p.level.Bytes) < fullShare*float64(held) || full != nil && p.level.Bytes <= full.Level.Bytes {
			continue
		}
		full = &Bounded{Full: l.full, Over: l.over, Within: l.within, Class: Class(class), Name: h.Name(Class(class)),
			Site: h.Site(Class(class)), Level: p.level,
			Since: h.Pauses[l.looks[p.since]].Finish, Collections: len(l.looks) - p.since, Born: born}
	}
	return full
}
