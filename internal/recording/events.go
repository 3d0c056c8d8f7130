package recording

import "mallard/internal/trace"

// maxEvents bounds the data of the events that are gathered before they are put, in bytes.
const maxEvents = 64 << 10

// Events gathers the events of one observer, many to a record. Its methods are for one goroutine.
type Events struct {
	recording *Recording
	gathered  trace.Events
	last      int // bytes of data that were put last
}

// Events begins to gather those of an observer, as trace.Process.Track has it.
func (r *Recording) Events(observer string) *Events {
	return &Events{recording: r, gathered: trace.Events{Observer: observer}}
}

// Add adds an event, whose data stay the caller's. It waits where the file is behind, as [Recording.PutDetail] does.
func (e *Events) Add(ring uint32, kind uint16, data []byte) {
	if ring != e.gathered.Ring || len(e.gathered.Data)+len(data) > maxEvents {
		e.Put()
	}
	if e.gathered.Headers == nil {
		e.gathered.Ring = ring
		e.gathered.Data = make([]byte, 0, max(e.last, len(data)))
	}
	e.gathered.Headers = append(e.gathered.Headers, trace.EventHeader{Kind: kind, Bytes: uint32(len(data))})
	e.gathered.Data = append(e.gathered.Data, data...)
}

// Put puts what has been gathered.
func (e *Events) Put() {
	if e.gathered.Headers == nil {
		return
	}
	record := e.gathered
	e.last = len(record.Data)
	e.gathered.Headers, e.gathered.Data = nil, nil
	e.recording.PutDetail(&record)
}
