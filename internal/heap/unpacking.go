package heap

import (
	"iter"

	"github.com/klauspost/compress/s2"

	"mallard/internal/heap/single"
	"mallard/internal/trace"
)

// packed is events one behind the other.
type packed struct {
	headers []trace.EventHeader
	data    []byte // of all of them, by s2
}

// unpacking reads packed events, one behind the other, and some of them again later.
type unpacking struct {
	now   unpacked // those that are being read
	again unpacked

	from, to int // of the event that is being read, in now
}

// unpacked is packed events in memory that is used for others behind them.
type unpacked struct {
	packed *packed
	data   []byte
}

func (u *unpacked) unpack(p *packed) []byte {
	if u.packed != p {
		data, err := s2.Decode(u.data[:cap(u.data)], p.data)
		if err != nil {
			panic(err) // it was packed here
		}
		u.packed, u.data = p, data
	}
	return u.data
}

// all gives the kind and the data of each event.
func (u *unpacking) all(p *packed) iter.Seq2[uint16, []byte] {
	if p == nil {
		panic("heap: events of single objects were let go")
	}
	return func(yield func(uint16, []byte) bool) {
		u.to = 0
		for kind, data := range (&trace.Events{Headers: p.headers, Data: u.now.unpack(p)}).All() {
			if u.from, u.to = u.to, u.to+len(data); !yield(kind, data) {
				return
			}
		}
	}
}

// event is the one that is being read.
func (u *unpacking) event() single.Event { return &unpackedEvent{u, u.now.packed, u.from, u.to} }

// unpackedEvent is an event that is packed until somebody reads it again.
type unpackedEvent struct {
	in       *unpacking
	packed   *packed
	from, to int
}

// Data unpacks it.
func (e *unpackedEvent) Data() []byte {
	if e.packed == e.in.now.packed {
		return e.in.now.data[e.from:e.to]
	}
	return e.in.again.unpack(e.packed)[e.from:e.to]
}
