package session

import (
	"sync"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// detaching is the end of a recording of a JVM that was attached to, and runs on as it was.
type detaching struct {
	once    *sync.Once
	wanted  chan struct{} // closed when it is
	over    chan struct{} // closed when the agent has done it, or nobody is told any more
	outcome Detached

	counters func() trace.CounterID // below are the numbers that the session has given to counters
}

// Detached is what became of the classes of a JVM.
type Detached struct {
	Took   time.Duration // until they were as they had been
	Failed int           // that the JVM would not change back: they go on counting, for nobody
}

// detachLimit is how long the agent may take for that: more than ten times what 30,000 classes take.
const detachLimit = 2 * time.Minute

// detachedBefore is why a recording ends.
const detachedBefore = "Mallard was detached, and the JVM ran on"

func newDetaching() detaching {
	return detaching{once: &sync.Once{}, wanted: make(chan struct{}), over: make(chan struct{})}
}

func (d *detaching) asked() bool {
	select {
	case <-d.wanted:
		return true
	default:
		return false
	}
}

// Detach has the agent take the last snapshot, and leave the JVM as it was. [Session.Run] returns then.
func (s *Session) Detach() {
	s.detaching.once.Do(func() { close(s.detaching.wanted) })
	if s.control == nil {
		s.EndRecording()
	}
}

// Detached says what became of the classes of the JVM; to be called after Run.
func (s *Session) Detached() Detached { return s.detaching.outcome }

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
