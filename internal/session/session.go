package session

import (
	"bytes"
	"encoding/binary"
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

	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/jvm"
	"mallard/internal/observe/contexts"
	"mallard/internal/payload"
	"mallard/internal/placement"
	"mallard/internal/recording"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// Session is one JVM and its recording.
type Session struct {
	options Options
	log     *slog.Logger
	conn    *wire.Conn
	control *wire.Conn        // with the thread of the agent that retransforms classes, or calls a class of the user's; nil if neither is wanted
	runtime map[string][]byte // the runtime classes, as they were compiled
	pid     int

	file      *os.File
	recording *recording.Recording
	memory    *counters.Memory
	classes   *classes.Table
	cache     *classes.Cache     // nil without
	contexts  *contexts.Contexts // nil where none are recorded
	counting  *counters.Loop     // the goroutine that reads counters
	reading   sync.Mutex         // one reader of the message ring at a time

	facts   instrument.Facts // for the goroutine that converses
	process *trace.Process   // the same, and after it the counting goroutine; nil once it is recorded
	told    callbackState    // for the goroutine that answers the thread that calls a class of the user's
	cutOff  atomic.Bool      // by the user, while the JVM runs on
	failed  error            // what kept the recording from being whole, when it is closed

	// For the counting goroutine.
	threads *counters.Threads
	skipped uint64 // snapshots, because the disk could not follow
}

// OpenOutput gives the file for the recording of a process that started at some time.
type OpenOutput func(pid int, started time.Time) (*os.File, error)

// Start opens the recording of a JVM, in the file that open gives. The agent gets the error as the reason why it is not
// wanted.
func Start(conn *wire.Conn, h *Hello, o Options, open OpenOutput, log *slog.Logger) (*Session, error) {
	o.Bytecodes = o.Bytecodes || o.Snapshots.Bytecodes > 0
	s := &Session{options: o, log: log, conn: conn, pid: h.pid}
	if err := s.open(h, open); err != nil {
		h.Refuse(conn, err)
		return nil, err
	}
	conn.Answer(wire.OK, s.welcome()) // an agent that has gone meanwhile is missed in Run
	return s, nil
}

func (s *Session) open(h *Hello, open OpenOutput) (err error) {
	started := time.Now()
	if s.runtime, err = payload.Runtime(); err != nil {
		return err
	}
	s.facts = h.facts
	if s.memory, err = counters.OpenMemory(h.memory, h.blocks, h.blockBytes); err != nil {
		return err
	}
	if _, err = instrument.Runtime(s.runtime, s.facts); err != nil {
		return err
	}
	if err := s.openControl(h); err != nil {
		return err
	}
	if s.file, err = open(s.pid, started); err != nil {
		return err
	}
	s.recording = recording.New(s.file, started, s.log)
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
	limit := h.blockBytes / 8
	code := classes.Options{
		Placement: s.options.Placement, Adapts: s.adapts(), AdaptSoon: s.options.AdaptSoon, KeepClass: s.options.KeepClass, Code: s.code,
	}
	if s.options.tracks(ContextsObserver) {
		o := contexts.Options{Representation: s.options.representation(), Memory: s.options.contextBytes(), Every: s.options.Snapshots.Time}
		if s.contexts, err = contexts.Open(o, s.memory, h.arena, s.recording, s.log); err != nil {
			return err
		}
		limit /= 2
		s.facts.Contexts = s.contexts.Facts(h.memoryAddress)
		code.Contexts = s.contexts
	}
	s.facts.Bytecodes, s.facts.Every = s.options.Bytecodes, s.options.Snapshots.Bytecodes
	space, totals := counters.NewSpace(limit), &counters.Totals{}
	if variant, ok := s.options.cacheVariant(); ok {
		s.cache = classes.OpenCache(variant, s.contexts != nil, s.log)
	}
	s.classes = classes.New(code, s.memory, space, totals, s.cache, s.recording, s.log)
	s.threads = counters.NewThreads(s.memory, space, totals, s.recording)
	if s.contexts != nil {
		s.threads.Extensions = append(s.threads.Extensions, s.contexts)
	}
	s.counting = counters.NewLoop(s.log, s.panicked)
	if s.options.OnSnapshot != "" {
		s.recording.Measure()
		s.told.until = s.recording.Started()
	}
	return nil
}

// code says what observers need of the code of a loader's classes.
func (s *Session) code(loader trace.LoaderID, o *instrument.Options) {
	if s.contexts != nil {
		o.Contexts, o.Huge = s.options.representation(), s.options.HugeMethods
	}
	o.Constructors = s.options.tracks(ConstructorsObserver)
	o.Bytecodes = s.options.Bytecodes
	o.Steps = s.byBytecodes() && s.classes.OfProgram(loader)
}

// processOf is the first record, without what only the JVM's heap shows.
func (s *Session) processOf(h *Hello) *trace.Process {
	return &trace.Process{
		MallardVersion: s.options.Version, PID: int64(s.pid), JVMVersion: h.version, JVMName: h.vmName, GC: h.collector, Command: commandLine(s.pid),
		Started: s.recording.Started().UnixNano(), Track: s.options.recorded(), Placement: s.options.Placement.String(), Arch: runtime.GOARCH,
	}
}

// describe records the process, once: when its arrays are known, or at the end if it has not lived that long.
func (s *Session) describe() {
	if s.process == nil {
		return
	}
	s.process.ArrayBase = [4]uint32(s.facts.ArrayBase[:4])
	s.process.RefBytes, s.process.ObjectAlignment = uint8(s.facts.Reference), s.facts.Alignment
	s.recording.Put(s.process)
	s.process = nil
}

// welcome is the answer to the agent's first frame.
func (s *Session) welcome() []byte {
	flags := uint32(0)
	if s.control != nil {
		flags = wire.Adapting
	}
	if s.options.OnSnapshot != "" && s.control != nil {
		flags = wire.SnapshotCallback
	}
	if s.contexts != nil {
		flags |= wire.Contexts
	}
	if s.byBytecodes() {
		flags |= wire.BytecodeSnapshots
	}
	if s.options.JNI {
		flags |= wire.Natives
	}
	return append(binary.LittleEndian.AppendUint32(nil, flags), s.cache.Address()...)
}

// adapts reports whether counters are to be placed again. It can be of no use where contexts are tracked, and for other
// strategies than the optimal one, which take no notice of frequencies.
func (s *Session) adapts() bool {
	o := &s.options
	return s.control != nil && o.OnSnapshot == ""
}

// openControl takes over the control channel if it is of use.
func (s *Session) openControl(h *Hello) (err error) {
	o := &s.options
	adapts := !o.NoAdapt && !o.tracks(ContextsObserver) && !o.Bytecodes && o.Placement == placement.Optimal
	if h.control != nil && !adapts && o.OnSnapshot == "" {
		h.control.Close()
		h.control = nil
	}
	if h.control != nil {
		s.control, err = wire.NewConnFile(h.control)
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
	others.Go(s.guarded("snapshots", func() { s.snapshots(stop) }))
	others.Go(s.guarded("messages", func() { s.pollMessages(stop) }))
	switch {
	case s.control == nil:
	case s.options.OnSnapshot != "":
		others.Go(s.guarded("callbacks", func() { s.callBack(stop) }))
	default:
		others.Go(s.guarded("adaptation", func() { s.adapt(stop) }))
	}
	if s.contexts != nil {
		others.Go(s.guarded("contexts", func() { s.contexts.Run(stop) }))
	}
	err := s.converse()
	close(stop)
	if s.control != nil {
		s.control.Shutdown()
	}
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
		s.snapshot(true, 0)
		s.finish(false, reason)
	}
}

// close gives back what the session had.
func (s *Session) close() {
	s.failed = errors.Join(s.recording.Close(), s.file.Close())
	s.cache.Close()
	if s.contexts != nil {
		s.contexts.Close()
	}
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
