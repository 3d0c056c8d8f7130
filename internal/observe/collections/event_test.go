package collections

import (
	"encoding/binary"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// TestCountsBelowZero: an event with a count that cannot be is damage, as one of another length is.
func TestCountsBelowZero(t *testing.T) {
	event := func(word int, value uint64) []*trace.Events {
		data := make([]byte, 8*abi.CollectionWords)
		binary.LittleEndian.PutUint64(data[8*word:], value)
		return []*trace.Events{{Headers: []trace.EventHeader{{Kind: abi.EventCollection, Bytes: uint32(len(data))}},
			Data: data}}
	}
	for _, word := range []int{abi.CollectionStart, abi.CollectionFinish, abi.CollectionBegun, abi.CollectionBefore,
		abi.CollectionAfter, abi.CollectionCounted, abi.CollectionFreed, abi.CollectionPromoted,
		abi.CollectionSurvived, abi.CollectionOldBefore, abi.CollectionCollector} {
		if list := decode(event(word, 1000)); len(list) != 1 {
			t.Errorf("word %d: %d events, want 1", word, len(list))
		}
		if list := decode(event(word, 1<<63)); len(list) != 0 {
			t.Errorf("word %d below zero: %d events, want none", word, len(list))
		}
	}
}
