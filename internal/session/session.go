package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"mallard/internal/instrument"
	"mallard/internal/jvm"
	"mallard/internal/payload"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// minimumFeature is the oldest JDK whose HotSpot Mallard knows.
const minimumFeature = 17

// snapshotEvery is how much a killed recorder may lose. (A killed JVM loses nothing: its counters outlive it.)
const snapshotEvery = time.Second

// Session is one JVM and its recording.
type Session struct {
	options Options
	log     *slog.Logger
	conn    *wire.Conn
	facts   instrument.Facts
	runtime []byte // the runtime class for this JVM
	pid     int

	mu      sync.Mutex // guards all below
	file    *os.File
	writer  *trace.Writer
	pages   *pages
	started time.Time
	ended   bool
	failed  error // the first error of the recording

	nextClass   trace.ClassID
	nextSite    trace.SiteID
	nextCounter trace.CounterID
	nextThread  trace.ThreadID
	threads     map[uint32]*thread // by page
	classes     map[classKey]*classVersion
	seen        trace.Seen
	troubles    map[string]uint64 // by kind and detail
}

// start hears who is there and opens the recording. The agent gets the error as the reason why it is not wanted.
func start(conn *wire.Conn, o Options, out *outputs, log *slog.Logger) (*Session, error) {
	hello, memory, err := conn.ReceiveHello()
	if err != nil {
		return nil, err
	}
	s := &Session{options: o, log: log, conn: conn, started: time.Now(), threads: map[uint32]*thread{}, classes: map[classKey]*classVersion{}, troubles: map[string]uint64{}}
	if err := s.open(hello, memory, out); err != nil {
		memory.Close()
		conn.Answer(wire.Refuse, []byte(err.Error()))
		return nil, err
	}
	return s, conn.Answer(wire.OK, nil)
}

func (s *Session) open(hello wire.Frame, file *os.File, out *outputs) error {
	p := wire.NewPayload(hello.Payload)
	version := p.Uint32()
	s.pid = int(p.Uint32())
	s.facts.Feature = int(p.Uint32())
	memory, count := p.Uint64(), p.Uint32()
	s.facts.Pages = instrument.Pages{States: memory, Count: count, First: memory + wire.PagesOffset, Bytes: wire.PageBytes,
		Primordial: memory + wire.PagesOffset + wire.PrimordialPage*wire.PageBytes}
	for i := range s.facts.ArrayBase {
		s.facts.ArrayBase[i] = p.Uint32()
	}
	s.facts.Reference, s.facts.Alignment = p.Uint32(), p.Uint32()
	collector, vmName, vmVersion := p.String(), p.String(), p.String()
	if version != wire.Version || p.Err() != nil {
		return fmt.Errorf("the agent speaks version %d of the protocol, this mallard %d; use the library that `mallard agentpath` prints", version, wire.Version)
	}
	if s.facts.Feature < minimumFeature {
		return fmt.Errorf("this JVM is version %d and Mallard needs %d or newer", s.facts.Feature, minimumFeature)
	}
	if collector == "" {
		return fmt.Errorf("this JVM (%s) is not HotSpot, the VM of OpenJDK, and Mallard needs that", vmName)
	}
	class, err := payload.Runtime()
	if err != nil {
		return err
	}
	if s.runtime, err = instrument.Runtime(class, s.facts); err != nil {
		return err
	}
	if s.pages, err = newPages(file, count); err != nil {
		return err
	}
	if s.file, err = out.open(s.pid, s.started); err != nil {
		return err
	}
	s.writer = trace.NewWriter(s.file)
	track := s.options.Track
	if len(track) == 0 {
		track = []string{"sites"}
	}
	s.write(&trace.Process{MallardVersion: s.options.Version, PID: int64(s.pid), JVMVersion: vmVersion, JVMName: vmName, GC: collector, Command: commandLine(s.pid),
		Started: s.started.UnixNano(), Track: track, Placement: s.options.Placement.String(), Arch: runtime.GOARCH,
		ArrayBase: [4]uint32(s.facts.ArrayBase[:4]), RefBytes: uint8(s.facts.Reference), ObjectAlignment: s.facts.Alignment})
	return s.flush()
}

// commandLine reads a process's arguments, without the one that brought the agent in; nil if the process does not say.
func commandLine(pid int) []string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || len(b) == 0 {
		return nil
	}
	arguments := strings.Split(string(bytes.TrimSuffix(b, []byte{0})), "\x00")
	return slices.DeleteFunc(arguments, jvm.IsAgent)
}

// run converses until the agent has gone. Then the recording is whole.
func (s *Session) run() {
	stop := make(chan struct{})
	var snapshots sync.WaitGroup
	snapshots.Go(func() { s.snapshots(stop) })
	err := s.converse()
	close(stop)
	snapshots.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.snapshot(true) // of memory that nobody counts in any more: exact up to live frames
		reason := "the JVM was killed"
		if err != nil && !errors.Is(err, io.EOF) {
			reason = err.Error()
		}
		s.finish(false, reason)
	}
	s.pages.close()
	s.conn.Close()
	if err := s.file.Close(); err != nil && s.failed == nil {
		s.failed = err
	}
}

func (s *Session) snapshots(stop <-chan struct{}) {
	tick := time.NewTicker(snapshotEvery)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			s.mu.Lock()
			if !s.ended {
				s.snapshot(false)
				s.flush()
			}
			s.mu.Unlock()
		}
	}
}

// converse answers the agent. The error is io.EOF where it has gone.
func (s *Session) converse() error {
	for {
		f, err := s.conn.Receive()
		if err != nil {
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
	case wire.Loader:
		return s.loader(p)
	case wire.ClassSizes:
		return s.sizes(p)
	case wire.Runtime:
		return s.conn.Answer(wire.OK, s.runtime)
	case wire.Thread, wire.ThreadEnd:
		page, flags, name := p.Uint32(), p.Uint32(), p.String()
		if p.Err() != nil {
			return p.Err()
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if t == wire.Thread {
			s.announce(page, flags, name)
		} else {
			s.endThread(page, flags, name)
		}
		return nil
	case wire.Death:
		if err := s.death(p); err != nil {
			return err
		}
		return s.conn.Answer(wire.OK, nil)
	case wire.Trouble:
		kind, count, detail := p.String(), p.Uint64(), p.String()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.write(&trace.Loss{Kind: kind, Count: count, Detail: detail})
		return p.Err()
	}
	return errors.New("unexpected frame")
}

func (s *Session) elapsed() int64 { return int64(time.Since(s.started)) }

// write puts a record into the recording. What it cannot write it notes; the writer goes on when there is room again.
func (s *Session) write(r trace.Record) {
	if err := s.writer.Write(r); err != nil && s.failed == nil {
		s.failed = err
	}
}

func (s *Session) flush() error {
	err := s.writer.Flush()
	if err != nil && s.failed == nil {
		s.failed = err
	}
	return err
}

// trouble notes a loss, to be written at the end with how often it happened.
func (s *Session) trouble(kind, detail string) { s.troubles[kind+"\x00"+detail]++ }

// finish ends the recording.
func (s *Session) finish(complete bool, reason string) {
	for key, n := range s.troubles {
		kind, detail, _ := strings.Cut(key, "\x00")
		s.write(&trace.Loss{Kind: kind, Count: n, Detail: detail})
	}
	s.write(&s.seen)
	s.write(&trace.End{Nanos: s.elapsed(), Complete: complete, ExitReason: reason})
	s.flush()
	s.ended = true
}
