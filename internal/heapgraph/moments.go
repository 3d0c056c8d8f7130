package heapgraph

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// End is later than any moment of a recording.
const End time.Duration = math.MaxInt64

// span is where the events of a moment's references are among those of a recording, which are counted.
type span struct {
	from, to int           // the first, and the one behind the last
	at       time.Duration // since the recording began
	whole    bool          // the end is there
}

// spansOf finds them. In recordings of older versions, which have one moment, none begins.
func spansOf(events []*trace.Events) (spans []span) {
	n := 0
	for _, record := range events {
		for kind, data := range record.All() {
			last := len(spans) - 1
			switch uint32(kind) {
			case abi.EventHeapGraphBegin:
				spans = append(spans, span{from: n, to: math.MaxInt, at: momentOf(data)})
				if last >= 0 && !spans[last].whole {
					spans[last].to = n
				}
			case abi.EventHeapGraph:
				if last < 0 {
					spans = append(spans, span{at: momentOf(data)})
					last = 0
				}
				spans[last].to, spans[last].whole = n+1, true
			}
			n++
		}
	}
	if len(spans) == 0 {
		return []span{{to: math.MaxInt}}
	}
	return spans
}

// momentOf is the first word of an event, nanoseconds.
func momentOf(data []byte) time.Duration {
	if len(data) < 8 {
		return 0
	}
	return time.Duration(min(binary.LittleEndian.Uint64(data), math.MaxInt64))
}

// choose gives the last one that had begun by a moment, if there is one that is whole.
func choose(spans []span, until time.Duration) (chosen span, err error) {
	found := false
	for _, s := range spans {
		if s.at <= until && (s.whole || !found) {
			chosen, found = s, true
		}
	}
	if !found {
		return span{}, fmt.Errorf("no references are recorded by %.3f s; the first are those of %.3f s",
			until.Seconds(), spans[0].at.Seconds())
	}
	return chosen, nil
}
