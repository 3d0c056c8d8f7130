package snapshots

import "time"

// Settings are how often snapshots are taken, and who is told.
type Settings struct {
	every Interval
	class string // that is called in the JVM, "" for none
}

// Time is how far apart snapshots are wanted; 0 if that was not said.
func (s *Settings) Time() time.Duration { return s.every.Time }

// byBytecodes reports whether snapshots are taken every so many bytecodes.
func (s *Settings) byBytecodes() bool { return s.every.Bytecodes > 0 }
