package transport

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"mallard/internal/abi"
)

// A MessageRing is the recorder's view of the message ring, which package abi describes, for one goroutine at a time.
type MessageRing struct {
	memory []byte
	buffer []byte
}

// NewMessageRing takes the beginning of the shared memory, up to abi.BlocksOffset at least.
func NewMessageRing(memory []byte) *MessageRing {
	return &MessageRing{memory: memory[abi.MessageRingOffset:][:abi.RingData+abi.RingDataBytes]}
}

func (m *MessageRing) word(at int) *uint64 { return (*uint64)(unsafe.Pointer(&m.memory[at])) }

var errRing = errors.New("transport: the message ring is damaged")

// Receive gives the oldest frame, whose payload is valid until the next call; false where there is none.
func (m *MessageRing) Receive() (f Frame, ok bool, err error) {
	written, read := atomic.LoadUint64(m.word(abi.RingWritten)), atomic.LoadUint64(m.word(abi.RingRead))
	waiting := written - read
	switch {
	case waiting == 0:
		return Frame{}, false, nil
	case waiting > abi.RingDataBytes || waiting < abi.FrameHeaderBytes:
		return Frame{}, false, errRing
	}
	var header [abi.FrameHeaderBytes]byte
	m.copyOut(header[:], read)
	size := uint64(binary.LittleEndian.Uint32(header[abi.FramePayload:]))
	if size > waiting-abi.FrameHeaderBytes {
		return Frame{}, false, fmt.Errorf("%w: a frame of %d bytes in %d", errRing, size, waiting)
	}
	if uint64(cap(m.buffer)) < size {
		m.buffer = make([]byte, size)
	}
	f = Frame{Type: abi.Type(binary.LittleEndian.Uint32(header[:])), Payload: m.buffer[:size]}
	m.copyOut(f.Payload, read+abi.FrameHeaderBytes)
	atomic.StoreUint64(m.word(abi.RingRead), read+abi.FrameHeaderBytes+size)
	return f, true, nil
}

func (m *MessageRing) copyOut(to []byte, at uint64) {
	ring := m.memory[abi.RingData:]
	n := copy(to, ring[at%abi.RingDataBytes:])
	copy(to[n:], ring)
}

// TakeTree has the recorder write to the tree of the thread that waits for an answer, until [MessageRing.GiveTree];
// false where it does not wait any more. It may be called while another goroutine reads the ring.
func (m *MessageRing) TakeTree() bool {
	return atomic.CompareAndSwapUint32(m.tree(), abi.TreeOffered, abi.TreeTaken)
}

// GiveTree gives the tree back to its thread; false where that has left it, and counts elsewhere from then on.
func (m *MessageRing) GiveTree() bool {
	return atomic.SwapUint32(m.tree(), abi.TreeOwn) != abi.TreeLeft
}

func (m *MessageRing) tree() *uint32 { return (*uint32)(unsafe.Pointer(&m.memory[abi.RingTree])) }

// Reserve lets the agent give the counter numbers [first, end) to classes, and takes back those that it had left.
func (m *MessageRing) Reserve(first, end uint32) (oldFirst, oldEnd uint32) {
	old := atomic.SwapUint64(m.word(abi.RingReserved), uint64(end)<<abi.ReservedEndShift|uint64(first))
	return uint32(old), max(uint32(old), uint32(old>>abi.ReservedEndShift))
}

// Reserved is how many numbers the agent has left.
func (m *MessageRing) Reserved() uint32 {
	reserved := atomic.LoadUint64(m.word(abi.RingReserved))
	return max(uint32(reserved), uint32(reserved>>abi.ReservedEndShift)) - uint32(reserved)
}
