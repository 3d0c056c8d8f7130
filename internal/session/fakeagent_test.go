package session_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/observe/registry"
	"mallard/internal/placement"
	"mallard/internal/profile"
	"mallard/internal/session"
	"mallard/internal/transport"
)

// blocks is how many counter blocks a fake agent has.
const blocks = 4

// A fakeAgent is an agent without a JVM: a test says what it sends and what threads have counted.
type fakeAgent struct {
	t      *testing.T
	socket *os.File
	memory *os.File
	file   string // of the recording
	done   chan struct{}
}

// hello is what a healthy agent says first.
func hello() transport.Hello {
	return transport.Hello{
		Version: abi.Version, Feature: 17, Memory: 1 << 40, Blocks: blocks,
		BlockBytes: abi.SmallBlockBytes, Shared: 1 << 40, Collector: "G1", VMName: "Fake", VMVersion: "17",
	}
}

// frame is a message as it is sent.
func frame(kind abi.Type, payload []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(kind))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	return append(b, payload...)
}

// newAgent connects an agent to a session, which runs until the agent closes its socket or a message ends it. The first
// bytes carry the memory. The error is why the session did not begin.
func newAgent(t *testing.T, first []byte) (*fakeAgent, error) {
	t.Helper()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must(t, err)
	must(t, unix.SetsockoptTimeval(ends[0], unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 20})) // no answer
	memory, err := unix.MemfdCreate("memory", unix.MFD_CLOEXEC)
	must(t, err)
	must(t, unix.Ftruncate(memory, abi.BlocksOffset+blocks*abi.SmallBlockBytes))
	a := &fakeAgent{
		t: t, socket: os.NewFile(uintptr(ends[0]), "agent"), memory: os.NewFile(uintptr(memory), "memory"),
		file: filepath.Join(t.TempDir(), "run.mallard"), done: make(chan struct{}),
	}
	t.Cleanup(func() { a.socket.Close(); a.memory.Close() })
	must(t, unix.Sendmsg(ends[0], first, unix.UnixRights(memory), nil, 0))
	conn, err := transport.NewConnFile(os.NewFile(uintptr(ends[1]), "recorder"))
	must(t, err)
	h, err := session.ReceiveHello(conn)
	if err != nil {
		conn.Close()
		return a, err
	}
	o := session.Options{Observers: registry.New(), Placement: placement.Site, NoCache: true}
	open := func(int, time.Time) (*os.File, error) { return os.Create(a.file) }
	s, err := session.Start(conn, h, o, open, slog.New(slog.DiscardHandler))
	if err != nil {
		conn.Close()
		return a, err
	}
	go func() { s.Run(); close(a.done) }()
	return a, nil
}

// begin connects a healthy agent.
func begin(t *testing.T) *fakeAgent {
	t.Helper()
	m := hello()
	a, err := newAgent(t, frame(abi.Hello, m.Encode()))
	must(t, err)
	if kind, _ := a.answer(); kind != abi.OK {
		t.Fatalf("hello is answered by %v", kind)
	}
	return a
}

// send sends bytes. Where the session has ended meanwhile they are lost, as they are for an agent.
func (a *fakeAgent) send(b []byte) {
	a.t.Helper()
	if _, err := a.socket.Write(b); err != nil && !errors.Is(err, unix.EPIPE) && !errors.Is(err, unix.ECONNRESET) {
		a.t.Fatal(err)
	}
}

// answer reads an answer.
func (a *fakeAgent) answer() (abi.Type, []byte) {
	a.t.Helper()
	header := make([]byte, abi.FrameHeaderBytes)
	_, err := io.ReadFull(a.socket, header)
	must(a.t, err)
	payload := make([]byte, binary.LittleEndian.Uint32(header[abi.FramePayload:]))
	_, err = io.ReadFull(a.socket, payload)
	must(a.t, err)
	return abi.Type(binary.LittleEndian.Uint32(header)), payload
}

// ask sends a message and gives what it is answered.
func (a *fakeAgent) ask(kind abi.Type, payload []byte) []byte {
	a.t.Helper()
	a.send(frame(kind, payload))
	answered, b := a.answer()
	if answered != abi.OK {
		a.t.Fatalf("%v is answered by %v: %s", kind, answered, b)
	}
	return b
}

// count has the thread of a block take it and add to all counters that there are.
func (a *fakeAgent) count(block int, n uint64) {
	a.t.Helper()
	_, err := a.memory.WriteAt(binary.LittleEndian.AppendUint32(nil, abi.BlockLive), int64(abi.StateBytes*block))
	must(a.t, err)
	var counters []byte
	for range 1000 {
		counters = binary.LittleEndian.AppendUint64(counters, n)
	}
	_, err = a.memory.WriteAt(counters, int64(abi.BlocksOffset+block*abi.SmallBlockBytes))
	must(a.t, err)
}

// end closes the agent's socket, once the session has read all that was sent, and gives the recording.
func (a *fakeAgent) end() *profile.Profile {
	a.t.Helper()
	must(a.t, unix.Shutdown(int(a.socket.Fd()), unix.SHUT_WR))
	if _, err := io.Copy(io.Discard, a.socket); err != nil && !errors.Is(err, unix.ECONNRESET) {
		a.t.Fatal(err)
	}
	<-a.done
	p, err := profile.Read(a.file)
	must(a.t, err)
	if len(p.Damage) != 0 {
		a.t.Errorf("damaged: %v", p.Damage)
	}
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(fmt.Errorf("fake agent: %w", err))
	}
}
