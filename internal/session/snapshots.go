package session

import (
	"fmt"
	"time"

	"mallard/internal/profile"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// snapshots has what was counted written, as often as is wanted.
func (s *Session) snapshots(stop <-chan struct{}) {
	tick := time.NewTicker(s.options.interval())
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			s.readMessages() // an error comes up again in converse
			s.counting.Do(s.periodic)
		}
	}
}

// periodic takes a snapshot that nobody waits for, unless the disk is behind.
func (s *Session) periodic() {
	switch {
	case s.recording.Finished():
		return
	case s.recording.Behind():
		s.skipped++
	case s.byBytecodes():
		s.count(false)
	default:
		s.snapshot(false, 0)
	}
	s.recording.Flush()
}

// snapshot writes what all threads have counted since the last one; the last of all writes everything. What is allocated is
// what the JVM says all its threads allocated, in bytes, 0 unknown. It is for the counting goroutine.
func (s *Session) snapshot(last bool, allocated uint64) {
	s.fault("snapshot")
	mark := &trace.Mark{JVMBytes: allocated, Contexts: s.count(last)}
	if s.byBytecodes() {
		mark.Bytecodes = s.threads.Bytecodes()
	}
	mark.Nanos = s.recording.Elapsed()
	s.recording.Put(mark)
}

// count writes what all threads have counted since it was last written, and says whether that is so for contexts as well.
func (s *Session) count(last bool) (inContexts bool) {
	s.threads.Snapshot(last)
	return s.contexts != nil && s.contexts.Snapshot(s.threads, last)
}

// measure takes a snapshot and gives all that is known to have been done until then, if anybody is told; false after the
// end.
func (s *Session) measure() (now profile.Amount, at time.Time, ok bool) {
	s.readMessages() // an error comes up again in converse
	s.counting.Do(func() {
		if s.recording.Finished() {
			return
		}
		if s.contexts != nil {
			s.contexts.Soon()
		}
		s.snapshot(false, 0)
		now, _ = s.recording.Measured()
		at, ok = time.Now(), true
	})
	return now, at, ok
}

// Snapshots by bytecodes: a thread that has executed as many as are between two of them asks for one, and waits. Counted
// are those of the program's own classes: how many the JDK executes depends on when its methods are compiled (the compilers
// have code of their own for some), on where files are, and on random numbers.

// byBytecodes reports whether snapshots are taken every so many bytecodes.
func (s *Session) byBytecodes() bool { return s.options.Snapshots.Bytecodes > 0 }

// executed takes a snapshot for a thread that waits for it. If a class of the user's is to be told, the answer is what it is
// told.
func (s *Session) executed(p *wire.Payload) error {
	called := p.Uint32() != 0
	if err := p.Err(); err != nil {
		return err
	}
	now, at, ok := s.measure()
	if called && ok && s.options.OnSnapshot != "" {
		return s.conn.Answer(wire.OK, s.told.since(now, at))
	}
	return s.conn.Answer(wire.OK, nil)
}

// finish ends the recording.
func (s *Session) finish(complete bool, reason string) {
	s.describe()
	if s.skipped > 0 {
		s.recording.Loss("snapshots", fmt.Sprintf("%d snapshots were left out, because the disk did not take them as fast as they came: counts are whole, with less detail in time", s.skipped))
	}
	if s.contexts != nil {
		s.contexts.Finish()
	}
	s.classes.Finish()
	s.recording.Finish(complete, reason)
}
