package session

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// The message ring is polled this often: soon after there was something, rarely where nothing happens. Each poll wakes
// two or three threads, which costs more than what is in the ring: polling every 10 ms a run of Clojure took 217 ms of
// our processor time, and 131 now that 8,192 numbers are reserved at a time, which suffice until the next poll (medians
// of six).
const (
	pollSoon = 100 * time.Millisecond
	pollLate = time.Second
)

// pollMessages reads the message ring now and then, so that little is left to do when somebody waits for it.
func (s *Session) pollMessages(stop <-chan struct{}) {
	wait := pollSoon
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
			wait = pollSoon
		default:
			wait = min(2*wait, pollLate)
		}
	}
}

// readMessages handles what the agent has put into the message ring, and says how many messages that was. After an
// error it reads no more, and says the same to whoever asks.
func (s *Session) readMessages() (n int, err error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.ringError != nil {
		return 0, s.ringError
	}
	defer func() {
		if e := recover(); e != nil {
			s.log.Debug("reading the message ring panicked", "error", e, "stack", string(debug.Stack()))
			err = fmt.Errorf("internal error: %v", e)
		}
		s.ringError = err
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
		if err := s.message(f); err != nil {
			return n, fmt.Errorf("%v: %w", f.Type, err)
		}
	}
}

// message handles a message of the ring, or of the socket where that was full.
func (s *Session) message(f transport.Frame) error {
	switch f.Type {
	case abi.Loader:
		return transport.Handle(f.Payload, func(m *transport.Loader) error {
			s.classes.Loader(trace.LoaderID(m.Loader), transport.ClassName(m.Class))
			return nil
		})
	case abi.ClassSizes:
		return transport.Handle(f.Payload, func(m *transport.ClassSizes) error {
			for _, size := range m.Sizes {
				s.recording.Put(&trace.ClassSize{Loader: trace.LoaderID(size.Loader), Bytes: size.Bytes,
					Name: size.Name})
				if s.watcher != nil {
					s.classes.Prepared(trace.LoaderID(size.Loader), size.Name)
				}
			}
			return nil
		})
	case abi.ClassCached:
		return transport.Handle(f.Payload, s.classes.Cached)
	case abi.CountersMade:
		return transport.Handle(f.Payload, s.classes.Made)
	}
	if o := s.handlers[f.Type]; o != nil {
		_, err := o.Handle(f)
		return err
	}
	return errors.New("unexpected in the message ring")
}
