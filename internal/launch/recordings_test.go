package launch

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/profile"
	"mallard/internal/transport"
)

// fakeAgent speaks the agent's part of the protocol.
type fakeAgent struct {
	t      *testing.T
	socket *net.UnixConn
	memory *os.File
}

// record starts Record with a fake agent's socket; its error comes when the agent has gone.
func record(t *testing.T) (*fakeAgent, <-chan error) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fds[0]), "agent")
	defer file.Close()
	c, err := net.FileConn(file)
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.MemfdCreate("blocks", unix.MFD_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	memory := os.NewFile(uintptr(fd), "blocks")
	if err := memory.Truncate(abi.BlocksOffset + 4*abi.BlockBytes); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		memory.Close()
	})
	ended := make(chan error, 1)
	go func() { ended <- Record(uintptr(fds[1]), Options{}) }()
	return &fakeAgent{t, c.(*net.UnixConn), memory}, ended
}

// fields encodes uint32, uint64 and string fields.
func fields(values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, v)
		case string:
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(v))), v...)
		}
	}
	return b
}

func (a *fakeAgent) send(t abi.Type, payload, control []byte) {
	a.t.Helper()
	frame := append(fields(int(t), len(payload)), payload...)
	if _, _, err := a.socket.WriteMsgUnix(frame, control, nil); err != nil {
		a.t.Fatal(err)
	}
}

// cutOff are options of which the last byte does not come.
const cutOff = "cut off"

// hello introduces a JVM: JDK 17 with G1, but for what is changed.
func (a *fakeAgent) hello(options string, change func(*transport.Hello)) (abi.Type, string) {
	a.t.Helper()
	m := transport.Hello{
		Version: abi.Version, Feature: 17, Memory: 1 << 40, Blocks: 4, BlockBytes: abi.BlockBytes,
		Shared:    2 << 40,
		Collector: "G1", VMName: "OpenJDK VM", VMVersion: "17.0.1", Options: options,
	}
	if change != nil {
		change(&m)
	}
	payload := m.Encode()
	if options == cutOff {
		payload = payload[:len(payload)-1]
	}
	a.send(abi.Hello, payload, unix.UnixRights(int(a.memory.Fd())))
	return a.answer()
}

func (a *fakeAgent) answer() (abi.Type, string) {
	a.t.Helper()
	header := make([]byte, abi.FrameHeaderBytes)
	if _, err := io.ReadFull(a.socket, header); err != nil {
		a.t.Fatal(err)
	}
	payload := make([]byte, binary.LittleEndian.Uint32(header[4:]))
	if _, err := io.ReadFull(a.socket, payload); err != nil {
		a.t.Fatal(err)
	}
	return abi.Type(binary.LittleEndian.Uint32(header)), string(payload)
}

// TestRefusedJVMs holds JVMs that Mallard cannot record: the reason names what is wrong, on one line.
func TestRefusedJVMs(t *testing.T) {
	tests := []struct {
		name    string
		options string
		change  func(*transport.Hello)
		want    string
	}{
		{"old", "", func(m *transport.Hello) {
			m.Feature, m.VMVersion = 11, "11.0.2+9"
		}, "OpenJDK VM 11.0.2+9) is older than JDK 17"},
		{"JDK 8", "", func(m *transport.Hello) { m.Feature, m.Collector = 1, "" }, "older than JDK 17"},
		{"a greeting that ends early", cutOff, nil, "Hello: unexpected EOF"},
		{"another protocol", "", func(m *transport.Hello) { m.Version = 99 }, "mallard agentpath"},
		{"too many blocks", "", func(m *transport.Hello) { m.Blocks = abi.MaxBlocks + 1 }, "blocks"},
		{"blocks of another size", "", func(m *transport.Hello) { m.BlockBytes = 4096 }, "blocks of 4096 bytes"},
		{"options", "x=1", nil, "unknown option: x=1"},
		{"file", "file=/missing/x", nil, "no such file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			agent, ended := record(t)
			kind, reason := agent.hello(test.options, test.change)
			if kind != abi.Refuse || !strings.Contains(reason, test.want) || strings.Contains(reason, "\n") {
				t.Errorf("%v %q, want a refusal with %q", kind, reason, test.want)
			}
			agent.socket.Close()
			<-ended
			if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
				t.Errorf("left %v (%v)", files, err)
			}
		})
	}
}

// TestConversations ends conversations in all kinds of ways; what was recorded is readable and says that it is not
// complete.
func TestConversations(t *testing.T) {
	tests := []struct {
		name   string
		frames func(a *fakeAgent)
		reason string
	}{
		{"nothing", func(*fakeAgent) {}, "killed"},
		{"a class that is none", func(a *fakeAgent) {
			a.send(abi.Class, (&transport.Class{Name: "A", File: []byte("no class file")}).Encode(), nil)
			if kind, payload := a.answer(); kind != abi.OK || payload != "" {
				a.t.Errorf("%v %q, want the class unchanged", kind, payload)
			}
		}, "killed"},
		{"a field is missing", func(a *fakeAgent) { a.send(abi.Class, fields(0, 0), nil) }, "Class: unexpected EOF"},
		{"stacks of nobody", func(a *fakeAgent) { a.send(abi.Death, fields(1<<31, 1), nil) }, "Death: unexpected EOF"},
		{"a block that is none", func(a *fakeAgent) {
			a.send(abi.ThreadEnd,
				(&transport.ThreadEnd{Thread: transport.ThreadBlock{Block: 1 << 31, Name: "t"}}).Encode(), nil)
		}, "block"},
		{"an unknown frame", func(a *fakeAgent) { a.send(99, nil, nil) }, "unexpected frame"},
		{"an endless frame", func(a *fakeAgent) {
			if _, err := a.socket.Write(fields(int(abi.Class), abi.MaxFrame+1)); err != nil {
				a.t.Error(err)
			}
		}, "limit"},
		{"cut", func(a *fakeAgent) {
			if _, err := a.socket.Write(fields(int(abi.Class))); err != nil {
				a.t.Error(err)
			}
		}, "EOF"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "run.mallard")
			agent, ended := record(t)
			if kind, reason := agent.hello("file="+file, nil); kind != abi.OK {
				t.Fatalf("%v %q", kind, reason)
			}
			test.frames(agent)
			agent.socket.Close()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			p, err := profile.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			if p.Complete || !strings.Contains(p.Reason, test.reason) {
				t.Errorf("complete: %v (%s), want %s", p.Complete, p.Reason, test.reason)
			}
		})
	}
}
