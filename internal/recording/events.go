package recording

import (
	"iter"
	"sync"

	"mallard/internal/trace"
)

// maxEvents bounds the data of the events that are gathered before they are put, in bytes.
const maxEvents = 64 << 10

// Events gathers the events of one observer, many to a record. Its methods may be called by any goroutine, and wait
// where the file is behind, as [Recording.PutDetail] does.
type Events struct {
	recording *Recording

	mu       sync.Mutex // held while records are put: a keyframe stands exactly between two events
	follower Follower   // nil: there is none
	gathered trace.Events
	last     struct{ headers, bytes int } // of what was put last: what comes next is like it
}

// A Follower follows events as they are added.
type Follower interface {
	Take(kind uint16, data []byte)
	// Keyframe says what all events so far come to, in records of which each is the caller's.
	Keyframe() iter.Seq[trace.Record]
}

// Events begins to gather those of an observer, as trace.Process.Track has it. Nobody may follow them: nil.
func (r *Recording) Events(observer string, follower Follower) *Events {
	return &Events{recording: r, follower: follower, gathered: trace.Events{Observer: observer}}
}

// Add adds an event, whose data stay the caller's.
func (e *Events) Add(ring uint32, kind uint16, data []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.follower != nil {
		e.follower.Take(kind, data)
	}
	if ring != e.gathered.Ring || len(e.gathered.Data)+len(data) > maxEvents {
		e.put()
	}
	if e.gathered.Headers == nil {
		e.gathered.Ring = ring
		e.gathered.Headers = make([]trace.EventHeader, 0, max(e.last.headers, 1))
		e.gathered.Data = make([]byte, 0, max(e.last.bytes, len(data)))
	}
	e.gathered.Headers = append(e.gathered.Headers, trace.EventHeader{Kind: kind, Bytes: uint32(len(data))})
	e.gathered.Data = append(e.gathered.Data, data...)
}

// Put puts what has been gathered.
func (e *Events) Put() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.put()
}

// Keyframe puts what has been gathered, and behind it what all events so far come to, if somebody follows them.
func (e *Events) Keyframe() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.follower == nil {
		return
	}
	e.put()
	for part := range e.follower.Keyframe() {
		e.recording.putWithin(ahead, part)
	}
}

func (e *Events) put() {
	if e.gathered.Headers == nil {
		return
	}
	record := e.gathered
	e.last.headers, e.last.bytes = len(record.Headers), len(record.Data)
	e.gathered.Headers, e.gathered.Data = nil, nil
	e.recording.PutDetail(&record)
}
