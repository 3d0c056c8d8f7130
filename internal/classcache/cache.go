package classcache

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
)

// Cache is an open cache, for any number of goroutines.
type Cache struct {
	file    *os.File
	bytes   uint64 // of the file, when it was opened
	table   uint64 // where the slots are
	slots   uint32
	entries int
	names   names
}

// Open opens a cache. The error is [fs.ErrNotExist] where there is none.
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
	size := info.Size()
	if !info.Mode().IsRegular() || size < abi.CacheHeaderBytes || size > MaxBytes {
		return fmt.Errorf("%w: %d bytes", ErrInvalid, size)
	}
	c.bytes = uint64(size)
	header, err := c.read(0, abi.CacheHeaderBytes)
	if err != nil {
		return err
	}
	if err := c.check(header); err != nil {
		return err
	}
	return c.readNames(header)
}

// readNames reads the names that a header says there are.
func (c *Cache) readNames(header []byte) error {
	le := binary.LittleEndian
	start, size := le.Uint64(header[abi.CacheNames:]), le.Uint64(header[abi.CacheNamesBytes:])
	if start > c.bytes || size > c.bytes-start {
		return fmt.Errorf("%w: names at %d", ErrInvalid, start)
	}
	b, err := c.read(start, size)
	if err != nil {
		return err
	}
	if hashOf(b) != le.Uint64(header[abi.CacheNamesHash:]) {
		return fmt.Errorf("%w: the names are damaged", ErrInvalid)
	}
	c.names = names{encoded: string(b), count: int(le.Uint32(header[abi.CacheNamed:]))}
	if uint64(c.names.count) > size {
		return fmt.Errorf("%w: %d names in %d bytes", ErrInvalid, c.names.count, size)
	}
	c.names.decoded = sync.OnceValue(c.names.decode)
	return nil
}

// Names are how many names the cache's methods and calls have, and what gives them in the order of their numbers, from
// abi.FirstName on.
func (c *Cache) Names() (n int, names func() []string) { return c.names.count, c.names.decoded }

// read reads so many bytes at an offset. The file may have become shorter since it was opened, or another.
func (c *Cache) read(offset, n uint64) ([]byte, error) {
	b := make([]byte, n)
	return b, c.readInto(b, offset)
}

func (c *Cache) readInto(b []byte, offset uint64) error {
	if _, err := c.file.ReadAt(b, int64(offset)); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return nil
}

// check looks at the header. What cannot be told from it is found out when an entry is used.
func (c *Cache) check(header []byte) error {
	le := binary.LittleEndian
	slots, table := le.Uint32(header[abi.CacheSlots:]), le.Uint64(header[abi.CacheTable:])
	switch {
	case string(header[abi.CacheMagic:][:len(magic)]) != magic ||
		le.Uint32(header[abi.CacheVersionAt:]) != abi.CacheVersion:
		return fmt.Errorf("%w: another format", ErrInvalid)
	case le.Uint32(header[abi.CacheSum:]) != headerSum(header) || le.Uint64(header[abi.CacheFileBytes:]) != c.bytes:
		return fmt.Errorf("%w: damaged", ErrInvalid)
	case slots == 0 || slots > maxSlots || slots&(slots-1) != 0 || table < abi.CacheHeaderBytes ||
		table > c.bytes || abi.CacheSlot*uint64(slots) > c.bytes-table:
		return fmt.Errorf("%w: %d slots", ErrInvalid, slots)
	}
	c.slots, c.table, c.entries = slots, table, int(le.Uint32(header[abi.CacheEntries:]))
	return nil
}

func headerSum(b []byte) uint32 {
	var all [abi.CacheHeaderBytes]byte
	copy(all[:], b)
	clear(all[abi.CacheSum:][:4])
	return uint32(hashOf(all[:]))
}

// Close closes the file.
func (c *Cache) Close() error { return c.file.Close() }

// Len is the number of entries, which are numbered from 0.
func (c *Cache) Len() int { return c.entries }

// Identity is the device and the inode of the file, which tell it from one that has taken its place since.
func (c *Cache) Identity() (device, inode uint64, err error) {
	var s unix.Stat_t
	err = unix.Fstat(int(c.file.Fd()), &s)
	return s.Dev, s.Ino, err
}

// Find looks a class up, as the agent does; false where it is not in the cache, or not whole. The offset is the
// entry's, see [Cache.At].
func (c *Cache) Find(class []byte) (e Entry, offset uint64, found bool) {
	hash := hashOf(class)
	for n, i := uint32(0), uint32(hash); n < c.slots; n, i = n+1, i+1 {
		slot, err := c.read(c.table+abi.CacheSlot*uint64(i&(c.slots-1)), abi.CacheSlot)
		if err != nil {
			break
		}
		if offset = uint64(binary.LittleEndian.Uint32(slot)) * abi.CacheUnit; offset == 0 {
			break
		}
		if e, err := c.At(offset); err == nil && e.hash == hash && bytes.Equal(e.Class, class) {
			return e, offset, true
		}
	}
	return Entry{}, 0, false
}

// At reads the entry that begins at an offset, as the agent names it after it has found it, and checks that it is
// whole. An error is ErrInvalid, wrapped.
func (c *Cache) At(offset uint64) (Entry, error) { return c.AtIn(offset, new([]byte)) }

// AtIn is At with an entry in memory that the caller has had for others, which grows as needed.
func (c *Cache) AtIn(offset uint64, memory *[]byte) (e Entry, err error) {
	if offset < abi.CacheHeaderBytes || offset%abi.CacheUnit != 0 || offset+abi.EntryBytes > c.bytes {
		return e, fmt.Errorf("%w: no entry at %d", ErrInvalid, offset)
	}
	b := slices.Grow((*memory)[:0], abi.EntryBytes)[:abi.EntryBytes]
	if err := c.readInto(b, offset); err != nil {
		return e, err
	}
	le := binary.LittleEndian
	e = Entry{names: c.names, hash: le.Uint64(b[abi.EntryHash:]),
		sums: [2]uint64{le.Uint64(b[abi.EntryCountingHash:]), le.Uint64(b[abi.EntryMetadataHash:])}}
	l := readLengths(b)
	if l.size() > c.bytes-offset-abi.EntryBytes {
		return e, fmt.Errorf("%w: an entry at %d is cut off", ErrInvalid, offset)
	}
	rest := slices.Grow(b[:0], int(l.size()))[:l.size()]
	*memory = rest
	if err := c.readInto(rest, offset+abi.EntryBytes); err != nil {
		return e, err
	}
	e.divide(&l, rest)
	if !e.whole() {
		return e, fmt.Errorf("%w: an entry at %d is damaged", ErrInvalid, offset)
	}
	return e, nil
}

// All calls yield with every entry that is whole, in the order in which they were added.
func (c *Cache) All(yield func(Entry) bool) {
	table, err := c.read(c.table, abi.CacheSlot*uint64(c.slots))
	if err != nil {
		return
	}
	offsets := make([]uint64, 0, c.entries)
	for ; len(table) > 0; table = table[abi.CacheSlot:] {
		if at := binary.LittleEndian.Uint32(table); at != 0 {
			offsets = append(offsets, uint64(at)*abi.CacheUnit)
		}
	}
	slices.Sort(offsets)
	for _, offset := range offsets {
		if e, err := c.At(offset); err == nil && !yield(e) {
			return
		}
	}
}
