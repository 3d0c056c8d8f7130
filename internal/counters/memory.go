package counters

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// Block numbers thread counter blocks.
type Block uint32

// Memory is the shared memory of a JVM: the states of blocks, the message ring and the blocks, in a file that the agent
// made (docs/memory.md).
type Memory struct {
	file       *os.File
	blockBytes int64
	mapped     []byte // states of blocks, the message ring, bits of tags
	ring       *transport.MessageRing
	count      uint32
}

// OpenMemory takes over the descriptor that the agent sent, with so many blocks of so many bytes.
func OpenMemory(file *os.File, count, blockBytes uint32) (*Memory, error) {
	if count > abi.MaxBlocks {
		return nil, fmt.Errorf("%d blocks, at most %d", count, abi.MaxBlocks)
	}
	if blockBytes != abi.BlockBytes && blockBytes != abi.SmallBlockBytes {
		return nil, fmt.Errorf("blocks of %d bytes", blockBytes)
	}
	mapped, err := unix.Mmap(int(file.Fd()), 0, abi.BlocksOffset, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &Memory{file: file, blockBytes: int64(blockBytes), mapped: mapped, ring: transport.NewMessageRing(mapped),
		count: count}, nil
}

// Close gives the memory back.
func (m *Memory) Close() {
	unix.Munmap(m.mapped)
	m.file.Close()
}

// Ring is the message ring in the memory.
func (m *Memory) Ring() *transport.MessageRing { return m.ring }

// Blocks is how many blocks there are.
func (m *Memory) Blocks() uint32 { return m.count }

// BlockBytes is the size of one.
func (m *Memory) BlockBytes() uint64 { return uint64(m.blockBytes) }

// MapBehind maps the memory behind the last block, which begins at offset start.
func (m *Memory) MapBehind(bytes uint64) (start uint64, mapped []byte, err error) {
	start = abi.BlocksOffset + uint64(m.count)*uint64(m.blockBytes)
	mapped, err = unix.Mmap(int(m.file.Fd()), int64(start), int(bytes), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_SHARED|unix.MAP_NORESERVE)
	return start, mapped, err
}

func (m *Memory) state(b Block) *uint32 { return (*uint32)(unsafe.Pointer(&m.mapped[4*b])) }

// LeaveAlone has the agent look, from now on, at no contents of objects with a tag, or at them again. Tags that there
// are none of stay as they are.
func (m *Memory) LeaveAlone(tag uint32, alone bool) {
	m.setBit(abi.LeftAloneOffset, tag, alone)
}

// IsLeftAlone reports whether it does not.
func (m *Memory) IsLeftAlone(tag uint32) bool {
	word, bit := m.bit(abi.LeftAloneOffset, tag)
	return word != nil && atomic.LoadUint32(word)&bit != 0
}

// SetUnshown says whether nobody knows objects with a tag before they are given it, from now on.
func (m *Memory) SetUnshown(tag uint32, is bool) { m.setBit(abi.UnshownOffset, tag, is) }

// ClearUnshown says that others may know objects with any tag.
func (m *Memory) ClearUnshown() {
	for tag := uint32(0); tag < abi.TagNone; tag += 32 {
		word := (*uint32)(unsafe.Pointer(&m.mapped[abi.UnshownOffset+4*(tag/32)]))
		if atomic.LoadUint32(word) != 0 { // what was never written takes no memory
			atomic.StoreUint32(word, 0)
		}
	}
}

// setBit changes the bit of a tag, unless that is no site's alone.
func (m *Memory) setBit(bits, tag uint32, is bool) {
	word, bit := m.bit(bits, tag)
	switch {
	case word == nil:
	case is:
		atomic.OrUint32(word, bit)
	default:
		atomic.AndUint32(word, ^bit)
	}
}

// bit is where a tag has its bit; nil for what is no site's alone.
func (m *Memory) bit(bits, tag uint32) (word *uint32, bit uint32) {
	if tag == 0 || tag >= abi.TagNone {
		return nil, 0
	}
	return (*uint32)(unsafe.Pointer(&m.mapped[bits+4*(tag/32)])), 1 << (tag % 32)
}

// GiveAgain has threads give tags, with their turns, to sites in contexts when there are no others. It returns those
// that there is no room for. For one goroutine.
func (m *Memory) GiveAgain(tags []uint32) (left []uint32) {
	word := func(at uint64) *uint64 { return (*uint64)(unsafe.Pointer(&m.mapped[abi.AgainOffset+at])) }
	offered := atomic.LoadUint64(word(abi.AgainOffered))
	n := min(abi.AgainMost-(offered-atomic.LoadUint64(word(abi.AgainTaken))), uint64(len(tags)))
	for _, tag := range tags[:n] {
		binary.LittleEndian.PutUint32(m.mapped[abi.AgainOffset+abi.AgainTags+4*(offered%abi.AgainMost):], tag)
		offered++
	}
	atomic.StoreUint64(word(abi.AgainOffered), offered)
	return tags[n:]
}

// Virtual reports whether virtual threads count in a block.
func (m *Memory) Virtual(b Block) bool {
	state := atomic.LoadUint32(m.state(b))
	return state == abi.BlockVirtual || state == abi.BlockVirtualIdle
}

// Check refuses the number of a block that there is not.
func (m *Memory) Check(b Block) error {
	if uint32(b) >= m.count {
		return fmt.Errorf("block %d of %d", b, m.count)
	}
	return nil
}

// Used lists the blocks that threads have taken, ended ones included.
func (m *Memory) Used() []Block {
	var list []Block
	for b := range Block(m.count) {
		if atomic.LoadUint32(m.state(b)) != abi.BlockFree {
			list = append(list, b)
		}
	}
	return list
}

// free gives a block back, zeroed but for what its next thread is to find in it.
func (m *Memory) free(b Block, restore func() error) error {
	err := m.punch(m.offset(b, 0), m.blockBytes)
	if err == nil && restore != nil {
		err = restore()
	}
	if err == nil {
		atomic.StoreUint32(m.state(b), abi.BlockFree)
	}
	return err
}

// clear makes counters of a block zero, whether others of it are counting or not.
func (m *Memory) clear(b Block, numbers []Range) error {
	for _, r := range numbers {
		if err := m.punch(m.offset(b, r.First), 8*int64(r.Len())); err != nil {
			return err
		}
	}
	return nil
}

// punch makes a part of the file zero, and gives back the memory of whole pages in it.
func (m *Memory) punch(at, bytes int64) error {
	return unix.Fallocate(int(m.file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, at, bytes)
}

func (m *Memory) offset(b Block, counter trace.CounterID) int64 {
	return abi.BlocksOffset + int64(b)*m.blockBytes + 8*int64(counter)
}

// Word gives one of the runtime classes' own words in a block; 0 where that cannot be read.
func (m *Memory) Word(b Block, number trace.CounterID) uint64 {
	var word [1]uint64
	if m.Words(b, number, word[:]) != nil {
		return 0
	}
	return word[0]
}

// Words reads words of a block from one on.
func (m *Memory) Words(b Block, first trace.CounterID, words []uint64) error {
	buffer := make([]byte, 8*len(words))
	if _, err := unix.Pread(int(m.file.Fd()), buffer, m.offset(b, first)); err != nil {
		return err
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(buffer[8*i:])
	}
	return nil
}

// A Word is one of the runtime classes' own, and what becomes of it.
type Word struct {
	Number trace.CounterID
	Value  uint64
}

// PutWords changes words of a block, those in a row at once, while its thread waits or has ended.
func (m *Memory) PutWords(b Block, words []Word) error {
	var run []byte
	for i, w := range words {
		run = binary.LittleEndian.AppendUint64(run, w.Value)
		if i+1 < len(words) && words[i+1].Number == w.Number+1 {
			continue
		}
		if _, err := unix.Pwrite(int(m.file.Fd()), run, m.offset(b, w.Number+1)-int64(len(run))); err != nil {
			return err
		}
		run = run[:0]
	}
	return nil
}
