package session

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"mallard/internal/trace"
)

// elapsed is the time since the recording began, as records have it, in nanoseconds.
func (s *Session) elapsed() int64 { return int64(time.Since(s.started)) }

// write puts a record into the recording. What could not be written the writer tries again at the next flush.
func (s *Session) write(r trace.Record) {
	if s.meter != nil {
		s.meter.Add(r)
	}
	err := s.writer.Write(r)
	if errors.Is(err, trace.ErrTooLarge) {
		s.dropped = true
		s.trouble("records", err.Error())
	}
	s.fail(err)
}

func (s *Session) flush() error {
	err := s.writer.Flush()
	s.fail(err)
	return err
}

func (s *Session) fail(err error) {
	if err != nil && s.failed == nil {
		s.failed = err
	}
}

// trouble notes a loss, to be written at the end with how often it happened.
func (s *Session) trouble(kind, detail string) { s.troubles[kind+"\x00"+detail]++ }

// finish ends the recording.
func (s *Session) finish(complete bool, reason string) {
	if s.contexts != nil && s.contexts.full {
		s.trouble("contexts", fmt.Sprintf("there was no memory for more contexts than %d MB have room for: what was allocated in others is known by its site alone; --context-memory MB takes more", s.options.contextBytes()>>20))
	}
	for key, n := range s.troubles {
		kind, detail, _ := strings.Cut(key, "\x00")
		s.write(&trace.Loss{Kind: kind, Count: n, Detail: detail})
	}
	s.reckon()
	s.write(&s.seen)
	s.write(&trace.End{Nanos: s.elapsed(), Complete: complete, ExitReason: reason})
	err := s.flush()
	if blocks, _ := s.writer.Lost(); err == nil && blocks == 0 && !s.dropped {
		s.failed = nil // there was room again in time
	}
	s.ended = true
}

// LastWords says what became of the recording; "" if nobody wants to know. It is called after the end.
func (s *Session) LastWords() string {
	switch {
	case s.failed != nil:
		return fmt.Sprintf("%s is incomplete: %v", s.file.Name(), s.failed)
	case s.options.Quiet:
		return ""
	}
	return "wrote " + s.file.Name()
}
