package heap

import "mallard/internal/profile"

// Early is a class whose objects are promoted, and dead when a full collection looks at them.
type Early struct {
	Class       Class
	Name        string
	Site        *profile.Site // that makes it, where it is known; else nil
	Loaders     Loaders       // that had objects of the class by then
	Promoted    Amount        // before full collections, since the one before
	Died        Amount        // of that, by then, at least: those that live are taken to be among them
	Collections int           // full ones, before which some were promoted
}

// What is sure to be promoted in vain.
const (
	earlyCollections = 3
	earlyShare       = 0.9 // of the bytes promoted
	earlyOfAll       = 0.1 // of all bytes promoted, of any class
)

// promotions add up what is promoted, and what full collections leave of it. They need no single objects: where more
// was promoted than is left in all, the difference has died.
type promotions struct {
	classes []Early  // by Class
	since   []Amount // by Class: promoted since the last full collection
}

func (l *promotions) add(s *state, passages *touched[passage]) {
	if s.Ended || s.Collected == Nothing {
		return
	}
	for _, class := range passages.list {
		p := passages.of(class)
		promoted := l.since[class]
		if s.Collected != Everything {
			l.since[class] = promoted.plus(p.promoted())
			continue
		}
		l.since[class] = p.promoted()
		if promoted == (Amount{}) {
			continue
		}
		left := p.moved
		for _, a := range p.survived {
			left = left.plus(a)
		}
		e := &l.classes[class]
		e.Collections++
		e.Promoted = e.Promoted.plus(promoted)
		e.Died = e.Died.plus(promoted.minus(promoted.atMost(left)))
	}
}

// early names the class of which most were promoted in vain, where that is sure; nil for none.
func (l *promotions) early(h *History, selected []bool) (most *Early) {
	all := int64(0)
	for class := range l.classes {
		if !h.classes.mayBeUnused(Class(class)) {
			all = saturated(all, l.classes[class].Promoted.Bytes)
		}
	}
	for class := range l.classes {
		e := &l.classes[class]
		died := float64(e.Died.Bytes)
		if !selected[class] || h.classes.mayBeUnused(Class(class)) || e.Collections < earlyCollections || died <= 0 ||
			died < earlyShare*float64(e.Promoted.Bytes) || died < earlyOfAll*float64(all) ||
			most != nil && e.Died.Bytes <= most.Died.Bytes {
			continue
		}
		most = e
		most.Class, most.Name, most.Site = Class(class), h.Name(Class(class)), h.Site(Class(class))
	}
	return most
}
