package collections

import (
	"bytes"
	"encoding/binary"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// event is a pause for a collection, as the agent saw it; package abi says what the fields are.
type event struct {
	start, finish          time.Duration
	id                     uint32
	begun                  int64
	before, after, counted int64
	freed                  int64
	promoted, survived     int64
	oldBefore              int64
	collectors             [abi.CollectionCollectors]collector
	cause, lastCause       string
}

// collector is what the JVM's counters say of a collector in a pause.
type collector struct {
	invocations int64
	time        time.Duration // of all invocations
	entry, exit time.Duration // of the last one, by the JVM's clock
}

// noID is that of a pause without a number.
const noID = 1<<32 - 1

// noCause is what the counters of causes say when nothing is being collected.
const noCause = "No GC"

// bracket is how long the world stood still.
func (e *event) bracket() time.Duration { return e.finish - e.start }

// counters reports whether the JVM has any.
func (e *event) counters() bool { return e.cause != "" }

// decode reads events; those that are damaged are left out.
func decode(records []*trace.Events) (list []event) {
	for _, r := range records {
		for kind, data := range r.All() {
			if kind != abi.EventCollection {
				continue
			}
			if len(data) == 8*abi.CollectionBriefly {
				brief := make([]byte, 8*abi.CollectionWords)
				copy(brief, data)
				data = brief
			}
			if len(data) != 8*abi.CollectionWords {
				continue
			}
			if e := decodeOne(data); !e.countsBelowZero() {
				list = append(list, e)
			}
		}
	}
	return list
}

// countsBelowZero reports whether the event has a count that cannot be.
func (e *event) countsBelowZero() bool {
	least := min(int64(e.start), int64(e.finish), e.begun, e.before, e.after, e.counted, e.freed, e.promoted,
		e.survived, e.oldBefore)
	for _, c := range e.collectors {
		least = min(least, c.invocations)
	}
	return least < 0
}

func decodeOne(b []byte) event {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	text := func(i int) string {
		s, _, _ := bytes.Cut(b[8*i:][:8*abi.CollectionCauseWords], []byte{0})
		return string(s)
	}
	e := event{
		start: time.Duration(word(abi.CollectionStart)), finish: time.Duration(word(abi.CollectionFinish)),
		id: uint32(word(abi.CollectionID)), begun: int64(word(abi.CollectionBegun)),
		before: int64(word(abi.CollectionBefore)), after: int64(word(abi.CollectionAfter)),
		counted: int64(word(abi.CollectionCounted)),
		freed:   int64(word(abi.CollectionFreed)), promoted: int64(word(abi.CollectionPromoted)),
		survived: int64(word(abi.CollectionSurvived)), oldBefore: int64(word(abi.CollectionOldBefore)),
		cause: text(abi.CollectionCause), lastCause: text(abi.CollectionLastCause),
	}
	for i := range e.collectors {
		at := abi.CollectionCollector + i*abi.CollectionCollectorWords
		e.collectors[i] = collector{
			int64(word(at)), time.Duration(word(at + 1)), time.Duration(word(at + 2)), time.Duration(word(at + 3)),
		}
	}
	return e
}
