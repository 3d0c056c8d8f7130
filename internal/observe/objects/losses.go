package objects

import (
	"fmt"

	"mallard/internal/abi"
	"mallard/internal/heap/single"
	"mallard/internal/transport/events"
)

// losses are what walks say of single objects that are not told as they should be. Two with one hash are found when the
// recording is read.
type losses struct{ leftOut, given int64 }

// take takes the end of a walk's single objects.
func (l *losses) take(e events.Event) {
	if end, _, good := single.DecodeEnd(e.Data); good {
		l.leftOut += end.LeftOut
		l.given = max(l.given, end.Given)
	}
}

// each gives what there is to say, with counts.
func (l *losses) each(say func(detail string, n uint64)) {
	if l.leftOut > 0 {
		say("times that a single object was left out of a walk, since there was no room for it among the events: "+
			"what became of it is known by class only", uint64(l.leftOut))
	}
	if again := l.given - abi.OrderMask; again > 0 {
		say(fmt.Sprintf("single objects have a number that was given before, since there are %d: where two with one "+
			"lived at a time, none of them is known any more", abi.OrderMask), uint64(again))
	}
}
