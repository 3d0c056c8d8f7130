package heap

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrNone says that a recording has no walk.
var ErrNone = errors.New("no walk of the heap was recorded: the program ended, or was killed, before the first")

// Start stands for the moment before the first pause, when nothing is in the heap.
const Start = -1

// A moment is an index in Pauses: the heap that a pause has left.

// End is the JVM's end, or the last moment that is known.
func (h *History) End() (int, error) {
	if len(h.Pauses) == 0 {
		return 0, ErrNone
	}
	return len(h.Pauses) - 1, nil
}

// After is the last pause that has a number in the JVM's log. A pause may be of several collections, the last of which
// is a full one then: it has the first one's number.
func (h *History) After(collection int64) (int, error) {
	if len(h.Pauses) == 0 {
		return 0, ErrNone
	}
	for i := len(h.Pauses) - 1; i >= 0; i-- {
		if p := &h.Pauses[i]; collection != None && (p.Collection == collection || h.isIn(collection, i)) {
			if p.Ended {
				return 0, fmt.Errorf("the recording ends during gc:%d, so the heap after it is unknown; end is the "+
					"heap before it", collection)
			}
			return i, nil
		}
	}
	if h.IsLate() && collection < h.Pauses[0].Collection {
		return 0, h.givenUp()
	}
	return 0, fmt.Errorf("no collection gc:%d; %s", collection, h.collections())
}

// givenUp says from when on the heap is known.
func (h *History) givenUp() error {
	return fmt.Errorf("what came before was discarded: the heap is known from %.3f s on (%s); ask for a later moment, "+
		`or record with a longer "run --keep"`, h.Begin().Seconds(), h.collections())
}

// FromStart is Start, where what came before the first pause was not given up.
func (h *History) FromStart() (int, error) {
	if h.IsLate() && len(h.Pauses) > 0 {
		return 0, h.givenUp()
	}
	return Start, nil
}

// isIn reports whether a collection is a later one of a pause.
func (h *History) isIn(collection int64, pause int) bool {
	return pause+1 < len(h.Pauses) && h.Pauses[pause].Collected == Everything &&
		h.Pauses[pause].Collection < collection && collection < h.Pauses[pause+1].Collection
}

// At is the last pause that began at or before a time, since the recording began.
func (h *History) At(t time.Duration) (int, error) {
	if len(h.Pauses) == 0 {
		return 0, ErrNone
	}
	for i := len(h.Pauses) - 1; i >= 0; i-- {
		if h.Pauses[i].Start <= t {
			return i, nil
		}
	}
	if h.IsLate() {
		return 0, h.givenUp()
	}
	return 0, fmt.Errorf("no collection began by %.3f s; the first after which the heap is known began at %.3f s",
		t.Seconds(), h.Pauses[0].Start.Seconds())
}

// maxRanges is how many ranges of collections an error names.
const maxRanges = 10

// collections names the collections of which the heap is known, for an error.
func (h *History) collections() string {
	var ranges []string
	first, last := int64(0), int64(-2)
	end := func() {
		switch {
		case last < first:
		case last == first:
			ranges = append(ranges, fmt.Sprintf("gc:%d", first))
		default:
			ranges = append(ranges, fmt.Sprintf("gc:%d to gc:%d", first, last))
		}
	}
	for _, p := range h.Pauses {
		switch {
		case p.Ended || p.Collection == None || p.Collection == last:
		case p.Collection == last+1:
			last++
		default:
			end()
			first, last = p.Collection, p.Collection
		}
	}
	end()
	switch {
	case len(ranges) == 0:
		return "there is none, but the end"
	case len(ranges) > maxRanges:
		ranges = append(ranges[:maxRanges-1], "and so on to "+ranges[len(ranges)-1])
	}
	return "there are " + strings.Join(ranges, ", ")
}
