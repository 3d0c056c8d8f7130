package session

import (
	"time"

	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/recording"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// Session is one JVM and its recording.
type Session struct {
	options Options
	log     *slog.Logger
	conn    *transport.Conn
	control *transport.Conn          // with the thread of the agent that does what is wanted; nil if nothing is
	runtime map[string][]byte        // the runtime classes, as they were compiled
	defined []transport.RuntimeClass // the same, as the agent defines them; nil once it has them
	pid     int

	file      *os.File
	recording *recording.Recording
	memory    *counters.Memory
	space     *counters.Space
	classes   *classes.Table
	cache     *classes.Cache // nil without
	counting  *counters.Loop // the goroutine that reads counters
	reading   sync.Mutex     // one reader of the message ring at a time
	ringError error          // why nobody reads it any more; under reading

	observers  []observe.Observer
	handlers   map[abi.Type]observe.Observer
	contexts   observe.Contexts   // nil where none are recorded
	controller observe.Controller // nil where the control channel is for adaptation
	watcher    observe.Watcher    // nil where no objects are watched
	decideNext time.Time          // where some are: when it is decided again about placement
	said       bool               // to the agent at last, that classes tell what they read; adapt's
	untagger   observe.Untagger   // nil where no objects are tagged
	events     *eventRings

	facts      instrument.Facts // for the goroutine that converses
	parameters methodParameters // the same
	process    *trace.Process   // the same, and after it the counting goroutine; nil once it is recorded
	ended      atomic.Bool      // by the user, while the JVM runs on
	detaching  detaching
	failed     error // what kept the recording from being whole, when it is closed

	threads   *counters.Threads // for the counting goroutine
	lastTaken bool              // the same: the VM has ended, and there are no snapshots any more
}

// PID is the JVM's process.
func (s *Session) PID() int { return s.pid }

// describe records the process, once: when its arrays are known, or at the end if it has not lived that long.
func (s *Session) describe() {
	if s.process == nil {
		return
	}
	s.process.ArrayBase = [4]uint32(s.facts.ArrayBase[:4])
	s.process.RefBytes, s.process.ObjectAlignment = uint8(s.facts.Reference), s.facts.Alignment
	s.recording.Begin(s.process)
	s.process = nil
}

// guarded is f as a goroutine, which a mistake of ours ends, and nothing else.
func (s *Session) guarded(name string, f func()) func() {
	return func() {
		defer func() {
			if e := recover(); e != nil {
				s.log.Debug(name+" panicked", "error", e, "stack", string(debug.Stack()))
				s.panicked(e)
			}
		}()
		s.fault(name)
		f()
	}
}

// panicked notes a mistake of ours.
func (s *Session) panicked(e any) {
	s.recording.Loss("internal", fmt.Sprintf("an error of Mallard's own: %v", e))
}

// fault lets a test break things.
func (s *Session) fault(point string) {
	if s.options.Fault != nil {
		s.options.Fault(point)
	}
}
