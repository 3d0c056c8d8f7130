package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/jvm"
	"mallard/internal/observe"
	"mallard/internal/payload"
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
	classes   *classes.Table
	cache     *classes.Cache // nil without
	counting  *counters.Loop // the goroutine that reads counters
	reading   sync.Mutex     // one reader of the message ring at a time
	unread    error          // why nobody reads it any more; under reading

	observers  []observe.Observer
	handlers   map[abi.Type]observe.Observer
	contexts   observe.Contexts    // nil where none are recorded
	controller observe.Controller  // nil where the control channel is for adaptation
	events     *eventRings         // nil where nobody wants any
	kept       []*recording.Events // for the goroutine that reads the rings

	facts   instrument.Facts // for the goroutine that converses
	process *trace.Process   // the same, and after it the counting goroutine; nil once it is recorded
	cutOff  atomic.Bool      // by the user, while the JVM runs on
	failed  error            // what kept the recording from being whole, when it is closed

	threads   *counters.Threads // for the counting goroutine
	lastTaken bool              // the same: the VM has ended, and there are no snapshots any more
}

// OpenOutput gives the file for the recording of a process that started at some time.
type OpenOutput func(pid int, started time.Time) (*os.File, error)

// Start opens the recording of a JVM, in the file that open gives. The agent gets the error as the reason why it is not
// wanted.
func Start(conn *transport.Conn, h *Hello, o Options, open OpenOutput, log *slog.Logger) (*Session, error) {
	s := &Session{options: o, log: log, conn: conn, pid: h.pid}
	if err := s.open(h, open); err != nil {
		h.Refuse(conn, err)
		return nil, err
	}
	conn.Answer(abi.OK, s.welcome()) // an agent that has gone meanwhile is missed in Run
	return s, nil
}

func (s *Session) open(h *Hello, open OpenOutput) (err error) {
	started := time.Now()
	if s.runtime, err = payload.Runtime(); err != nil {
		return err
	}
	s.facts = h.facts
	if s.memory, err = counters.OpenMemory(h.files.Memory, h.blocks, h.blockBytes); err != nil {
		return err
	}
	if s.file, err = open(s.pid, started); err != nil {
		return err
	}
	s.recording = recording.New(s.file, started, s.log, s.options.Fault)
	if err := s.openObservers(h); err != nil {
		s.recording.Finish(false, err.Error())
		return errors.Join(err, s.recording.Close(), s.file.Close())
	}
	s.process = s.processOf(h)
	s.recording.Flush() // even a full disk may have room later
	return nil
}

// openObservers makes ready what is recorded.
func (s *Session) openObservers(h *Hello) (err error) {
	space, totals := counters.NewSpace(h.blockBytes/8), &counters.Totals{}
	s.threads = counters.NewThreads(s.memory, space, totals, s.recording)
	s.counting = counters.NewLoop(s.log, s.panicked)
	if s.observers, err = s.options.Observers.Open(s.host(h)); err != nil {
		return err
	}
	s.handlers = map[abi.Type]observe.Observer{}
	code := classes.Options{Placement: s.options.Placement, AdaptSoon: s.options.AdaptSoon,
		KeepClass: s.options.KeepClass, Code: s.code}
	for _, o := range s.observers {
		o.Facts(&s.facts)
		for _, t := range o.Messages() {
			s.handlers[t] = o
		}
		if c, ok := o.(observe.Contexts); ok {
			s.contexts, code.Contexts = c, c
			s.threads.Extensions = append(s.threads.Extensions, c)
			space.Halve()
		}
		if c, ok := o.(observe.Controller); ok {
			s.controller = c
		}
	}
	s.openEvents(h)
	h.files.Events.Close()
	if err := s.openControl(h); err != nil {
		return err
	}
	code.Adapts = s.options.adapts() && s.control != nil && s.controller == nil
	if variant, ok := s.options.cacheVariant(); ok {
		s.cache = classes.OpenCache(variant, s.log)
	}
	s.classes = classes.New(code, s.memory, space, totals, s.cache, s.recording, s.log)
	s.defined, err = Runtime(s.runtime, s.facts)
	return err
}

