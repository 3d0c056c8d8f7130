package classcache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/instrument"
)

// ErrInvalid is what Open returns, wrapped, for a file that is no whole cache of this version.
var ErrInvalid = errors.New("not a class cache")

// Cache is an open cache, for any number of goroutines.
type Cache struct {
	file    *os.File
	data    []byte // mapped
	table   []byte // the slots
	slots   uint32
	entries int
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
	if size := info.Size(); !info.Mode().IsRegular() || size < abi.CacheHeaderBytes || size > MaxBytes {
		return fmt.Errorf("%w: %d bytes", ErrInvalid, size)
	}
	if c.data, err = unix.Mmap(int(c.file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED); err != nil {
		return err
	}
	return c.check()
}

// check looks at the header. What cannot be told from it is found out when an entry is used.
func (c *Cache) check() error {
	le := binary.LittleEndian
	b := c.data
	slots, table := le.Uint32(b[abi.CacheSlots:]), le.Uint64(b[abi.CacheTable:])
	switch {
	case string(b[abi.CacheMagic:][:len(magic)]) != magic || le.Uint32(b[abi.CacheVersionAt:]) != abi.CacheVersion:
		return fmt.Errorf("%w: another format", ErrInvalid)
	case le.Uint32(b[abi.CacheSum:]) != headerSum(b) || le.Uint64(b[abi.CacheFileBytes:]) != uint64(len(b)):
		return fmt.Errorf("%w: damaged", ErrInvalid)
	case slots == 0 || slots > maxSlots || slots&(slots-1) != 0 || table < abi.CacheHeaderBytes ||
		table > uint64(len(b)) || abi.CacheSlot*uint64(slots) > uint64(len(b))-table:
		return fmt.Errorf("%w: %d slots", ErrInvalid, slots)
	}
	c.slots, c.table, c.entries = slots, b[table:], int(le.Uint32(b[abi.CacheEntries:]))
	return nil
}

func headerSum(b []byte) uint32 {
	var all [abi.CacheHeaderBytes]byte
	copy(all[:], b)
	clear(all[abi.CacheSum:][:4])
	return uint32(hashOf(all[:]))
}

// Close unmaps the cache: nothing it gave may be used any more.
func (c *Cache) Close() error {
	if c.data != nil {
		unix.Munmap(c.data)
		c.data = nil
	}
	return c.file.Close()
}

// Forget lets the system have the memory back that reading the cache took. It is read again where it is wanted.
func (c *Cache) Forget() { unix.Madvise(c.data, unix.MADV_DONTNEED) }

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
		offset = uint64(binary.LittleEndian.Uint32(c.table[abi.CacheSlot*(i&(c.slots-1)):])) * abi.CacheUnit
		if offset == 0 {
			break
		}
		if e, err := c.At(offset); err == nil && e.hash == hash && bytes.Equal(e.Class, class) {
			return e, offset, e.whole()
		}
	}
	return Entry{}, 0, false
}

// Entry is a class in the cache. Its memory is the cache's.
type Entry struct {
	Class     []byte // as it was
	Rewritten []byte // empty: it stays so
	Counters  uint32
	Metadata  []byte // encoded, see [instrument.Result.Full]

	hash     uint64
	patches  []byte // 32-bit words: offsets in Rewritten
	counting []byte // patches and Rewritten as they stand in the file
	sums     [2]uint64
}

// whole reports whether all of an entry is as it was written.
func (e Entry) whole() bool {
	return hashOf(e.Class) == e.hash && hashOf(e.counting) == e.sums[0] && hashOf(e.Metadata) == e.sums[1]
}

// At gives the entry that begins at an offset, as the agent names it after it has found the entry whole. An error is
// ErrInvalid, wrapped.
func (c *Cache) At(offset uint64) (e Entry, err error) {
	size := uint64(len(c.data))
	if offset < abi.CacheHeaderBytes || offset%abi.CacheUnit != 0 || offset+abi.EntryBytes > size {
		return e, fmt.Errorf("%w: no entry at %d", ErrInvalid, offset)
	}
	b := c.data[offset:]
	le := binary.LittleEndian
	word := func(at int) uint64 { return uint64(le.Uint32(b[at:])) }
	class, rewritten, patches, metadata := word(abi.EntryClass), word(abi.EntryNew), 4*word(abi.EntryPatches),
		word(abi.EntryMetadata)
	if padded(class)+padded(patches)+padded(rewritten)+padded(metadata) > size-offset-abi.EntryBytes {
		return e, fmt.Errorf("%w: an entry at %d is cut off", ErrInvalid, offset)
	}
	e = Entry{Counters: le.Uint32(b[abi.EntryCounters:]), hash: le.Uint64(b[abi.EntryHash:]),
		sums: [2]uint64{le.Uint64(b[abi.EntryCountingHash:]), le.Uint64(b[abi.EntryMetadataHash:])}}
	rest := b[abi.EntryBytes:]
	part := func(n uint64) (p []byte) {
		p, rest = rest[:n:n], rest[padded(n):]
		return p
	}
	e.Class = part(class)
	e.counting = rest[:padded(patches)+padded(rewritten)]
	e.patches, e.Rewritten, e.Metadata = part(patches), part(rewritten), part(metadata)
	return e, nil
}

// Result gives what instrumenting the class gave, with relative counter numbers. Its Bytes are the cache's.
func (e Entry) Result() (*instrument.Result, error) {
	patches := make([]int, len(e.patches)/4)
	for i := range patches {
		patches[i] = int(binary.LittleEndian.Uint32(e.patches[4*i:]))
	}
	return instrument.Restore(e.Rewritten, e.Counters, patches, e.Metadata)
}

// Summary gives what a reader of counts has to know of it; see [instrument.Summary].
func (e Entry) Summary() (*instrument.Result, error) {
	return instrument.Summary(e.Rewritten, e.Counters, e.Metadata)
}

// All calls yield with every entry that is whole, in the order in which they were added.
func (c *Cache) All(yield func(Entry) bool) {
	offsets := make([]uint64, 0, c.entries)
	for i := range c.slots {
		if at := binary.LittleEndian.Uint32(c.table[abi.CacheSlot*i:]); at != 0 {
			offsets = append(offsets, uint64(at)*abi.CacheUnit)
		}
	}
	slices.Sort(offsets)
	for _, offset := range offsets {
		if e, err := c.At(offset); err == nil && e.whole() && !yield(e) {
			return
		}
	}
}
