package heap

import (
	"time"

	"mallard/internal/heap/single"
)

// Pause is one of the collector's pauses, with the walk at its start.
type Pause struct {
	Walk
	Finish    time.Duration // since the recording began
	Collected Collected
	Freed     bool // it has freed some of the old generation
	// no walk has seen what it has left: it is the JVM's end, or the recording ends here; what is known is what it has
	// found
	Ended bool
	// a full collection came behind it that the JVM has not announced: what was born right before that is not known,
	// what lived then is as if this pause had moved it
	Unannounced bool
	Found       [Spaces]int64 // bytes that rows account for, at its start
	Lost        int64         // events that are missing, up to here: what is known is not exact
}

// Time is the moment at which its heap is known.
func (p *Pause) Time() time.Duration {
	if p.Ended {
		return p.Start
	}
	return p.Finish
}

// state is a pause, what came and went, and what it has left.
type state struct {
	*Pause
	born  *Heap // since the pause before
	gone  *Heap // what can have died
	moved *Heap // of that, where it is now; the rest is dead
	heap  *Heap // that it has left, or, where it has Ended, that it has found; until the next state

	freed map[uint32]bool // regions, of G1's
	seen  *single.Walk    // single objects that its walk has found, if they are looked at; not nil then
}

// failed reports whether objects stayed in eden in a young collection, since there was no room for all. What had been
// copied by then is there twice.
func (s *state) failed() bool { return s.Collected == Young && s.moved.spaces[Eden] != Amount{} }
