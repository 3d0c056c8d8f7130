package counters

import (
	"sync"

	"mallard/internal/abi"
)

// Tags knows whose turn tags of objects are: one is given to another site, or to one in another context, when no object
// has it any more. Any goroutine may use it.
type Tags struct {
	mu    sync.Mutex
	turns []uint8 // by tag; 0 where there are none
}

// Turned is a tag with its turn, as recordings have it; one of no site's stays as it is.
func (t *Tags) Turned(tag uint32) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return tag | t.turn(tag)<<abi.TagTurnShift
}

func (t *Tags) turn(tag uint32) uint32 {
	if tag >= abi.TagNone || uint64(tag) >= uint64(len(t.turns)) {
		return 0
	}
	return uint32(t.turns[tag])
}

// Again has the next turn of tags begin, and says of which: those at the end of the range that are at another turn than
// the first are left out. It is false where the first one has had its last turn, or is no site's.
func (t *Tags) Again(tags Range) (some Range, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	first, end := uint32(tags.First), min(uint32(tags.End), abi.TagNone)
	if first >= end || t.turn(first) == abi.LastTagTurn {
		return Range{}, false
	}
	if missing := int(end) - len(t.turns); missing > 0 {
		t.turns = append(t.turns, make([]uint8, missing)...)
	}
	was := t.turns[first]
	for some = (Range{tags.First, tags.First}); uint32(some.End) < end && t.turns[some.End] == was; some.End++ {
		t.turns[some.End]++
	}
	return some, true
}

// ContextTag gives the tag of a site in a context, with its turn, as a counter of the kind [trace.Tag] has it; false:
// the site has none of its own there.
func ContextTag(value int64) (tag uint32, ok bool) {
	number := value & abi.TagOthers
	return uint32(value), 0 < number && number < abi.TagNone && 0 < value && value>>abi.TagTurnShift <= abi.LastTagTurn
}