// host is what observers have of the session.
func (s *Session) host(h *Hello) *observe.Host {
	return &observe.Host{
		Recording: s.recording, Memory: s.memory, Threads: s.threads, Counting: s.counting, Log: s.log,
		Classes:       func() *classes.Table { return s.classes },
		MemoryAddress: h.memoryAddress, Arena: h.arena, Launched: s.options.Launched,
		Poll:     func() { s.readMessages() }, // an error comes up again in converse
		Snapshot: func() { s.snapshot(&trace.Mark{}, false) },
		Measure:  s.measure, Say: s.options.Say, Fault: s.fault,
		KeepEvents: s.keepEvents,
	}
}

// code says what observers need of the code of a loader's classes.
func (s *Session) code(loader trace.LoaderID, o *instrument.Options) {
	for _, observer := range s.observers {
		observer.Code(loader, o)
	}
}

// processOf is the first record, without what only the JVM's heap shows.
func (s *Session) processOf(h *Hello) *trace.Process {
	return &trace.Process{
		MallardVersion: s.options.Version, PID: int64(s.pid), JVMVersion: h.version, JVMName: h.vmName, GC: h.collector,
		Command: commandLine(s.pid),
		Started: s.recording.Started().UnixNano(), Track: s.options.Observers.Recorded(),
		Placement: s.options.Placement.String(), Arch: runtime.GOARCH,
	}
}

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

// welcome is the answer to the agent's first frame.
func (s *Session) welcome() []byte {
	answer := s.cache.Answer()
	answer.Runtime, s.defined = s.defined, nil
	answer.AnswerWithin = uint64(s.options.AnswerWithin)
	if s.events != nil {
		answer.Events, answer.Clock = s.events.kinds, uint64(s.events.clock)
	}
	for _, o := range s.observers {
		answer.Flags |= o.Flags()
	}
	if s.options.Command != nil {
		answer.Flags |= abi.Commands
	}
	if s.control != nil && s.controller == nil {
		answer.Flags |= abi.Adapting
	}
	return answer.Encode()
}

// openControl takes over the control channel.
func (s *Session) openControl(h *Hello) (err error) {
	if h.files.Control != nil {
		s.control, err = transport.NewConnFile(h.files.Control)
	}
	return err
}

// commandLine reads a process's arguments, without those that brought the agent in; nil if the process does not say.
func commandLine(pid int) []string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || len(b) == 0 {
		return nil
	}
	arguments := strings.Split(string(bytes.TrimSuffix(b, []byte{0})), "\x00")
	return jvm.WithoutAgent(arguments)
}

// PID is the JVM's process.
func (s *Session) PID() int { return s.pid }

// Run converses until the agent has gone. Then the recording is whole.
func (s *Session) Run() {
	stop, stopCounting := make(chan struct{}), make(chan struct{})
	var counting, others sync.WaitGroup
	counting.Go(func() { s.counting.Run(stopCounting) })
	others.Go(s.guarded("messages", func() { s.pollMessages(stop) }))
	for _, o := range s.observers {
		others.Go(s.guarded(fmt.Sprintf("%T", o), func() { o.Run(stop) }))
	}
	if s.events != nil {
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
	close(stop)
	if s.control != nil {
		s.control.Shutdown()
	}
	s.lastEvents()
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
func (s *Session) fault(where string) {
	if s.options.Fault != nil {
		s.options.Fault(where)
	}
}

// reason says why a conversation has ended.
func (s *Session) reason(err error) string {
	switch {
	case s.cutOff.Load():
		return "the recording was ended, the JVM ran on"
	case err != nil && !errors.Is(err, io.EOF):
		return err.Error()
	}
	return "the JVM was killed"
}

// end takes the last snapshot where the JVM has not ended by itself: of memory that nobody counts in any more, so it is
// exact up to live frames.
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

// Cut ends the recording of a JVM that runs on.
func (s *Session) Cut() {
	s.cutOff.Store(true)
	s.conn.Shutdown()
}
