package classcache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"

	"golang.org/x/sys/unix"

	"mallard/internal/instrument"
)

// ErrInvalid is what Open returns, wrapped, for a file that is no whole cache of this version.
var ErrInvalid = errors.New("not a class cache")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Cache is an open cache. All of it has been checked, and it is for any number of goroutines.
type Cache struct {
	file    *os.File
	data    []byte // mapped
	offsets []int  // of entries, by number
}

// Open maps a cache. The error is [fs.ErrNotExist] where there is none.
func Open(path string) (*Cache, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	c := &Cache{file: file}
	if err := c.open(); err != nil {
		c.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func (c *Cache) open() error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	if size := info.Size(); !info.Mode().IsRegular() || size < headerSize || size > MaxBytes {
		return fmt.Errorf("%w: %d bytes", ErrInvalid, size)
	}
	if c.data, err = unix.Mmap(int(c.file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED); err != nil {
		return err
	}
	return c.check()
}

// check reads everything once.
func (c *Cache) check() error {
	le := binary.LittleEndian
	b := c.data
	slots, entries := le.Uint32(b[12:]), le.Uint32(b[16:])
	switch {
	case string(b[:8]) != magic || le.Uint32(b[8:]) != version:
		return fmt.Errorf("%w: another format", ErrInvalid)
	case le.Uint64(b[24:]) != uint64(len(b)) || crc32.Checksum(b[24:], castagnoli) != le.Uint32(b[20:]):
		return fmt.Errorf("%w: damaged", ErrInvalid)
	case slots > maxSlots || slots != slotsFor(int(entries)) || headerSize+slotSize*uint64(slots) > uint64(len(b)):
		return fmt.Errorf("%w: %d slots for %d entries", ErrInvalid, slots, entries)
	}
	c.offsets = make([]int, entries)
	for i := range slots {
		at := uint64(le.Uint32(b[headerSize+slotSize*i:])) * unit
		if at == 0 {
			continue
		}
		n, end := c.entryAt(at)
		if end > uint64(len(b)) || n >= entries || c.offsets[n] != 0 {
			return fmt.Errorf("%w: an entry at %d", ErrInvalid, at)
		}
		c.offsets[n] = int(at)
	}
	for n, at := range c.offsets {
		if at == 0 {
			return fmt.Errorf("%w: no entry %d", ErrInvalid, n)
		}
		if err := c.Entry(n).check(); err != nil {
			return err
		}
	}
	return nil
}

// entryAt gives the number and the end of an entry; an end beyond the file if it is not within.
func (c *Cache) entryAt(at uint64) (number uint32, end uint64) {
	if at+entryHeader > uint64(len(c.data)) {
		return 0, at + entryHeader
	}
	e := c.data[at:]
	word := func(i int) uint64 { return uint64(binary.LittleEndian.Uint32(e[i:])) }
	return uint32(word(8)), at + entryHeader + padded(4*word(24)) + padded(word(12)) + padded(word(16)) + word(28)
}

// Close unmaps the cache: nothing it gave may be used any more.
func (c *Cache) Close() error {
	if c.data != nil {
		unix.Munmap(c.data)
		c.data = nil
	}
	return c.file.Close()
}

// Len is the number of entries, which are numbered from 0.
func (c *Cache) Len() int { return len(c.offsets) }

// Path is where the cache was opened, and Identity what tells its file from one that has taken its place since.
func (c *Cache) Path() string { return c.file.Name() }

// Identity is the device and the inode of the file.
func (c *Cache) Identity() (device, inode uint64, err error) {
	var s unix.Stat_t
	err = unix.Fstat(int(c.file.Fd()), &s)
	return s.Dev, s.Ino, err
}

// Entry is a class in the cache. Its memory is the cache's.
type Entry struct {
	Class     []byte // as it was
	Rewritten []byte // empty: it stays so
	Counters  uint32

	hash    uint64
	patches []byte // 32-bit words: offsets in Rewritten
	meaning []byte
}

// Entry gives an entry by its number.
func (c *Cache) Entry(number int) Entry {
	b := c.data[c.offsets[number]:]
	le := binary.LittleEndian
	e := Entry{hash: le.Uint64(b), Counters: le.Uint32(b[20:])}
	rest := b[entryHeader:]
	part := func(n uint32) (p []byte) {
		p = rest[:n:n]
		rest = rest[min(padded(uint64(n)), uint64(len(rest))):]
		return p
	}
	e.patches = part(4 * le.Uint32(b[24:]))
	e.Class = part(le.Uint32(b[12:]))
	e.Rewritten = part(le.Uint32(b[16:]))
	e.meaning = part(le.Uint32(b[28:]))
	return e
}

// check looks at what the agent relies on.
func (e Entry) check() error {
	for p := e.patches; len(p) > 0; p = p[4:] {
		if at := binary.LittleEndian.Uint32(p); uint64(at)+4 > uint64(len(e.Rewritten)) {
			return fmt.Errorf("%w: a patch at %d of %d", ErrInvalid, at, len(e.Rewritten))
		}
	}
	return nil
}

// Result gives what instrumenting the class gave, with relative counter numbers. Its Bytes are the cache's.
func (e Entry) Result() (*instrument.Result, error) {
	patches := make([]int, len(e.patches)/4)
	for i := range patches {
		patches[i] = int(binary.LittleEndian.Uint32(e.patches[4*i:]))
	}
	return instrument.Restore(e.Rewritten, e.Counters, patches, e.meaning)
}

// Find looks a class up; false where it is not in the cache.
func (c *Cache) Find(class []byte) (number int, found bool) {
	le := binary.LittleEndian
	slots := le.Uint32(c.data[12:])
	h := hashOf(class)
	for i := uint32(h) & (slots - 1); ; i = (i + 1) & (slots - 1) {
		at := uint64(le.Uint32(c.data[headerSize+slotSize*i:])) * unit
		if at == 0 {
			return 0, false
		}
		n := int(le.Uint32(c.data[at+8:]))
		if e := c.Entry(n); e.hash == h && bytes.Equal(e.Class, class) {
			return n, true
		}
	}
}
