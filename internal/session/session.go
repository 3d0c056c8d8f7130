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
	"slices"
	"strings"
	"sync"
	"time"

	"mallard/internal/instrument"
	"mallard/internal/jvm"
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
	plain   plainMethods      // of classes whose methods have contexts
	known   *knownClasses     // nil without
	pid     int
	started time.Time

	// For the goroutine that converses alone.
	facts      instrument.Facts
	startBytes uint64 // that the JVM allocated before the first bytecode ran
	hidden     int    // hidden classes with counters
	places     int    // at which the JVM makes objects by itself

	told    told       // by a class of the user's; for the goroutine that answers its thread
	reading sync.Mutex // one reader of the message ring at a time; locked before mu

	mu        sync.Mutex // guards all below
	file      *os.File
	recording *recording.Recording
	blocks    *blocks
	contexts  *contexts // nil where none are recorded
	ended     bool
	cutOff    bool  // by the user, while the JVM runs on
	failed    error // what kept the recording from being whole, when it is closed

	nextClass      trace.ClassID
	nextSite       trace.SiteID
	nextThread     trace.ThreadID
	threads        map[uint32]*thread // by block
	gone           map[uint32]*thread // the last that had a block and has ended
	startThread    bool               // the thread that started the JVM has been told what that allocated
	ownBytes       uint64             // that the runtime classes allocated
	endedBytes     uint64             // that the JVM says ended threads allocated
	endedBytecodes uint64             // bytecodes that ended threads executed in classes of the program
	classes        map[classKey]*class
	loaded         map[trace.LoaderID][]loadedClass
	jdkLoaders     map[trace.LoaderID]bool // see jdkLoader
	counters       counterSpace
	totals         []total           // by counter
	notZero        []trace.CounterID // by the last thread that was looked at; its memory is used again
	seen           trace.Seen
	adapted        trace.Adaptation
}

// Start opens the recording of a JVM, in the file that open gives. The agent gets the error as the reason why it is not
// wanted.
func Start(conn *wire.Conn, h *Hello, o Options, open OpenOutput, log *slog.Logger) (*Session, error) {
	o.Bytecodes = o.Bytecodes || o.Snapshots.Bytecodes > 0
	s := &Session{options: o, log: log, conn: conn, pid: h.pid, started: time.Now(), threads: map[uint32]*thread{}, gone: map[uint32]*thread{}, classes: map[classKey]*class{}, counters: counterSpace{end: wire.FirstCounter}, loaded: map[trace.LoaderID][]loadedClass{}, jdkLoaders: map[trace.LoaderID]bool{}}
	if err := s.open(h, open); err != nil {
		h.Refuse(conn, err)
		return nil, err
	}
	conn.Answer(wire.OK, s.welcome()) // an agent that has gone meanwhile is missed in run
	return s, nil
}

// OpenOutput gives the file for the recording of a process that started at some time.
type OpenOutput func(pid int, started time.Time) (*os.File, error)

func (s *Session) open(h *Hello, open OpenOutput) error {
	var err error
	if s.runtime, err = payload.Runtime(); err != nil {
		return err
	}
	s.facts = h.facts
	if s.blocks, err = newBlocks(h.memory, h.blocks, h.blockBytes); err != nil {
		return err
	}
	s.counters.limit = h.blockBytes / 8
	if s.options.tracks(ContextsObserver) {
		if s.contexts, err = openContexts(s.blocks, h.arena, s.options.contextBytes(), s.options.contextShape()); err != nil {
			return err
		}
		s.counters.limit /= 2
		s.facts.Contexts = s.contexts.facts(h.memoryAddress)
	}
	if _, err = instrument.Runtime(s.runtime, s.facts); err != nil {
		return err
	}
	s.facts.Bytecodes, s.facts.Every = s.options.Bytecodes, s.options.Snapshots.Bytecodes
	if s.file, err = open(s.pid, s.started); err != nil {
		return err
	}
	if err := s.openControl(h); err != nil {
		return err
	}
	if s.known = openClasses(s.options, s.contexts.kind(), s.log); s.known.address() != nil {
		s.reserve()
	}
	s.recording = recording.New(s.file, s.started, s.log)
	if s.options.OnSnapshot != "" {
		s.recording.Measure()
		s.told.until = s.started
	}
	track := s.options.Track
	if len(track) == 0 {
		track = Observers[:1]
	}
	if s.options.Bytecodes {
		track = append(slices.Clone(track), BytecodesObserver)
	}
	if s.contexts.kind() == instrument.Hashed {
		track = append(slices.Clone(track), hashedContexts)
	}
	s.recording.Put(&trace.Process{MallardVersion: s.options.Version, PID: int64(s.pid), JVMVersion: h.version, JVMName: h.vmName, GC: h.collector, Command: commandLine(s.pid),
		Started: s.started.UnixNano(), Track: track, Placement: s.options.Placement.String(), Arch: runtime.GOARCH,
		ArrayBase: [4]uint32(h.facts.ArrayBase[:4]), RefBytes: uint8(h.facts.Reference), ObjectAlignment: h.facts.Alignment})
	s.recording.Flush() // even a full disk may have room later
	return nil
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
	return append(binary.LittleEndian.AppendUint32(nil, flags), s.known.address()...)
}

