package heap

import (
	"bytes"
	"iter"
	"slices"

	"github.com/klauspost/compress/s2"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// recorded is the events of a heap. Those of single objects, which take most of the memory, are packed, and unpacked
// only by a replay that looks at them.
type recorded struct {
	Events  []*trace.Events // all others
	singles []placedEvents
	once    bool // singles are let go when a replay has read them

	scratch []byte
}

// placedEvents are events and where they are.
type placedEvents struct {
	before  int // in Events: the record in front of which they are
	*packed     // nil: they were let go
}

// add takes the next record.
func (r *recorded) add(e *trace.Events) {
	isSingle := func(h trace.EventHeader) bool { return h.Kind == abi.EventHeapSingles }
	if !slices.ContainsFunc(e.Headers, isSingle) {
		r.Events = append(r.Events, e)
		return
	}
	data := e.Data
	for headers := e.Headers; len(headers) > 0; {
		n, length, single := 0, 0, isSingle(headers[0])
		for n < len(headers) && isSingle(headers[n]) == single {
			if length += int(headers[n].Bytes); length > len(data) {
				return // the record is damaged
			}
			n++
		}
		if single {
			r.scratch = s2.Encode(r.scratch[:cap(r.scratch)], data[:length])
			r.singles = append(r.singles, placedEvents{len(r.Events), &packed{headers[:n], bytes.Clone(r.scratch)}})
		} else {
			r.Events = append(r.Events, &trace.Events{Observer: e.Observer, Ring: e.Ring, Headers: headers[:n],
				Data: bytes.Clone(data[:length])})
		}
		headers, data = headers[n:], data[length:]
	}
}

// all gives the kind and the data of each event, those of single objects with what unpacks them, whose data are good
// until the next one.
func (r *recorded) all(singles *unpacking) iter.Seq2[uint16, []byte] {
	return func(yield func(uint16, []byte) bool) {
		rest := r.singles
		for i := range len(r.Events) + 1 {
			for ; len(rest) > 0 && rest[0].before == i; rest = rest[1:] {
				if singles == nil {
					continue
				}
				for kind, data := range singles.all(rest[0].packed) {
					if !yield(kind, data) {
						return
					}
				}
				if r.once {
					rest[0].packed = nil
				}
			}
			if i == len(r.Events) {
				return
			}
			for kind, data := range r.Events[i].All() {
				if !yield(kind, data) {
					return
				}
			}
		}
	}
}
