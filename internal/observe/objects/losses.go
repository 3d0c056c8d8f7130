package objects

import (
	"encoding/binary"
	"fmt"
	"time"

	"mallard/internal/abi"
	"mallard/internal/heap/single"
	"mallard/internal/transport/events"
)

// losses are what walks say of single objects that are not told as they should be. Two with one hash are found when the
// recording is read.
type losses struct {
	unplaced, leftOut loss
	given             int64
}

// loss is of how many objects it is, and when walks began that have it.
type loss struct {
	n           int64
	now         bool // the walk that is not over has it
	first, last time.Duration
}

// take takes the end of a walk's single objects.
func (l *losses) take(e events.Event) {
	if end, _, good := single.DecodeEnd(e.Data); good {
		l.unplaced.add(end.Unplaced)
		l.leftOut.add(end.LeftOut)
		l.given = max(l.given, end.Given)
	}
}

// walked takes the end of a walk, which is behind that.
func (l *losses) walked(e events.Event) {
	const start = 8 * abi.HeapWalkStart
	if len(e.Data) < start+8 {
		return
	}
	at := time.Duration(binary.LittleEndian.Uint64(e.Data[start:]))
	l.unplaced.date(at)
	l.leftOut.date(at)
}

func (l *loss) add(n int64) {
	l.n += n
	l.now = n > 0
}

func (l *loss) date(at time.Duration) {
	if !l.now {
		return
	}
	if l.last == 0 {
		l.first = at
	}
	l.last, l.now = at, false
}

// when says when it was, as far as walks have ended.
func (l *loss) when() string {
	if l.last == 0 {
		return ""
	}
	return fmt.Sprintf(" (walks from %.3f s to %.3f s)", l.first.Seconds(), l.last.Seconds())
}

// each gives what there is to say, with counts.
func (l *losses) each(say func(detail string, n uint64)) {
	if l.unplaced.n > 0 {
		say("single objects were told without the address at which they were born, since there was little room among "+
			"the events: all else is known of them"+l.unplaced.when(), uint64(l.unplaced.n))
	}
	if l.leftOut.n > 0 {
		say("times that a single object was left out of a walk, since there was no room for it among the events: "+
			"what became of it is known by class only"+l.leftOut.when(), uint64(l.leftOut.n))
	}
	if again := l.given - abi.OrderMask; again > 0 {
		say(fmt.Sprintf("single objects have a number that was given before, since there are %d: where two with one "+
			"lived at a time, none of them is known any more", abi.OrderMask), uint64(again))
	}
}
