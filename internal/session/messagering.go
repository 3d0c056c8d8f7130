package session

import (
	"fmt"
	"runtime/debug"
	"time"

	"mallard/internal/trace"
	"mallard/internal/wire"
)

// The message ring is polled this often: soon after there was something, rarely where nothing happens. Each poll wakes two
// or three threads, which costs more than what is in the ring: polling every 10 ms a run of Clojure took 217 ms of our
// processor time, and 131 now that 8,192 numbers are reserved at a time, which suffice until the next poll (medians of six).
const (
	pollSoon = 100 * time.Millisecond
	pollLate = time.Second
)

// pollMessages reads the message ring now and then, so that little is left to do when somebody waits for it.
func (s *Session) pollMessages(stop <-chan struct{}) {
	wait, busy := pollSoon, false
	for {
		select {
		case <-stop:
			return
		case <-time.After(wait):
		}
		n, err := s.readMessages()
		switch {
		case err != nil:
			s.conn.Shutdown() // converse ends, and finds the same
			return
		case n > 0:
			wait, busy = pollSoon, true
		default:
			if busy {
				s.cache.Forget()
			}
			wait, busy = min(2*wait, pollLate), false
		}
	}
}

// readMessages handles what the agent has put into the message ring, and says how many messages that was.
func (s *Session) readMessages() (n int, err error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	defer func() {
		if e := recover(); e != nil {
			s.log.Debug("reading the message ring panicked", "error", e, "stack", string(debug.Stack()))
			err = fmt.Errorf("internal error: %v", e)
		}
	}()
	for ; ; n++ {
		f, ok, err := s.memory.Ring().Receive()
		if err != nil {
			return n, err
		}
		if !ok {
			s.classes.ReserveSoon()
			return n, nil
		}
		s.fault(f.Type.String())
		if err := s.message(f.Type, wire.NewPayload(f.Payload)); err != nil {
			return n, fmt.Errorf("%v: %w", f.Type, err)
		}
	}
}

// message handles a message of the ring.
func (s *Session) message(t wire.Type, p *wire.Payload) error {
	switch t {
	case wire.Loader:
		id, class := trace.LoaderID(p.Uint32()), wire.ClassName(p.String())
		if p.Err() == nil {
			s.classes.Loader(id, class)
		}
	case wire.ClassSizes:
		for p.More() {
			record := &trace.ClassSize{Loader: trace.LoaderID(p.Uint32()), Bytes: p.Uint32(), Name: p.String()}
			if p.Err() == nil {
				s.recording.Put(record)
			}
		}
	case wire.ClassCached:
		loader, offset, first := trace.LoaderID(p.Uint32()), p.Uint64(), trace.CounterID(p.Uint32())
		if p.Err() == nil {
			return s.classes.Cached(loader, offset, first)
		}
	default:
		return fmt.Errorf("unexpected in the message ring")
	}
	return p.Err()
}
