package heaptest

import (
	"bytes"
	"encoding/binary"
	"io"
	"iter"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// A Follower is a heap.Follower.
type Follower interface {
	Take(kind uint16, data []byte)
	Keyframe() iter.Seq[*trace.EventsKeyframe]
}

// Keyframes makes a recording as a recorder does: with a keyframe where enough was written since the last one. Other
// records come first.
func Keyframes(e *Events, f Follower, others ...trace.Record) ([]byte, error) {
	var out bytes.Buffer
	r := NewRecorder(&out, f, 0)
	for _, record := range others {
		r.write(record)
	}
	r.Record(e.All())
	err := r.End()
	return out.Bytes(), err
}

// A Recorder writes events as they are made.
type Recorder struct {
	Round []trace.Record // what else a keyframe has; nil: no contexts

	follower Follower
	apart    time.Duration // keyframes, at least
	w        *trace.Writer
	err      error
	walks    int
	start    int64 // of the last walk
	keyframe int64 // the last one, or the start
}

// NewRecorder begins a recording with keyframes that are at least so far apart.
func NewRecorder(out io.Writer, f Follower, apart time.Duration) *Recorder {
	r := &Recorder{follower: f, apart: apart, w: trace.NewWriter(out)}
	r.write(&trace.Process{JVMVersion: "25+36", GC: "G1", Track: []string{"objects"}, Started: 1})
	return r
}

// Write writes a record that is no event.
func (r *Recorder) Write(record trace.Record) { r.write(record) }

// Record writes events.
func (r *Recorder) Record(events []*trace.Events) {
	for _, record := range events {
		for kind, data := range record.All() {
			r.write(&trace.Events{Observer: "objects", Data: data,
				Headers: []trace.EventHeader{{Kind: kind, Bytes: uint32(len(data))}}})
			r.follower.Take(kind, data)
			if kind == abi.EventHeapWalk {
				r.walked(data)
			}
		}
	}
}

// End ends the recording; the error is the first one.
func (r *Recorder) End() error {
	r.write(&trace.End{Nanos: r.start + 1, Complete: true})
	r.flush()
	return r.err
}

func (r *Recorder) write(record trace.Record) {
	if r.err == nil {
		r.err = r.w.Write(record)
	}
}

func (r *Recorder) flush() {
	if r.err == nil {
		r.err = r.w.Flush()
	}
}

// walked takes the end of a walk.
func (r *Recorder) walked(data []byte) {
	r.walks++
	r.start = int64(binary.LittleEndian.Uint64(data[8*abi.HeapWalkStart:]))
	if r.walks%50 == 0 && r.start-r.keyframe >= int64(r.apart) && r.w.KeyframeDue() {
		r.keyframe = r.start
		r.write(&trace.Keyframe{Nanos: r.start})
		for part := range r.follower.Keyframe() {
			r.write(part)
		}
		for _, record := range r.Round {
			r.write(record)
		}
		r.write(&trace.Mark{Nanos: r.start, Contexts: r.Round != nil})
	}
	if r.walks%20 == 0 {
		r.flush()
	}
}
