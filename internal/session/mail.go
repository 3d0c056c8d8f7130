package session

import (
	"fmt"
	"runtime/debug"
	"time"

	"mallard/internal/trace"
	"mallard/internal/wire"
)

// The mail is looked at this often: soon after there was some, rarely where nothing happens. Each look wakes two or three threads, which costs more than what is in the mail: looking every 10 ms a run of Clojure took 217 ms of our
// processor time, and 131 now that 8,192 numbers are lent at a time, which suffice until the next look (medians of six).
const (
	mailSoon = 100 * time.Millisecond
	mailLate = time.Second
)

// pollMail reads the mail now and then, so that little is left to do when somebody waits for it.
func (s *Session) pollMail(stop <-chan struct{}) {
	wait, busy := mailSoon, false
	for {
		select {
		case <-stop:
			return
		case <-time.After(wait):
		}
		n, err := s.readMail()
		switch {
		case err != nil:
			s.conn.Shutdown() // converse ends, and finds the same
			return
		case n > 0:
			wait, busy = mailSoon, true
		default:
			if busy {
				s.known.forget()
			}
			wait, busy = min(2*wait, mailLate), false
		}
	}
}

// readMail handles what the agent has put into the mail, and says how much it was.
func (s *Session) readMail() (n int, err error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	defer func() {
		if e := recover(); e != nil {
			s.log.Debug("reading the mail panicked", "error", e, "stack", string(debug.Stack()))
			err = fmt.Errorf("internal error: %v", e)
		}
	}()
	for ; ; n++ {
		f, ok, err := s.pages.mail.Receive()
		if err != nil {
			return n, err
		}
		if !ok {
			s.lendSoon()
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
			err = fmt.Errorf("unexpected in the mail")
		}
		if err != nil {
			return n, fmt.Errorf("%v: %w", f.Type, err)
		}
	}
}

// lendSoon lends numbers before there are none, or classes out of the cache come to be instrumented.
func (s *Session) lendSoon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if left := s.pages.mail.Lent(); left > 0 && left < lease/2 {
		s.lend()
	}
}

// lend lets the agent have numbers for the counters of classes out of the cache, those that it has left and those that come after them.
func (s *Session) lend() {
	left, end := s.pages.mail.Lend(0, 0)
	if trace.CounterID(end) <= s.counters.end {
		s.counters.give([]counterRange{{trace.CounterID(left), trace.CounterID(end)}})
	}
	if first, ok := s.counters.take(lease); ok {
		s.pages.mail.Lend(uint32(first), uint32(first)+lease)
	}
}
