package heap

import (
	"math"
	"slices"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Reading gathers the events of a heap from the records of a recording: all of them, or, where reading begins at a
// keyframe, what that says and those behind it. Of objects with references it keeps those of the last moment at which
// all were recorded, and later ones: what was alive at each moment may be as much as all else.
type Reading struct {
	recorded
	AllReferences bool // those of all moments are kept; to be set before records are added

	referring []referring
	moment    int // how many moments of references have begun

	late  bool // reading began at a keyframe that comes behind a walk
	waits bool // not all parts of it have come; what comes meanwhile is in it
	parts int  // of it that have come
	lost  int64

	passed []passed
}

// passed is what is known of a pause that was read.
type passed struct {
	start      time.Duration
	collection int64
	collected  Collected
}

// referring is a record with references.
type referring struct {
	index  int // in Events
	moment int // how many moments had begun before it
}

// NewReading begins at a keyframe, or at the beginning of a recording, which may say that it begins at a keyframe.
func NewReading(atKeyframe bool) *Reading { return &Reading{late: atKeyframe, waits: atKeyframe} }

// Add takes the next record.
func (r *Reading) Add(record trace.Record) {
	switch x := record.(type) {
	case *trace.Kept:
		all := r.AllReferences
		*r = *NewReading(true)
		r.AllReferences = all
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
	from := len(r.Events)
	r.add(e)
	for i := from; i < len(r.Events); i++ {
		r.note(i)
	}
}

// note notes what is in a record.
func (r *Reading) note(index int) {
	before, refers, ended := r.moment, false, false
	for kind, data := range r.Events[index].All() {
		switch kind {
		case abi.EventHeapGraphBegin:
			r.moment++
		case abi.EventHeapObjects:
			refers = true
		case abi.EventHeapGraph:
			ended = true
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
	if refers {
		r.referring = append(r.referring, referring{index, before})
	}
	if ended && !r.AllReferences {
		r.dropReferences()
	}
}

// dropReferences leaves out objects of moments before the last.
func (r *Reading) dropReferences() {
	var left []referring
	for _, at := range r.referring {
		e, moment, kept := r.Events[at.index], at.moment, false
		less := &trace.Events{Observer: e.Observer}
		for kind, data := range e.All() {
			if kind == abi.EventHeapGraphBegin {
				moment++
			}
			if kind == abi.EventHeapObjects && moment < r.moment {
				continue
			}
			kept = kept || kind == abi.EventHeapObjects
			less.Headers = append(less.Headers, trace.EventHeader{Kind: kind, Bytes: uint32(len(data))})
			less.Data = append(less.Data, data...)
		}
		if len(less.Data) < len(e.Data) {
			r.Events[at.index] = less
		}
		if kept {
			left = append(left, at)
		}
	}
	r.referring = left
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
		r.recorded, r.parts, r.passed, r.late = recorded{}, 0, nil, false
	}
	if int(k.Part) != r.parts {
		return
	}
	r.parts++
	r.take(&trace.Events{Observer: k.Observer, Headers: k.Headers, Data: k.Data})
	isWalk := func(e trace.EventHeader) bool { return e.Kind == abi.EventHeapWalk }
	r.late = r.late || slices.ContainsFunc(k.Headers, isWalk)
	r.lost = int64(min(k.Lost, math.MaxUint32))
	r.waits = k.Part+1 != k.Parts
}

// History replays what has come so far.
func (r *Reading) History() *History {
	if r.waits {
		return newHistory(&recorded{}, newClasses(nil), start{late: true})
	}
	return newHistory(&r.recorded, newClasses(nil), start{r.late, r.lost})
}
