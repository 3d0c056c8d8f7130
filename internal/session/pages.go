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

// pages reads the memory in which threads count, while they do. The file outlives the JVM, so the last values are there even if it was killed.
type pages struct {
	file      *os.File
	pageBytes int64
	memory    []byte // mapped: the table of states and the mail
	mail      *wire.Mail
	count     uint32
	buffer    []byte
}

// newPages takes over the descriptor that the agent sent.
func newPages(file *os.File, count, pageBytes uint32) (*pages, error) {
	if count > wire.MaxPages {
		return nil, fmt.Errorf("%d pages, at most %d", count, wire.MaxPages)
	}
	if pageBytes != wire.PageBytes && pageBytes != wire.SmallPageBytes {
		return nil, fmt.Errorf("pages of %d bytes", pageBytes)
	}
	memory, err := unix.Mmap(int(file.Fd()), 0, wire.PagesOffset, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &pages{file: file, pageBytes: int64(pageBytes), memory: memory, mail: wire.NewMail(memory), count: count, buffer: make([]byte, 64<<10)}, nil
}

func (p *pages) close() {
	unix.Munmap(p.memory)
	p.file.Close()
}

func (p *pages) state(page uint32) *uint32 { return (*uint32)(unsafe.Pointer(&p.memory[4*page])) }

// virtual reports whether virtual threads count in a page.
func (p *pages) virtual(page uint32) bool {
	state := atomic.LoadUint32(p.state(page))
	return state == wire.PageVirtual || state == wire.PageVirtualIdle
}

// check refuses the number of a page that there is not.
func (p *pages) check(page uint32) error {
	if page >= p.count {
		return fmt.Errorf("page %d of %d", page, p.count)
	}
	return nil
}

// used lists the pages that threads have taken, ended ones included.
func (p *pages) used() []uint32 {
	var list []uint32
	for page := range p.count {
		if atomic.LoadUint32(p.state(page)) != wire.PageFree {
			list = append(list, page)
		}
	}
	return list
}

// free gives a page back, zeroed but for the tree that the next thread takes over, if there is one.
func (p *pages) free(page uint32, tree *calltree.Thread) error {
	err := unix.Fallocate(int(p.file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, p.offset(page, 0), p.pageBytes)
	if err == nil && tree != nil {
		err = p.putTree(page, tree, 0)
	}
	if err == nil {
		atomic.StoreUint32(p.state(page), wire.PageFree)
	}
	return err
}

// clear makes counters of a page zero, whether others of it are counting or not.
func (p *pages) clear(page uint32, numbers []counterRange) error {
	for _, r := range numbers {
		err := unix.Fallocate(int(p.file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, p.offset(page, r.first), 8*int64(r.end-r.first))
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *pages) offset(page uint32, counter trace.CounterID) int64 {
	return wire.PagesOffset + int64(page)*p.pageBytes + 8*int64(counter)
}

// read calls yield with every counter in a range that is not zero, ascending. Only memory that was written to is looked at: the rest has no
// storage, and reading it through a mapping would give it some.
func (p *pages) read(page uint32, of counterRange, yield func(trace.CounterID, int64)) error {
	fd := int(p.file.Fd())
	end := p.offset(page, of.end)
	for at := p.offset(page, of.first); at < end; {
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
			first := trace.CounterID((at - p.offset(page, 0)) / 8)
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

// word gives one of the runtime classes' own words in a page; 0 where that cannot be read.
func (p *pages) word(page uint32, number trace.CounterID) uint64 {
	var word [8]byte
	if _, err := unix.Pread(int(p.file.Fd()), word[:], p.offset(page, number)); err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(word[:])
}
