package session

import (
	"fmt"
	"runtime/debug"
	"time"

	"mallard/internal/trace"
	"mallard/internal/wire"
)

// The message ring is polled this often: soon after there was something, rarely where nothing happens. Each poll wakes two or three threads,
// which costs more than what is in the ring: polling every 10 ms a run of Clojure took 217 ms of our processor time, and 131 now that 8,192
// numbers are reserved at a time, which suffice until the next poll (medians of six).
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
				s.known.forget()
			}
			wait, busy = min(2*wait, pollLate), false
		}
	}
}

// readMessages handles what the agent has put into the message ring, and says how much it was.
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
		f, ok, err := s.blocks.ring.Receive()
		if err != nil {
			return n, err
		}
		if !ok {
			s.reserveSoon()
			return n, nil
		}
		p := wire.NewPayload(f.Payload)
		switch f.Type {
		case wire.Loader:
			err = s.loader(p)
		case wire.ClassSizes:
			err = s.sizes(p)
		case wire.ClassCached:
			err = s.cached(p)
		default:
			err = fmt.Errorf("unexpected in the message ring")
		}
		if err != nil {
			return n, fmt.Errorf("%v: %w", f.Type, err)
		}
	}
}

// reserveSoon reserves numbers before there are none, or classes out of the cache come to be instrumented.
func (s *Session) reserveSoon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if left := s.blocks.ring.Reserved(); left > 0 && left < reservedNumbers/2 {
		s.reserve()
	}
}

// reserve lets the agent have numbers for the counters of classes out of the cache, those that it has left and those that come after them.
func (s *Session) reserve() {
	left, end := s.blocks.ring.Reserve(0, 0)
	if trace.CounterID(end) <= s.counters.end {
		s.counters.give([]counterRange{{trace.CounterID(left), trace.CounterID(end)}})
	}
	if first, ok := s.counters.take(reservedNumbers); ok {
		s.blocks.ring.Reserve(uint32(first), uint32(first)+reservedNumbers)
	}
}
