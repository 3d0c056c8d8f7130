package session

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"mallard/internal/trace"
)

// Run converses until the agent has gone. Then the recording is whole.
func (s *Session) Run() {
	stop, stopCounting := make(chan struct{}), make(chan struct{})
	var counting, others sync.WaitGroup
	counting.Go(func() { s.counting.Run(stopCounting) })
	others.Go(s.guarded("messages", func() { s.pollMessages(stop) }))
	for _, o := range s.observers {
		others.Go(s.guarded(fmt.Sprintf("%T", o), func() { o.Run(stop) }))
	}
	if s.events.kinds != 0 {
		others.Go(s.readEvents)
	}
	switch {
	case s.control == nil:
	case s.controller != nil:
		others.Go(s.guarded("control", func() { s.controller.Control(s.control, stop) }))
	default:
		others.Go(s.guarded("adaptation", func() { s.adapt(stop) }))
	}
	err := s.converse()
	s.awaitDetached()
	close(stop)
	if s.control != nil {
		s.control.Shutdown()
	}
	s.events.finish()
	others.Wait()
	if _, e := s.readMessages(); e != nil && (err == nil || errors.Is(err, io.EOF)) {
		err = e
	}
	reason := s.reason(err)
	s.counting.Post(func() { s.end(reason) })
	close(stopCounting)
	counting.Wait()
	s.recording.Finish(false, reason) // where the end itself failed
	s.close()
}

// readEvents reads the event rings until they are finished, or nobody reads them any more.
func (s *Session) readEvents() {
	defer close(s.events.ended)
	s.guarded("events", s.events.read)()
}

// reason says why a conversation has ended.
func (s *Session) reason(err error) string {
	switch {
	case s.detaching.asked():
		return detachedBefore
	case s.ended.Load():
		return "the recording was ended, the JVM ran on"
	case err != nil && !errors.Is(err, io.EOF):
		return err.Error()
	}
	return "the JVM was killed"
}

// end takes the last snapshot where the JVM has not ended by itself: of memory that nobody counts in any more, so it is
// exact except for methods still on a stack.
func (s *Session) end(reason string) {
	if !s.recording.Finished() {
		s.snapshot(&trace.Mark{}, true)
		s.finish(false, reason)
	}
}

// close gives back what the session had.
func (s *Session) close() {
	s.failed = errors.Join(s.recording.Close(), s.file.Close())
	s.cache.Close()
	for _, o := range s.observers {
		o.Close()
	}
	s.events.close()
	s.memory.Close()
	s.conn.Close()
	if s.control != nil {
		s.control.Close()
	}
}

// EndRecording ends the recording of a JVM that runs on.
func (s *Session) EndRecording() {
	s.ended.Store(true)
	s.conn.Shutdown()
}

// Detach has the agent take the last snapshot, and leave the JVM as it was. [Session.Run] returns then.
func (s *Session) Detach() {
	s.detaching.ask()
	if s.control == nil {
		s.EndRecording()
	}
}

// Detached says what became of the classes of the JVM; to be called after Run.
func (s *Session) Detached() Detached { return s.detaching.outcome }
