package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"mallard/internal/calltree"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// blocks reads the memory in which threads count, while they do. The file outlives the JVM, so the last values are there even if it was killed.
type blocks struct {
	file       *os.File
	blockBytes int64
	memory     []byte // mapped: states of blocks, the message ring
	ring       *wire.MessageRing
	count      uint32
	buffer     []byte
}

// newBlocks takes over the descriptor that the agent sent.
func newBlocks(file *os.File, count, blockBytes uint32) (*blocks, error) {
	if count > wire.MaxBlocks {
		return nil, fmt.Errorf("%d blocks, at most %d", count, wire.MaxBlocks)
	}
	if blockBytes != wire.BlockBytes && blockBytes != wire.SmallBlockBytes {
		return nil, fmt.Errorf("blocks of %d bytes", blockBytes)
	}
	memory, err := unix.Mmap(int(file.Fd()), 0, wire.BlocksOffset, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &blocks{file: file, blockBytes: int64(blockBytes), memory: memory, ring: wire.NewMessageRing(memory), count: count, buffer: make([]byte, 64<<10)}, nil
}

func (p *blocks) close() {
	unix.Munmap(p.memory)
	p.file.Close()
}

func (p *blocks) state(block uint32) *uint32 { return (*uint32)(unsafe.Pointer(&p.memory[4*block])) }

// virtual reports whether virtual threads count in a block.
func (p *blocks) virtual(block uint32) bool {
	state := atomic.LoadUint32(p.state(block))
	return state == wire.BlockVirtual || state == wire.BlockVirtualIdle
}

// check refuses the number of a block that there is not.
func (p *blocks) check(block uint32) error {
	if block >= p.count {
		return fmt.Errorf("block %d of %d", block, p.count)
	}
	return nil
}

// used lists the blocks that threads have taken, ended ones included.
func (p *blocks) used() []uint32 {
	var list []uint32
	for block := range p.count {
		if atomic.LoadUint32(p.state(block)) != wire.BlockFree {
			list = append(list, block)
		}
	}
	return list
}

// free gives a block back, zeroed but for the tree that the next thread takes over, if there is one.
func (p *blocks) free(block uint32, tree *calltree.Thread) error {
	err := unix.Fallocate(int(p.file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, p.offset(block, 0), p.blockBytes)
	if err == nil && tree != nil {
		err = p.putTree(block, tree, 0)
	}
	if err == nil {
		atomic.StoreUint32(p.state(block), wire.BlockFree)
	}
	return err
}

// clear makes counters of a block zero, whether others of it are counting or not.
func (p *blocks) clear(block uint32, numbers []counterRange) error {
	for _, r := range numbers {
		err := unix.Fallocate(int(p.file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, p.offset(block, r.first), 8*int64(r.end-r.first))
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *blocks) offset(block uint32, counter trace.CounterID) int64 {
	return wire.BlocksOffset + int64(block)*p.blockBytes + 8*int64(counter)
}

// read calls yield with every counter in a range that is not zero, ascending. Only memory that was written to is looked at: the rest has no
// storage, and reading it through a mapping would give it some.
func (p *blocks) read(block uint32, of counterRange, yield func(trace.CounterID, int64)) error {
	fd := int(p.file.Fd())
	end := p.offset(block, of.end)
	for at := p.offset(block, of.first); at < end; {
		start, err := unix.Seek(fd, at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) || err == nil && start >= end {
			return nil
		}
		if err != nil {
			return err
		}
		stop, err := unix.Seek(fd, start, unix.SEEK_HOLE)
		if err != nil {
			return err
		}
		for at = start; at < min(stop, end); {
			n, err := unix.Pread(fd, p.buffer[:min(int64(len(p.buffer)), min(stop, end)-at)], at)
			if err != nil {
				return err
			}
			if n < 8 {
				return fmt.Errorf("%d bytes at %d", n, at)
			}
			first := trace.CounterID((at - p.offset(block, 0)) / 8)
			for i := 0; i+8 <= n; i += 8 {
				if v := int64(binary.LittleEndian.Uint64(p.buffer[i:])); v != 0 {
					yield(first+trace.CounterID(i/8), v)
				}
			}
			at += int64(n)
		}
	}
	return nil
}

// word gives one of the runtime classes' own words in a block; 0 where that cannot be read.
func (p *blocks) word(block uint32, number trace.CounterID) uint64 {
	var word [8]byte
	if _, err := unix.Pread(int(p.file.Fd()), word[:], p.offset(block, number)); err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(word[:])
}
