package heap

import (
	"time"

	"mallard/internal/profile"
)

// Oversized is that humongous objects, which G1 gives regions of their own, make it collect.
type Oversized struct {
	Collections int           // because of them
	All         int           // collections
	Stopped     time.Duration // in the former, without walks
	Born        Amount        // humongous
	Class       Class         // of which most bytes were
	Name        string
	Site        *profile.Site // that makes it, where it is known; else nil
	Loaders     Loaders       // that had objects of the class by then
	Made        Amount        // of that class
}

// What is sure to be because of humongous objects.
const (
	oversizedCollections = 3
	oversizedShare       = 0.1 // of all collections
)

// humongous adds up what is born humongous.
type humongous struct {
	answer Oversized
	born   []Amount // by Class
}

func (l *humongous) add(s *state, cause string) {
	for at, e := range s.born.all() {
		if at.space == Humongous {
			l.born[e.class] = l.born[e.class].plus(e.Amount)
		}
	}
	isOwn := cause == humongousCause && !s.Ended // also where eden was empty, so that nothing of it was collected
	if !isOwn && !s.isCollection(false) {
		return
	}
	if l.answer.All++; isOwn {
		l.answer.Collections++
		l.answer.Stopped += s.Stopped()
	}
}

// oversized is nil where that is not sure.
func (l *humongous) oversized(h *History) *Oversized {
	answer := &l.answer
	for class, born := range l.born {
		if h.classes.mayBeUnused(Class(class)) { // the ends of regions
			continue
		}
		answer.Born = answer.Born.plus(born)
		if born.Bytes > answer.Made.Bytes {
			answer.Class, answer.Made = Class(class), born
		}
	}
	if answer.Collections < oversizedCollections || answer.Made.Objects == 0 ||
		float64(answer.Collections) < oversizedShare*float64(answer.All) {
		return nil
	}
	answer.Name, answer.Site = h.Name(answer.Class), h.Site(answer.Class)
	return answer
}
