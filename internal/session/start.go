package session

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
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

// OpenOutput gives the file for the recording of a process that started at some time.
type OpenOutput func(pid int, started time.Time) (*os.File, error)

// Start opens the recording of a JVM, in the file that open gives. The agent gets the error as the reason why it is not
// wanted.
func Start(conn *transport.Conn, h *Hello, o Options, open OpenOutput, log *slog.Logger) (*Session, error) {
	s := &Session{options: o, log: log, conn: conn, pid: h.pid, detaching: newDetaching(),
		parameters: methodParameters{}}
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
	s.facts.Attached = s.options.Attached
	if s.memory, err = counters.OpenMemory(h.files.Memory, h.blocks, h.blockBytes); err != nil {
		return err
	}
	if s.file, err = open(s.pid, started); err != nil {
		return err
	}
	s.recording = recording.New(s.file, started, s.log, s.options.Fault)
	if s.options.Keep > 0 {
		s.recording.Keep(s.file, s.options.Keep)
	}
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
	space, err := s.newSpace(h)
	if err != nil {
		return err
	}
	totals := &counters.Totals{}
	s.detaching.counters = space.End
	s.events = &eventRings{recording: s.recording}
	s.threads = counters.NewThreads(s.memory, space, totals, s.recording)
	s.counting = counters.NewLoop(s.log, s.panicked)
	tags := &counters.Tags{}
	host := s.host(h)
	host.Space, host.Tags, s.space = space, tags, space
	if s.observers, err = s.options.Observers.Open(host); err != nil {
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
			space.Restrict(space.Limit() / 2)
		}
		if c, ok := o.(observe.Controller); ok {
			s.controller = c
		}
		if c, ok := o.(observe.Untagger); ok {
			s.untagger = c
		}
		if c, ok := o.(observe.Watcher); ok && c.Watches() {
			s.watcher = c
		}
	}
	if s.options.FewTags && s.contexts == nil { // or else they have tags of their own
		space.Restrict(fewTags)
	}
	if s.watcher != nil && (s.controller != nil || h.files.Control == nil) {
		s.recording.Loss("replicas", "nothing was sampled: the agent's thread, which changes classes for it, has "+
			"other work (--on-snapshot)")
	}
	s.events.open(h.files.Events, s.observers)
	h.files.Events.Close()
	if err := s.openControl(h); err != nil {
		return err
	}
	code.Adapts = s.options.adapts() && s.control != nil && s.controller == nil
	s.cache = s.options.openCache(s.log)
	s.classes = classes.New(code, s.memory, space, totals, s.cache, s.recording, s.log)
	var asked instrument.Options
	if s.code(0, &asked); asked.Tags {
		if s.contexts != nil { // they have tags of their own; records tell of numbers by class for a while longer
			tags = &counters.Tags{}
		}
		space.Hold(tags)
	}
	s.defined, err = Runtime(s.runtime, s.facts)
	return err
}

// fewTags is how many there are for tests.
const fewTags = 45_000

// newSpace has the numbers of counters.
func (s *Session) newSpace(h *Hello) (space *counters.Space, err error) {
	if s.options.FewTags {
		err = s.memory.PutWords(abi.OverflowBlock,
			[]counters.Word{{Number: abi.WordTags, Value: abi.TagNone - fewTags}})
	}
	space = counters.NewSpace(h.blockBytes / 8)
	space.Begin(trace.CounterID(h.firstCounter))
	return space, err
}

// openControl takes over the control channel.
func (s *Session) openControl(h *Hello) (err error) {
	if h.files.Control != nil {
		s.control, err = transport.NewConnFile(h.files.Control)
	}
	return err
}

// host is what observers have of the session.
func (s *Session) host(h *Hello) *observe.Host {
	return &observe.Host{
		Recording: s.recording, Memory: s.memory, Threads: s.threads, Counting: s.counting, Log: s.log,
		Classes:       func() *classes.Table { return s.classes },
		Collector:     h.collector,
		MemoryAddress: h.memoryAddress, Arena: h.arena, Launched: s.options.Launched, Kept: s.options.Keep > 0,
		Poll:     func() { s.readMessages() }, // an error comes up again in converse
		Snapshot: func() { s.snapshot(&trace.Mark{}, false) },
		Measure:  s.measure, Say: s.options.Say, Fault: s.fault,
		KeepEvents: s.events.keep,
	}
}

// code says what observers need of the code of a loader's classes.
func (s *Session) code(loader trace.LoaderID, o *instrument.Options) {
	o.Attached = s.options.Attached
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

// commandLine reads a process's arguments, without those that brought the agent in; nil if the process does not say.
func commandLine(pid int) []string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || len(b) == 0 {
		return nil
	}
	arguments := strings.Split(string(bytes.TrimSuffix(b, []byte{0})), "\x00")
	return jvm.WithoutAgent(arguments)
}

// welcome is the answer to the agent's first frame.
func (s *Session) welcome() []byte {
	answer := s.cache.Answer()
	answer.Runtime, s.defined = s.defined, nil
	answerWithin, exitWithin := s.options.waits()
	answer.AnswerWithin, answer.ExitWithin = uint64(answerWithin), uint64(exitWithin)
	answer.Events, answer.Clock = s.events.kinds, uint64(s.events.clock)
	for _, o := range s.observers {
		answer.Flags |= o.Flags()
		if o, greets := o.(observe.Greeter); greets {
			o.Greet(&answer)
		}
	}
	if s.options.Command != nil {
		answer.Flags |= abi.Commands
	}
	if s.control != nil && s.controller == nil {
		answer.Flags |= abi.Adapting
	}
	return answer.Encode()
}
