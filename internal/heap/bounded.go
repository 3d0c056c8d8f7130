package heap

import (
	"time"

	"mallard/internal/profile"
)

// Bounded is a class that grew, and then was full.
type Bounded struct {
	Class       Class
	Name        string
	Site        *profile.Site // that makes it, where it is known; else nil
	Loaders     Loaders       // that have objects of the class at that moment
	Level       Amount        // held when it had become full, and, but for fullWithin, after each collection since
	Since       time.Duration
	Collections int    // full ones since then, that one included
	Born        Amount // since then
}

// What is sure to be full.
const (
	fullWithin = 0.01 // of what it held then, it holds more or less
	fullRises  = 3    // it grew from so many collections to the next
	fullShare  = 0.01 // of all that is held, at least
)

// plateaus follow what each class holds after full collections.
type plateaus struct {
	list    []plateau // by Class
	changed []Class   // since the last of them
	looks   []int     // pauses
}

// plateau is how long a class has held about the same.
type plateau struct {
	held, born      Amount
	level, bornThen Amount // when it began
	since           int    // index in looks
	rises           int    // collections that found more than the one before, one after the other, up to then
	changed         bool
}

func (l *plateaus) add(i int, s *state) {
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
	if !s.isCollection(true) {
		return
	}
	for _, class := range l.changed {
		p := &l.list[class]
		p.changed = false
		more := float64(p.held.Bytes) - float64(p.level.Bytes)
		if max(more, -more) <= fullWithin*float64(p.level.Bytes) {
			continue
		}
		if p.rises++; more < 0 {
			p.rises = 0
		}
		p.level, p.bornThen, p.since = p.held, p.born, len(l.looks)
	}
	l.changed = l.changed[:0]
	l.looks = append(l.looks, i)
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
		full = &Bounded{Class: Class(class), Name: h.Name(Class(class)), Site: h.Site(Class(class)), Level: p.level,
			Since: h.Pauses[l.looks[p.since]].Finish, Collections: len(l.looks) - p.since, Born: born}
	}
	return full
}
