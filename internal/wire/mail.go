package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"
)

// The mail is a ring in the pages' memory, between the states and the pages. What the agent has to say without waiting for an answer it puts there, as
// frames like those of the socket, and nobody is woken. Mail is older than whatever the recorder receives from the socket afterwards.
//
//	 0  8  bytes written so far, by the agent
//	 8  8  bytes read so far, by the recorder
//	16  8  lease: counter numbers that the agent may give to classes, the next one and, in the upper half, the end
//	64     the ring
const (
	MailOffset = 4 * MaxPages // in the pages' memory
	MailBytes  = 512 << 10    // of the ring
	mailHeader = 64
	mailSize   = mailHeader + MailBytes
)

// Mail is the recorder's view of it, for one goroutine at a time.
type Mail struct {
	memory []byte
	buffer []byte
}

// NewMail takes the beginning of the pages' memory, up to PagesOffset at least.
func NewMail(memory []byte) *Mail { return &Mail{memory: memory[MailOffset : MailOffset+mailSize]} }

func (m *Mail) word(at int) *uint64 { return (*uint64)(unsafe.Pointer(&m.memory[at])) }

var errMail = errors.New("wire: the mail is damaged")

// Receive gives the oldest frame, whose payload is valid until the next call; false where there is none.
func (m *Mail) Receive() (f Frame, ok bool, err error) {
	written, read := atomic.LoadUint64(m.word(0)), atomic.LoadUint64(m.word(8))
	waiting := written - read
	switch {
	case waiting == 0:
		return Frame{}, false, nil
	case waiting > MailBytes || waiting < HeaderSize:
		return Frame{}, false, errMail
	}
	var header [HeaderSize]byte
	m.copyOut(header[:], read)
	size := uint64(binary.LittleEndian.Uint32(header[4:]))
	if size > waiting-HeaderSize {
		return Frame{}, false, fmt.Errorf("%w: a frame of %d bytes in %d", errMail, size, waiting)
	}
	if uint64(cap(m.buffer)) < size {
		m.buffer = make([]byte, size)
	}
	f = Frame{Type: Type(binary.LittleEndian.Uint32(header[:])), Payload: m.buffer[:size]}
	m.copyOut(f.Payload, read+HeaderSize)
	atomic.StoreUint64(m.word(8), read+HeaderSize+size)
	return f, true, nil
}

func (m *Mail) copyOut(to []byte, at uint64) {
	ring := m.memory[mailHeader:]
	n := copy(to, ring[at%MailBytes:])
	copy(to[n:], ring)
}

// Lend lets the agent give the counter numbers [first, end) to classes, and takes back those that it had left.
func (m *Mail) Lend(first, end uint32) (oldFirst, oldEnd uint32) {
	old := atomic.SwapUint64(m.word(16), uint64(end)<<32|uint64(first))
	return uint32(old), max(uint32(old), uint32(old>>32))
}

// Lent is how many numbers the agent has left.
func (m *Mail) Lent() uint32 {
	lease := atomic.LoadUint64(m.word(16))
	return max(uint32(lease), uint32(lease>>32)) - uint32(lease)
}
