package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"
)

// The message ring is in the shared memory, between the states and the blocks. What the agent has to say without waiting for an answer it puts there, as
// frames like those of the socket, and nobody is woken. What is in the ring is older than whatever the recorder receives from the socket afterwards.
//
//	 0  8  bytes written so far, by the agent
//	 8  8  bytes read so far, by the recorder
//	16  8  reserved id range: counter numbers that the agent may give to classes, the next one and, in the upper half, the end
//	64     the ring
const (
	MessageRingOffset = 4 * MaxBlocks // in the shared memory
	MessageRingBytes  = 512 << 10     // of the ring
	ringHeader        = 64
	ringSize          = ringHeader + MessageRingBytes
)

// A MessageRing is the recorder's view of it, for one goroutine at a time.
type MessageRing struct {
	memory []byte
	buffer []byte
}

// NewMessageRing takes the beginning of the shared memory, up to BlocksOffset at least.
func NewMessageRing(memory []byte) *MessageRing {
	return &MessageRing{memory: memory[MessageRingOffset : MessageRingOffset+ringSize]}
}

func (m *MessageRing) word(at int) *uint64 { return (*uint64)(unsafe.Pointer(&m.memory[at])) }

var errRing = errors.New("wire: the message ring is damaged")

// Receive gives the oldest frame, whose payload is valid until the next call; false where there is none.
func (m *MessageRing) Receive() (f Frame, ok bool, err error) {
	written, read := atomic.LoadUint64(m.word(0)), atomic.LoadUint64(m.word(8))
	waiting := written - read
	switch {
	case waiting == 0:
		return Frame{}, false, nil
	case waiting > MessageRingBytes || waiting < HeaderSize:
		return Frame{}, false, errRing
	}
	var header [HeaderSize]byte
	m.copyOut(header[:], read)
	size := uint64(binary.LittleEndian.Uint32(header[4:]))
	if size > waiting-HeaderSize {
		return Frame{}, false, fmt.Errorf("%w: a frame of %d bytes in %d", errRing, size, waiting)
	}
	if uint64(cap(m.buffer)) < size {
		m.buffer = make([]byte, size)
	}
	f = Frame{Type: Type(binary.LittleEndian.Uint32(header[:])), Payload: m.buffer[:size]}
	m.copyOut(f.Payload, read+HeaderSize)
	atomic.StoreUint64(m.word(8), read+HeaderSize+size)
	return f, true, nil
}

func (m *MessageRing) copyOut(to []byte, at uint64) {
	ring := m.memory[ringHeader:]
	n := copy(to, ring[at%MessageRingBytes:])
	copy(to[n:], ring)
}

// Reserve lets the agent give the counter numbers [first, end) to classes, and takes back those that it had left.
func (m *MessageRing) Reserve(first, end uint32) (oldFirst, oldEnd uint32) {
	old := atomic.SwapUint64(m.word(16), uint64(end)<<32|uint64(first))
	return uint32(old), max(uint32(old), uint32(old>>32))
}

// Reserved is how many numbers the agent has left.
func (m *MessageRing) Reserved() uint32 {
	reserved := atomic.LoadUint64(m.word(16))
	return max(uint32(reserved), uint32(reserved>>32)) - uint32(reserved)
}
