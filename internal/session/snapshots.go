package session

import (
	"time"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// snapshot writes what has come since the last one; the last of all writes everything. It completes the mark, which may
// ask observers for more than they would record. It is for the counting goroutine. Behind the VM's last it does
// nothing.
func (s *Session) snapshot(mark *trace.Mark, last bool) {
	if s.lastTaken {
		return
	}
	s.fault("snapshot")
	keyframe := s.threads.KeyframeDue()
	mark.Contexts = mark.Contexts || keyframe && s.contexts != nil
	s.threads.Snapshot(keyframe, last)
	for _, o := range s.observers {
		o.Snapshot(mark, last)
	}
	if keyframe {
		s.events.keyframe()
	}
	mark.Nanos = s.recording.Elapsed()
	s.recording.Put(mark)
}

// measure takes a snapshot and gives all that is known to have been done until then, if anybody is told; false after
// the end.
func (s *Session) measure() (now profile.Amount, at time.Time, ok bool) {
	s.readMessages() // an error comes up again in converse
	s.counting.Do(func() {
		if s.recording.Finished() {
			return
		}
		s.snapshot(&trace.Mark{Contexts: s.contexts != nil}, false)
		now, _ = s.recording.Measured()
		at, ok = time.Now(), true
	})
	return now, at, ok
}

// finish ends the recording.
func (s *Session) finish(complete bool, reason string) {
	s.describe()
	for _, o := range s.observers {
		o.Finish()
	}
	s.classes.Finish()
	if n := s.space.Early(); n > 0 && s.contexts == nil {
		s.recording.Losses("objects", "numbers of unloaded classes' sites were given again though objects may have "+
			"them, as there were no others: such objects may be said to be of another site", uint64(n))
	}
	s.recording.Finish(complete, reason)
}
