package events

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Bounds of a ring's data in bytes.
const (
	MinRing = 64 << 10
	MaxRing = 1 << 30
)

// Ring is what its observer wants of a ring.
type Ring struct {
	Bytes  int // of data, a power of two; address space, which takes memory as it is used
	Levels int // ways of recording, from everything to least; 0 is 1
}

// How producers adapt.
const (
	wakeShare       = 4  // the reader is woken when one in so many bytes of a ring are unread
	fullShare       = 2  // less is recorded when, at the start of a collection, one in so many are unread
	calmCollections = 16 // more is recorded after so many collections in a row that found less than wakes the reader
)

// Memory is that of all rings of a JVM, mapped.
type Memory struct {
	bytes []byte
	rings []ring
}

// NewMemory lays rings out in an empty memory file (memfd_create) that allows sealing, for the agent to map. It seals
// the file's size: whoever else has the file cannot take memory away under the reader. The file is the caller's.
func NewMemory(file *os.File, rings []Ring) (*Memory, error) {
	if len(rings) == 0 || len(rings) > MaxRings {
		return nil, fmt.Errorf("events: %d rings, at most %d", len(rings), MaxRings)
	}
	size := uint64(ControlBytes)
	for i, r := range rings {
		if r.Bytes < MinRing || r.Bytes > MaxRing || bits.OnesCount(uint(r.Bytes)) != 1 {
			const want = "events: ring %d of %d bytes: not a power of two from %d to %d"
			return nil, fmt.Errorf(want, i, r.Bytes, MinRing, MaxRing)
		}
		size += ControlBytes + uint64(r.Bytes)
	}
	if err := file.Truncate(int64(size)); err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	const seals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL
	if _, err := unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		return nil, fmt.Errorf("events: the memory's size cannot be sealed: %w", err)
	}
	memory, err := unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	return layOut(memory, rings), nil
}

// layOut writes what the agent needs to know, and all that a hostile one could have put there before.
func layOut(memory []byte, specs []Ring) *Memory {
	m := &Memory{bytes: memory}
	at := uint64(ControlBytes)
	for i, spec := range specs {
		size := uint64(spec.Bytes)
		r := ring{
			control: memory[at:][:ControlBytes:ControlBytes],
			data:    memory[at+ControlBytes:][:size:size],
			largest: uint32(min(size/4, maxRecord)),
		}
		clear(r.control)
		m.rings = append(m.rings, r)
		d := memory[Descriptors+i*DescriptorBytes:]
		binary.LittleEndian.PutUint64(d, at)
		fields := []uint32{
			uint32(size), r.largest, uint32(size / wakeShare), uint32(size / fullShare),
			uint32(max(1, spec.Levels)), calmCollections,
		}
		for j, v := range fields {
			binary.LittleEndian.PutUint32(d[8+4*j:], v)
		}
		at += ControlBytes + size
	}
	for i, v := range []uint32{Magic, LayoutVersion, uint32(len(specs))} {
		binary.LittleEndian.PutUint32(memory[4*i:], v)
	}
	return m
}

// Close takes the mapping away, when nobody reads any more.
func (m *Memory) Close() error { return unix.Munmap(m.bytes) }

// Operations of futex(2), on memory of several processes.
const (
	futexWait = 0
	futexWake = 1
)

func (m *Memory) asleep() *uint32 { return word32(m.bytes, AsleepOffset) }

// sleep waits until the word asleep is not 1 any more and somebody says so, or for a while. The caller looks what it
// was.
func (m *Memory) sleep(longest time.Duration) {
	timeout := unix.NsecToTimespec(int64(longest))
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(m.asleep())), futexWait, 1,
		uintptr(unsafe.Pointer(&timeout)), 0, 0)
}

// wake ends a sleep.
func (m *Memory) wake() {
	atomic.StoreUint32(m.asleep(), 0)
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(m.asleep())), futexWake, 1, 0, 0, 0)
}
