package heap

import (
	"math"
	"slices"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Reading gathers the events of a heap from the records of a recording: all of them, or, where reading begins at a
// keyframe, what that says and those behind it.
type Reading struct {
	Events []*trace.Events

	late  bool // reading began at a keyframe that comes behind a walk
	waits bool // not all parts of it have come; what comes meanwhile is in it
	lost  int64

	passed []passed
}

// passed is what is known of a pause that was read.
type passed struct {
	start      time.Duration
	collection int64
	collected  Collected
}

// NewReading begins at a keyframe, or at the beginning of a recording, which may say that it begins at a keyframe.
func NewReading(atKeyframe bool) *Reading { return &Reading{late: atKeyframe, waits: atKeyframe} }

// Add takes the next record.
func (r *Reading) Add(record trace.Record) {
	switch x := record.(type) {
	case *trace.Kept:
		*r = *NewReading(true)
	case *trace.EventsKeyframe:
		if r.waits && x.Observer == Observer {
			r.begin(x)
		}
	case *trace.Events:
		if !r.waits && x.Observer == Observer {
			r.take(x)
		}
	}
}

func (r *Reading) take(e *trace.Events) {
	r.Events = append(r.Events, e)
	for kind, data := range e.All() {
		switch kind {
		case abi.EventHeapWalk:
			if w, good := decodeWalk(data); good {
				r.passed = append(r.passed, passed{start: w.Start, collection: w.Collection})
			}
		case abi.EventHeapFinish:
			if f, good := decodeFinish(data); good && len(r.passed) > 0 {
				r.passed[len(r.passed)-1].collected = f.collected
			}
		}
	}
}

// BeginsBehind reports whether what a reader has that begins at a keyframe is behind a collection, as far as that is
// known. It reads from there on.
func BeginsBehind(reader *trace.FromReader, collection int64) bool {
	r := NewReading(true)
	for len(r.passed) == 0 {
		record, err := reader.Next()
		if _, ends := record.(*trace.Mark); ends || err != nil {
			return true
		}
		r.Add(record)
	}
	return r.passed[0].collection > collection
}

// HasAt reports whether all was read that says what was in the heap at a time.
func (r *Reading) HasAt(t time.Duration) bool {
	return len(r.passed) > 0 && r.passed[len(r.passed)-1].start > t
}

// HasAfter reports whether all was read that says what a collection has left. The pauses of a concurrent cycle have its
// number, and there may be others between them.
func (r *Reading) HasAfter(collection int64) bool {
	found := -1
	for i, p := range r.passed {
		several := p.collected == Everything && p.collection < collection && i+1 < len(r.passed) &&
			collection < r.passed[i+1].collection
		if p.collection == collection || several {
			found = i
		}
	}
	if found < 0 || found+1 == len(r.passed) {
		return false
	}
	return r.passed[found].collected != Nothing || slices.ContainsFunc(r.passed[found+1:], func(p passed) bool {
		return p.collection > collection && p.collection != None && p.collected != Young
	})
}

// begin takes a part of the keyframe. One whose parts are not all there is left out, up to the next one.
func (r *Reading) begin(k *trace.EventsKeyframe) {
	if k.Part == 0 {
		r.Events, r.passed, r.late = nil, nil, false
	}
	if int(k.Part) != len(r.Events) {
		return
	}
	r.take(&trace.Events{Observer: k.Observer, Headers: k.Headers, Data: k.Data})
	isWalk := func(e trace.EventHeader) bool { return e.Kind == abi.EventHeapWalk }
	r.late = r.late || slices.ContainsFunc(k.Headers, isWalk)
	r.lost = int64(min(k.Lost, math.MaxUint32))
	r.waits = k.Part+1 != k.Parts
}

// History replays what has come so far.
func (r *Reading) History() *History {
	if r.waits {
		return newHistory(nil, newClasses(nil), start{late: true})
	}
	return newHistory(r.Events, newClasses(nil), start{r.late, r.lost})
}
