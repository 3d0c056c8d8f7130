package transport

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
)

// pair gives a Conn and the agent's end of its socket.
func pair(t *testing.T) (*Conn, *os.File) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	agent := os.NewFile(uintptr(fds[1]), "agent")
	t.Cleanup(func() { agent.Close() })
	c, err := NewConnFile(os.NewFile(uintptr(fds[0]), "recorder"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, agent
}

func frame(t abi.Type, payload []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(t))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	return append(b, payload...)
}

// send writes in the background: frames may be larger than the socket's buffer.
func send(t *testing.T, agent *os.File, chunks ...[]byte) {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		for _, chunk := range chunks {
			if _, err := agent.Write(chunk); err != nil {
				done <- err
				return
			}
		}
		done <- agent.Close()
	}()
	t.Cleanup(func() {
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestReceive(t *testing.T) {
	large := bytes.Repeat([]byte("large "), 100_000)
	frames := []Frame{{abi.Class, []byte("class")}, {abi.Loader, nil}, {abi.Class, large}, {abi.ThreadEnd, []byte{1}},
		{abi.Class, large[:70_000]}, {abi.Death, nil}}
	var all []byte
	for _, f := range frames {
		all = append(all, frame(f.Type, f.Payload)...)
	}
	for name, chunk := range map[string]int{"byte by byte": 1, "in parts": 1000, "at once": len(all)} {
		t.Run(name, func(t *testing.T) {
			c, agent := pair(t)
			whole := all
			if chunk == 1 { // what is small, or that takes long
				whole = all[:2*abi.FrameHeaderBytes+len("class")]
			}
			var chunks [][]byte
			for rest := whole; len(rest) > 0; rest = rest[min(chunk, len(rest)):] {
				chunks = append(chunks, rest[:min(chunk, len(rest))])
			}
			send(t, agent, chunks...)
			for i, want := range frames {
				f, err := c.Receive()
				if chunk == 1 && i == 2 {
					if err != io.EOF {
						t.Fatalf("after the last frame: %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if f.Type != want.Type || !bytes.Equal(f.Payload, want.Payload) {
					t.Fatalf("frame %d: %v of %d bytes, want %v of %d", i, f.Type, len(f.Payload), want.Type,
						len(want.Payload))
				}
			}
			if _, err := c.Receive(); err != io.EOF {
				t.Errorf("after the last frame: %v", err)
			}
		})
	}
}

// TestReceiveInside cuts a conversation at every byte of two frames.
func TestReceiveInside(t *testing.T) {
	first, second := frame(abi.Loader, []byte("abc")), frame(abi.Class, []byte("defg"))
	whole := append(bytes.Clone(first), second...)
	for n := range whole {
		c, agent := pair(t)
		if n > 0 {
			send(t, agent, whole[:n])
		} else {
			agent.Close()
		}
		var err error
		got := 0
		for err == nil {
			if _, err = c.Receive(); err == nil {
				got++
			}
		}
		want := io.ErrUnexpectedEOF
		if n == 0 || n == len(first) {
			want = io.EOF
		}
		if !errors.Is(err, want) || want == io.ErrUnexpectedEOF && errors.Is(err, io.EOF) {
			t.Errorf("cut at %d: %v, want %v", n, err, want)
		}
		if n >= len(first) != (got == 1) {
			t.Errorf("cut at %d: %d frames", n, got)
		}
	}
}

func TestReceiveOversize(t *testing.T) {
	c, agent := pair(t)
	header := frame(abi.Class, nil)
	binary.LittleEndian.PutUint32(header[4:], abi.MaxFrame+1)
	send(t, agent, header)
	if _, err := c.Receive(); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("took a frame beyond the limit: %v", err)
	}
}

// TestReceiveClaims announces the largest frame and sends little: memory follows what comes.
func TestReceiveClaims(t *testing.T) {
	c, agent := pair(t)
	header := frame(abi.Class, nil)
	binary.LittleEndian.PutUint32(header[4:], abi.MaxFrame)
	send(t, agent, header, make([]byte, 100))
	if _, err := c.Receive(); err != io.ErrUnexpectedEOF {
		t.Errorf("%v, want %v", err, io.ErrUnexpectedEOF)
	}
	if len(c.buffer) > 128<<10 {
		t.Errorf("%d bytes taken for a frame of 100", len(c.buffer))
	}
}

func TestShutdown(t *testing.T) {
	c, agent := pair(t)
	ended := make(chan error)
	go func() {
		_, err := c.Receive()
		ended <- err
	}()
	if err := c.Shutdown(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != io.EOF {
		t.Errorf("Receive gives %v", err)
	}
	if _, err := agent.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the agent reads %v", err)
	}
}

func TestAnswer(t *testing.T) {
	c, agent := pair(t)
	for _, payload := range []string{"", "no such class"} {
		if err := c.Answer(abi.Refuse, []byte(payload)); err != nil {
			t.Fatal(err)
		}
		want := frame(abi.Refuse, []byte(payload))
		got := make([]byte, len(want))
		if _, err := io.ReadFull(agent, got); err != nil || !bytes.Equal(got, want) {
			t.Errorf("% x (%v), want % x", got, err, want)
		}
	}
	agent.Close()
	if err := c.Answer(abi.OK, nil); err != nil {
		t.Errorf("an answer to nobody: %v", err)
	}
}

func TestReceiveHello(t *testing.T) {
	memory, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	if _, err := memory.WriteString("counters"); err != nil {
		t.Fatal(err)
	}
	fd := int(memory.Fd())
	rights := unix.UnixRights(fd, fd)
	tests := []struct {
		name    string
		first   []byte
		control []byte
		rest    []byte
		want    string // of the error
	}{
		{"whole", append(frame(abi.Hello, []byte("I")), frame(abi.Loader, nil)...), rights, nil, ""},
		{"in parts", frame(abi.Hello, []byte("I"))[:5], rights, frame(abi.Hello, []byte("I"))[5:], ""},
		{"no memory", frame(abi.Hello, []byte("I")), nil, nil, "no memory"},
		{"another frame", frame(abi.Class, nil), rights, nil, "first frame is Class"},
		{"a control channel", frame(abi.Hello, []byte("I")), unix.UnixRights(fd, fd, fd), nil, ""},
		{"no memory for events", frame(abi.Hello, []byte("I")), unix.UnixRights(fd), nil, ""},
		{"cut", frame(abi.Hello, []byte("I"))[:abi.FrameHeaderBytes], rights, nil, "EOF"},
		{"nothing", nil, nil, nil, "no memory"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, agent := pair(t)
			if test.first != nil {
				if err := unix.Sendmsg(int(agent.Fd()), test.first, test.control, nil, 0); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := agent.Write(test.rest); err != nil {
				t.Fatal(err)
			}
			agent.Close()
			f, files, err := c.ReceiveHello()
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Fatalf("%v, want an error that says %q", err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer files.Close()
			if (files.Control != nil) != (test.name == "a control channel") {
				t.Errorf("control channel: %v", files.Control)
			}
			content := make([]byte, 8)
			if _, err := files.Memory.ReadAt(content, 0); err != nil || string(content) != "counters" {
				t.Errorf("the memory holds %q (%v)", content, err)
			}
			if string(f.Payload) != "I" {
				t.Errorf("payload %q", f.Payload)
			}
		})
	}
}
