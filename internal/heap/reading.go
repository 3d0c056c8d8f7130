package heap

import (
	"math"
	"slices"

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
			r.Events = append(r.Events, x)
		}
	}
}

// begin takes a part of the keyframe. One whose parts are not all there is left out, up to the next one.
func (r *Reading) begin(k *trace.EventsKeyframe) {
	if k.Part == 0 {
		r.Events, r.late = nil, false
	}
	if int(k.Part) != len(r.Events) {
		return
	}
	r.Events = append(r.Events, &trace.Events{Observer: k.Observer, Headers: k.Headers, Data: k.Data})
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
