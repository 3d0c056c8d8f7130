package session

import (
	"time"

	"mallard/internal/abi"
	"mallard/internal/transport"
)

// detachLimit is how long the agent may take for that: more than ten times what 30,000 classes take.
const detachLimit = 2 * time.Minute

// detachedBefore is why a recording ends.
const detachedBefore = "Mallard was detached, and the JVM ran on"

// detach tells the agent, which waits for what it is to do, and waits until it is done.
func (s *Session) detach() {
	answer := transport.RetransformAnswer{Flags: abi.RetransformDetach, Counters: uint32(s.detaching.counters())}
	if s.control.Answer(abi.OK, answer.Encode()) != nil {
		return
	}
	f, err := s.control.Receive()
	if err == nil {
		err = transport.Handle(f.Payload, func(m *transport.Retransformed) error {
			s.detaching.outcome = Detached{Took: time.Duration(m.Nanoseconds), Failed: int(m.Failed)}
			return nil
		})
	}
	if err != nil {
		s.log.Debug("detaching", "error", err)
	}
}

// leaveAfterPanic, deferred, has the agent leave a JVM by itself that was attached to, where a mistake of ours ends
// what is said on the control channel: nobody else could have it leave.
func (s *Session) leaveAfterPanic() {
	e := recover()
	if e == nil {
		return
	}
	if s.options.Attached {
		s.detaching.ask()
		s.control.Shutdown()
	}
	panic(e)
}

// awaitDetached waits for the agent where it is leaving.
func (s *Session) awaitDetached() {
	if !s.detaching.asked() || s.control == nil {
		return
	}
	select {
	case <-s.detaching.over:
	case <-time.After(detachLimit):
	}
}
