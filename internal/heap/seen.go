package heap

import (
	"mallard/internal/abi"
	"mallard/internal/heap/single"
)

// seen gathers the single objects of walks.
type seen struct {
	decoder *single.Decoder // nil: they are not looked at
	any     bool            // there are some
	packed  *unpacking      // that events come from, if they are looked at; nil: they are where they are
	walk    *single.Walk    // that is being read; nil: none was
}

// take takes an event.
func (s *seen) take(kind uint16, data []byte) (good bool) {
	s.any = true
	if s.decoder == nil {
		return true
	}
	number, good := single.WalkOf(data)
	if !good {
		return false
	}
	if s.walk == nil || s.walk.Number != number {
		s.walk = &single.Walk{Number: number}
	}
	switch kind {
	case abi.EventHeapSinglesEnd:
		return s.walk.Finish(data)
	case abi.EventHeapHeld:
		return s.walk.AddHeld(data, s.decoder)
	case abi.EventHeapDoubts:
		return s.walk.AddDoubts(data, s.decoder)
	case abi.EventHeapHeldEnd:
		return s.walk.FinishHeld(data)
	}
	if s.packed == nil {
		return s.walk.Add(single.InMemory(data), s.decoder)
	}
	return s.walk.Add(s.packed.event(), s.decoder)
}

// by gives what a walk that is complete has seen; nil where nobody looks.
func (s *seen) by(w Walk) *single.Walk {
	walk := s.walk
	s.walk = nil
	if s.decoder != nil && (walk == nil || int64(walk.Number) != w.Number) {
		return &single.Walk{Number: uint32(w.Number)}
	}
	return walk
}

// forget notes that a number is that of another class from here on.
func (s *seen) forget(number uint32) {
	if s.decoder != nil {
		s.decoder.Forget(number)
	}
}
