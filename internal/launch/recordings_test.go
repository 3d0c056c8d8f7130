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

	"mallard/internal/profile"
	"mallard/internal/wire"
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
	if err := memory.Truncate(wire.BlocksOffset + 4*wire.BlockBytes); err != nil {
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

func (a *fakeAgent) send(t wire.Type, payload, control []byte) {
	a.t.Helper()
	frame := append(fields(int(t), len(payload)), payload...)
	if _, _, err := a.socket.WriteMsgUnix(frame, control, nil); err != nil {
		a.t.Fatal(err)
	}
}

// hello introduces a JVM: JDK 17 with G1, but for what is changed, by the place of the field.
func (a *fakeAgent) hello(options string, changed map[int]any) (wire.Type, string) {
	a.t.Helper()
	values := []any{wire.Version, 4242, 17, uint64(1) << 40, 4, wire.BlockBytes, uint64(0), uint64(2) << 40, "G1", "OpenJDK VM", "17.0.1", options}
	for i, v := range changed {
		values[i] = v
	}
	a.send(wire.Hello, fields(values...), unix.UnixRights(int(a.memory.Fd())))
	return a.answer()
}

func (a *fakeAgent) answer() (wire.Type, string) {
	a.t.Helper()
	header := make([]byte, wire.HeaderSize)
	if _, err := io.ReadFull(a.socket, header); err != nil {
		a.t.Fatal(err)
	}
	payload := make([]byte, binary.LittleEndian.Uint32(header[4:]))
	if _, err := io.ReadFull(a.socket, payload); err != nil {
		a.t.Fatal(err)
	}
	return wire.Type(binary.LittleEndian.Uint32(header)), string(payload)
}

// TestRefusedJVMs holds JVMs that Mallard cannot record: the reason names what is wrong, on one line.
func TestRefusedJVMs(t *testing.T) {
	tests := []struct {
		name    string
		options string
		changed map[int]any
		want    string
	}{
		{"old", "", map[int]any{2: 11, 10: "11.0.2+9"}, "OpenJDK VM 11.0.2+9) is older than JDK 17"},
		{"JDK 8", "", map[int]any{2: 1, 8: ""}, "older than JDK 17"},
		{"a greeting that ends early", "", map[int]any{11: nil}, "HELLO: unexpected EOF"},
		{"another protocol", "", map[int]any{0: 99}, "mallard agentpath"},
		{"too many blocks", "", map[int]any{4: wire.MaxBlocks + 1}, "blocks"},
		{"blocks of another size", "", map[int]any{5: 4096}, "blocks of 4096 bytes"},
		{"options", "x=1", nil, "unknown option x=1"},
		{"file", "file=/missing/x", nil, "no such file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			agent, ended := record(t)
			kind, reason := agent.hello(test.options, test.changed)
			if kind != wire.Refuse || !strings.Contains(reason, test.want) || strings.Contains(reason, "\n") {
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

// TestConversations ends conversations in all kinds of ways; what was recorded is readable and says that it is not complete.
func TestConversations(t *testing.T) {
	tests := []struct {
		name   string
		frames func(a *fakeAgent)
		reason string
	}{
		{"nothing", func(*fakeAgent) {}, "killed"},
		{"a class that is none", func(a *fakeAgent) {
			a.send(wire.Class, fields(0, 0, "A", "no class file"), nil)
			if kind, payload := a.answer(); kind != wire.OK || payload != "" {
				a.t.Errorf("%v %q, want the class unchanged", kind, payload)
			}
		}, "killed"},
		{"a field is missing", func(a *fakeAgent) { a.send(wire.Class, fields(0, 0), nil) }, "CLASS: unexpected EOF"},
		{"stacks of nobody", func(a *fakeAgent) { a.send(wire.Death, fields(1<<31, 1), nil) }, "DEATH: unexpected EOF"},
		{"a block that is none", func(a *fakeAgent) { a.send(wire.ThreadEnd, fields(1<<31, 0, "t", 0, 0), nil) }, "block"},
		{"an unknown frame", func(a *fakeAgent) { a.send(99, nil, nil) }, "unexpected frame"},
		{"an endless frame", func(a *fakeAgent) {
			if _, err := a.socket.Write(fields(int(wire.Class), wire.MaxFrame+1)); err != nil {
				a.t.Error(err)
			}
		}, "limit"},
		{"cut", func(a *fakeAgent) {
			if _, err := a.socket.Write(fields(int(wire.Class))); err != nil {
				a.t.Error(err)
			}
		}, "EOF"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "run.mallard")
			agent, ended := record(t)
			if kind, reason := agent.hello("file="+file, nil); kind != wire.OK {
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
