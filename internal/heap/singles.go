package heap

import (
	"errors"
	"iter"

	"mallard/internal/abi"
	"mallard/internal/heap/single"
)

// ErrNoSingles says that a recording has sums only.
var ErrNoSingles = errors.New(`single objects were not recorded; "mallard run --track objects --each-object" does`)

// HasSingles reports whether single objects were recorded.
func (h *History) HasSingles() bool { return h.singly }

// SinglesOnce has no more than one question be about single objects from here on: while it is answered their events are
// let go.
func (h *History) SinglesOnce() { h.events.once = true }

// singles is a replay of single objects, and who hears what becomes of them.
type singles struct {
	*single.Table
	single.Fates
	definitions *definedSingles // objects are of these; nil: of classes
	// before its objects are put into the table, but for those of a keyframe; before is nil in front of all
	walk func(i int, before, now *state)
}

// replaySingles gives the pauses up to one, when the table has the objects that each has left, or, where it has Ended,
// found.
func (h *History) replaySingles(to int, s *singles) iter.Seq[int] {
	s.Table = single.NewTable(s.Fates)
	s.Same = func(was, is *single.Object) bool { return h.isSame(s.class(was), s.class(is)) }
	if s.walk == nil {
		s.walk = func(int, *state, *state) {}
	}
	return func(yield func(int) bool) {
		r := h.replayer()
		lookUp := r.numbers.single
		if s.definitions != nil {
			lookUp = s.definitions.of(r.numbers)
		}
		r.singles.decoder, r.singles.packed = single.NewDecoder(lookUp), &unpacking{}
		var before *state
		for i, now := range h.replay(r, to+1) {
			resumes := before == nil && now.seen.Held != nil
			if resumes {
				s.Resume(now.seen)
			}
			s.walk(i, before, now)
			if before != nil {
				if before.failed() {
					s.ArriveFailed(i-1, now.seen, before.Unannounced)
				} else {
					s.Arrive(i-1, now.seen, before.Unannounced)
				}
				if !yield(i-1) || i > to {
					return
				}
			}
			if !resumes {
				s.Born(i, now.seen, before == nil)
			}
			if now.Ended {
				yield(i)
				return
			}
			s.leave(now)
			before = now
		}
	}
}

// class is that of an object.
func (s *singles) class(o *single.Object) Class {
	if s.definitions != nil {
		return s.definitions.at(o).class
	}
	return Class(o.Class)
}

// isSame reports whether objects of two classes are of one in the program: an object may get its site late.
func (h *History) isSame(a, b Class) bool {
	return h.Name(a) == h.Name(b) && h.Loader(a) == h.Loader(b)
}

// leave has the collection of a pause look at objects, as collect does.
func (s *singles) leave(p *state) {
	old := func(o *single.Object) bool {
		return p.Unannounced || p.freed[o.Region] || p.Collected == Everything && o.Space == abi.HeapOld
	}
	if !p.Unannounced && p.Collected != Everything && len(p.freed) == 0 {
		old = nil
	}
	s.Leave(p.Collected != Nothing, old)
}
