package collections

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

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

// TestUnseenCycles: what a cycle without a pause was is said by what came before and after it.
func TestUnseenCycles(t *testing.T) {
	for _, test := range []struct {
		name, rows string // number and kind
		want       string
	}{
		{"none", "1 young, 2 mixed, 3 full", ""},
		{"undone", "1 young, 3 young, 4 remark, 4 cycle", "2 concurrent undo cycle"},
		{"two, of which only one can have been marking", "1 young, 3 young, 5 young",
			"2 concurrent undo cycle, 4 concurrent mark cycle"},
		{"marking as the JVM ended", "1 young, 3 young", "2 concurrent mark cycle"},
		{"ended by a full collection", "1 young, 3 full, 4 young, 6 young, 7 remark, 7 cycle",
			"2 concurrent mark cycle, 5 concurrent undo cycle"},
		{"numbered behind a full collection", "1 young, 2 full, 4 young, 5 young, 6 remark, 6 cycle",
			"3 concurrent mark cycle"},
		{"numbered behind a full collection, and another", "2 full, 4 young, 6 young, 7 remark, 7 cycle",
			"3 concurrent mark cycle, 5 concurrent undo cycle"},
	} {
		var rows []row
		for _, text := range strings.Split(test.rows, ", ") {
			var r row
			if _, err := fmt.Sscan(text, &r.number, &r.kind); err != nil {
				t.Fatal(err)
			}
			if r.kind != "cycle" {
				r.pause = known(time.Millisecond)
			}
			rows = append(rows, r)
		}
		var got []string
		for _, r := range unseenCycles(rows) {
			got = append(got, fmt.Sprint(r.number, " ", r.kind))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s: %q, want %q", test.name, text, test.want)
		}
	}
}
