package transport

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
)

// Conn is the recorder's end of one agent's socket. It is used by one goroutine.
type Conn struct {
	file   *os.File // blocking: an answer must not wait for a poller
	buffer []byte
	start  int // unread bytes of buffer
	end    int

	answers int
}

// NewConn takes over c, which must not be used any more.
func NewConn(c *net.UnixConn) (*Conn, error) {
	f, err := c.File() // a duplicate, in blocking mode after Fd
	if err != nil {
		return nil, err
	}
	c.Close()
	return NewConnFile(f)
}

// NewConnFile takes over a connected socket.
func NewConnFile(f *os.File) (*Conn, error) {
	if err := unix.SetNonblock(int(f.Fd()), false); err != nil {
		return nil, err
	}
	return &Conn{file: f, buffer: make([]byte, 64<<10)}, nil
}

// Peer gives the process at the other end and its user, as they were when it connected.
func (c *Conn) Peer() (pid, uid int, err error) {
	peer, err := unix.GetsockoptUcred(int(c.file.Fd()), unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	return int(peer.Pid), int(peer.Uid), nil
}

// Close ends the conversation; the agent disengages at its next word.
func (c *Conn) Close() error { return c.file.Close() }

// Frame is one message. Payload is valid until the next call of a Conn's method.
type Frame struct {
	Type    abi.Type
	Payload []byte
}

// Receive gives the next frame: io.EOF where the agent has gone between frames, [io.ErrUnexpectedEOF] where it died
// inside one.
func (c *Conn) Receive() (Frame, error) {
	if err := c.fill(abi.FrameHeaderBytes); err != nil {
		return Frame{}, err
	}
	header := c.buffer[c.start:]
	f := Frame{Type: abi.Type(binary.LittleEndian.Uint32(header))}
	size := binary.LittleEndian.Uint32(header[abi.FramePayload:])
	if size > abi.MaxFrame {
		return Frame{}, fmt.Errorf("transport: %v of %d bytes exceeds the limit of %d", f.Type, size, abi.MaxFrame)
	}
	c.start += abi.FrameHeaderBytes
	if err := c.fill(int(size)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return Frame{}, err
	}
	f.Payload = c.buffer[c.start : c.start+int(size)]
	c.start += int(size)
	return f, nil
}

// fill makes n unread bytes available in the buffer.
func (c *Conn) fill(n int) error {
	if c.end-c.start >= n {
		return nil
	}
	if c.start > 0 {
		c.end = copy(c.buffer, c.buffer[c.start:c.end])
		c.start = 0
	}
	for len(c.buffer) < n { // grows with what arrives, not with what a header claims
		if c.end == len(c.buffer) {
			c.buffer = append(c.buffer, make([]byte, len(c.buffer))...)
		}
		if err := c.read(); err != nil {
			return err
		}
	}
	for c.end < n {
		if err := c.read(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Conn) read() error {
	for {
		n, err := unix.Read(int(c.file.Fd()), c.buffer[c.end:])
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.ECONNRESET): // it went without reading an answer
			return io.EOF
		case err != nil:
			return fmt.Errorf("transport: %w", err)
		case n == 0 && c.end > c.start:
			return io.ErrUnexpectedEOF
		case n == 0:
			return io.EOF
		default:
			c.end += n
			return nil
		}
	}
}

// HelloFiles are the descriptors that ride with the first frame.
type HelloFiles struct {
	Memory  *os.File // of the blocks
	Events  *os.File // empty, for event rings; nil if the agent knows of none
	Control *os.File // the recorder's end of the control channel; nil if the agent has none
}

// Close closes them all.
func (f *HelloFiles) Close() {
	f.Memory.Close()
	f.Events.Close() // of a nil file is an error like any other
	f.Control.Close()
}

// ReceiveHello gives the first frame and what rides with it, which the caller closes.
func (c *Conn) ReceiveHello() (f Frame, files HelloFiles, err error) {
	rights := make([]byte, unix.CmsgSpace(3*4))
	n, cn, _, _, err := unix.Recvmsg(int(c.file.Fd()), c.buffer, rights, unix.MSG_CMSG_CLOEXEC)
	for errors.Is(err, unix.EINTR) {
		n, cn, _, _, err = unix.Recvmsg(int(c.file.Fd()), c.buffer, rights, unix.MSG_CMSG_CLOEXEC)
	}
	if err != nil {
		return Frame{}, HelloFiles{}, fmt.Errorf("transport: %w", err)
	}
	c.end = n
	messages, err := unix.ParseSocketControlMessage(rights[:cn])
	if err != nil || len(messages) != 1 {
		return Frame{}, HelloFiles{}, errors.New("transport: the first frame carries no memory")
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) == 0 {
		return Frame{}, HelloFiles{}, errors.New("transport: the first frame carries no memory")
	}
	for i, file := range []**os.File{&files.Memory, &files.Events, &files.Control}[:min(len(fds), 3)] {
		*file = os.NewFile(uintptr(fds[i]), "of hello")
	}
	if f, err = c.Receive(); err == nil && f.Type != abi.Hello {
		err = fmt.Errorf("transport: the first frame is %v", f.Type)
	}
	if err != nil {
		files.Close()
		return Frame{}, HelloFiles{}, err
	}
	return f, files, nil
}

// Left reports whether the agent does not wait any more for the answer to what it asked last: it has said something
// else, or ended the conversation.
func (c *Conn) Left() bool {
	fds := []unix.PollFd{{Fd: int32(c.file.Fd()), Events: unix.POLLIN | unix.POLLRDHUP}}
	n, err := unix.Poll(fds, 0)
	return c.end > c.start || err == nil && n > 0
}

// Answer sends the payload of a request's answer: type abi.OK, or abi.Refuse. That the agent has gone is no error: what
// it said before it went is still to be read.
func (c *Conn) Answer(t abi.Type, payload []byte) error {
	c.answers++
	header := make([]byte, abi.FrameHeaderBytes, abi.FrameHeaderBytes+len(payload))
	binary.LittleEndian.PutUint32(header, uint32(t))
	binary.LittleEndian.PutUint32(header[abi.FramePayload:], uint32(len(payload)))
	_, err := c.file.Write(append(header, payload...))
	if errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET) {
		return nil
	}
	return err
}

// Shutdown ends the conversation from another goroutine: Receive gives io.EOF.
func (c *Conn) Shutdown() error { return unix.Shutdown(int(c.file.Fd()), unix.SHUT_RDWR) }

// Answers is how many answers have been sent.
func (c *Conn) Answers() int { return c.answers }
