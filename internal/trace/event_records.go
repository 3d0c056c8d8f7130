package trace

import "iter"

// Events is what an observer learnt while the world was stopped, as its producer wrote it: only the observer knows what
// it says. Events of one ring are in the order in which they were written; what orders those of different rings is in
// their data.
type Events struct {
	Observer string // whose they are, as in Process.Track
	Ring     uint32 // that they came through; one producer's
	Headers  []EventHeader
	Data     []byte // of all events, one behind the other
}

// EventHeader is of one event.
type EventHeader struct {
	Kind  uint16 // which only the observer knows
	Bytes uint32 // of data
}

// All gives the kind and the data of each event. Those of damaged records end where the data do.
func (e *Events) All() iter.Seq2[uint16, []byte] {
	return func(yield func(uint16, []byte) bool) {
		rest := e.Data
		for _, h := range e.Headers {
			if uint64(h.Bytes) > uint64(len(rest)) || !yield(h.Kind, rest[:h.Bytes:h.Bytes]) {
				return
			}
			rest = rest[h.Bytes:]
		}
	}
}

// EventsKeyframe has what an observer knows of all Events that came before, as events that say the same in short. It is
// in the round of a Keyframe: who begins to read there takes it in place of those before it, some of which may stand
// between the two; all others pass it over. What is too much for one record is in several, one behind the other.
type EventsKeyframe struct {
	Observer string // as in Events
	Headers  []EventHeader
	Data     []byte // of all events, one behind the other
	Part     uint32 // which of Parts, from 0 on
	Parts    uint32 // how many there are, in the last one; in others it may be 0
	Lost     uint64 // events that are known to be missing up to here
}

// EventsLost says what is missing among the Events of a ring, before those that follow, or that its producer records
// more or less from then on.
type EventsLost struct {
	Ring      uint32
	From      int64       // since Process.Started, nanoseconds
	To        int64       // as From
	LevelThen uint32      // what was recorded at From: 0 everything, higher levels less, as the observer states them
	Level     uint32      // at To
	Counts    []LostCount // none: the level changed and nothing was lost
	Reason    string      // empty: the ring was full
	Less      string      // what is less at Level than at 0, as the observers say it
}

// LostCount is how many events of a kind are missing.
type LostCount struct {
	Kind    uint16 // as in EventHeader
	Records uint64
}