// openControl makes ready to adapt, if that is wanted and can be of use: other strategies than the optimal one take no notice of frequencies.
func (s *Session) openControl(h *Hello) (err error) {
	adapts := !s.options.NoAdapt && s.contexts == nil && !s.options.Bytecodes && s.options.Placement == placement.Optimal
	if h.control != nil && !adapts && s.options.OnSnapshot == "" {
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

// Run converses until the agent has gone. Then the recording is whole.
func (s *Session) Run() {
	stop := make(chan struct{})
	var snapshots sync.WaitGroup
	snapshots.Go(func() { s.snapshots(stop) })
	snapshots.Go(func() { s.pollMessages(stop) })
	switch {
	case s.control == nil:
	case s.options.OnSnapshot != "":
		snapshots.Go(func() { s.callBack(stop) })
	default:
		snapshots.Go(func() { s.adapt(stop) })
	}
	if s.contexts.kind() == instrument.Encoded {
		snapshots.Go(func() { s.encode(stop) })
	}
	err := s.converse()
	close(stop)
	if s.control != nil {
		s.control.Shutdown()
	}
	snapshots.Wait()
	if _, e := s.readMessages(); e != nil && (err == nil || errors.Is(err, io.EOF)) {
		err = e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.snapshot(true, 0) // of memory that nobody counts in any more: exact up to live frames
		reason := "the JVM was killed"
		switch {
		case s.cutOff:
			reason = "the recording was ended, the JVM ran on"
		case err != nil && !errors.Is(err, io.EOF):
			reason = err.Error()
		}
		s.finish(false, reason)
	}
	s.contexts.close()
	s.blocks.close()
	s.conn.Close()
	if s.control != nil {
		s.control.Close()
	}
	s.failed = errors.Join(s.recording.Close(), s.file.Close())
	s.known.close()
}

// PID is the JVM's process.
func (s *Session) PID() int { return s.pid }

// Cut ends the recording of a JVM that runs on.
func (s *Session) Cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cutOff = true
	s.conn.Shutdown()
}

// converse answers the agent. The error is io.EOF where it has gone. Our own mistakes end the conversation, and the program runs on.
func (s *Session) converse() (err error) {
	defer func() {
		if e := recover(); e != nil {
			s.log.Debug("session panicked", "error", e, "stack", string(debug.Stack()))
			err = fmt.Errorf("internal error: %v", e)
		}
	}()
	for {
		f, err := s.conn.Receive()
		if err != nil {
			return err
		}
		if _, err := s.readMessages(); err != nil {
			return err
		}
		if err := s.handle(f.Type, wire.NewPayload(f.Payload)); err != nil {
			return fmt.Errorf("%v: %w", f.Type, err)
		}
	}
}

func (s *Session) handle(t wire.Type, p *wire.Payload) error {
	switch t {
	case wire.Class:
		return s.class(p)
	case wire.LoadersGone:
		return s.unload(p)
	case wire.Resolve:
		return s.resolve(p)
	case wire.Snapshot:
		return s.executed(p)
	case wire.CodeLocation:
		return s.place(p)
	case wire.Transaction:
		return s.transaction(p)
	case wire.Mirror:
		return s.mirror(p)
	case wire.RingFull:
		return s.conn.Answer(wire.OK, nil)
	case wire.Runtime:
		s.startBytes = p.Uint64()
		s.facts.Klass, s.facts.Layout, s.facts.Virtual = p.Uint32(), p.Uint32(), p.Uint32()
		if p.Err() != nil {
			return p.Err()
		}
		classes, err := instrument.Runtime(s.runtime, s.facts)
		if err != nil {
			return err
		}
		return s.conn.Answer(wire.OK, wire.Blocks(classes))
	case wire.Thread, wire.ThreadEnd:
		block, flags, name := p.Uint32(), p.Uint32(), p.String()
		var allocated uint64
		if t == wire.ThreadEnd {
			allocated = p.Uint64()
		}
		if p.Err() != nil {
			return p.Err()
		}
		if err := s.blocks.check(block); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if t == wire.Thread {
			s.announce(block, flags, name)
		} else {
			s.endThread(block, flags, name, allocated)
		}
		return nil
	case wire.Death:
		if err := s.death(p); err != nil {
			return err
		}
		var words string
		if s.options.Say == nil {
			words = s.agentsWords()
		}
		return s.conn.Answer(wire.OK, []byte(words))
	case wire.Loss:
		kind, count, detail := p.String(), p.Uint64(), p.String()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.recording.Put(&trace.Loss{Kind: kind, Count: count, Detail: detail})
		return p.Err()
	}
	return errors.New("unexpected frame")
}
