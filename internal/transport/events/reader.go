package events

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// interval is how long records lie unread at most.
const interval = time.Second

// Event is one record.
type Event struct {
	Ring int
	Kind Kind
	Data []byte // valid until the handler returns
}

// Handler takes the records of a kind, those of one ring in the order in which they were written. It is called by the
// reader's goroutine, which waits for it, while rings fill.
type Handler func(Event)

// Reader gives the records of all rings of a JVM to those who observe it.
type Reader struct {
	// Rest, if there is one, is called when all that was read has been given to its handlers, before the reader sleeps,
	// and at the end.
	Rest func()

	memory   *Memory
	handlers [Kinds]Handler
	lost     func(Loss)
	buffer   []byte // as large as what was read at once, up to bufferBytes
	refused  counts // records that nobody takes
}

// NewReader returns a reader for one goroutine. Losses are given to lost among the records of their ring, where they
// happened.
func NewReader(m *Memory, handlers map[Kind]Handler, lost func(Loss)) *Reader {
	r := &Reader{memory: m, lost: lost}
	for kind, h := range handlers {
		r.handlers[kind] = h
	}
	return r
}

// Run reads until ctx is done, then what was committed until then. It is woken when there is much to read, and looks
// every second. The memory may belong to a JVM that was killed.
func (r *Reader) Run(ctx context.Context) {
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(woken)
		r.memory.wake()
	})
	defer func() {
		if !stop() {
			<-woken // the caller may unmap the memory
		}
	}()
	for ctx.Err() == nil {
		if r.round() {
			continue
		}
		r.rest()
		atomic.StoreUint32(r.memory.asleep(), 1)
		if ctx.Err() == nil && !r.much() {
			r.memory.sleep(interval)
		}
		atomic.StoreUint32(r.memory.asleep(), 0)
	}
	r.finish()
	r.rest()
}

func (r *Reader) rest() {
	if r.Rest != nil {
		r.Rest()
	}
}

// round reads a buffer's worth of each ring and reports whether there is a reason to go on at once.
func (r *Reader) round() (more bool) {
	for i := range r.memory.rings {
		ring := &r.memory.rings[i]
		before := ring.read
		r.read(i, ^uint64(0))
		more = more || ring.read-before >= min(bufferBytes, uint64(len(ring.data)/wakeShare))/2
	}
	return more
}

// much reports whether there is what a producer would have woken the reader for.
func (r *Reader) much() bool {
	for i := range r.memory.rings {
		if ring := &r.memory.rings[i]; !ring.damaged && ring.committed()-ring.read >= uint64(len(ring.data)/wakeShare) {
			return true
		}
	}
	return false
}

// finish reads what is there, and says what is missing. A producer that goes on for ever does not keep it.
func (r *Reader) finish() {
	for i := range r.memory.rings {
		ring := &r.memory.rings[i]
		for end := ring.committed(); ring.read != end && !ring.damaged; {
			r.read(i, end)
		}
		if l, ok := ring.unreported(i); ok && !ring.damaged {
			r.lost(l)
		}
	}
	for kind, n := range r.refused {
		if n > 0 {
			r.lost(Loss{Counts: []Count{{Kind(kind), n}}, Reason: "nobody observes them"})
		}
	}
}

// read gives some records of a ring to their handlers.
func (r *Reader) read(number int, end uint64) {
	ring := &r.memory.rings[number]
	if ring.damaged {
		return
	}
	records, err := ring.take(&r.buffer, end)
	for len(records) > 0 {
		rest, e := r.deliver(number, records)
		if records = rest; err == nil {
			err = e
		}
	}
	if err != nil {
		ring.damaged = true
		r.lost(Loss{Ring: number, Reason: err.Error()})
	}
}

func (r *Reader) loss(number int, data []byte) error {
	l, err := decodeLoss(number, data)
	if err != nil {
		return err
	}
	for _, c := range l.Counts {
		r.memory.rings[number].reported[c.Kind] += c.Records
	}
	r.lost(l)
	return nil
}

// deliver gives records to their handlers, and those behind one whose handler panics back. That handler is not called
// again.
func (r *Reader) deliver(number int, records []byte) (rest []byte, err error) {
	var kind Kind
	defer func() {
		if p := recover(); p != nil {
			r.handlers[kind] = nil
			r.lost(Loss{Ring: number, Counts: []Count{{kind, 1}}, Reason: fmt.Sprintf("internal error: %v", p)})
			rest = records
		}
	}()
	for len(records) > 0 {
		h := headerOf(records)
		data := records[HeaderBytes:][:h.size:h.size]
		records = records[recordBytes(h.size):]
		kind = h.kind
		if kind == LossKind {
			if e := r.loss(number, data); err == nil {
				err = e
			}
		} else if handler := r.handlers[kind]; handler != nil {
			handler(Event{number, kind, data})
		} else {
			r.refused[kind]++
		}
	}
	return nil, err
}
