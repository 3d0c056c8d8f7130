package classcache

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/instrument"
)

// errFull says that a cache has no room for another entry.
var errFull = errors.New("class cache: full")

// Builder writes a new cache as its entries come, so that they take no memory. It ends with Finish or Discard.
type Builder struct {
	file    *os.File
	w       *bufio.Writer
	at      uint64 // length so far
	entries []indexed
	hashes  map[uint64]bool
	names   newNames
	err     error // the first
}

// placed is where an entry is.
type indexed struct{ hash, offset uint64 }

// NewBuilder starts a cache in a folder, under a name that is nobody's.
func NewBuilder(folder string) (*Builder, error) {
	removeAbandoned(folder)
	file, err := os.CreateTemp(folder, unfinished)
	if err != nil {
		return nil, err
	}
	unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) // says that it is being written; without it is removed late
	b := &Builder{file: file, w: bufio.NewWriterSize(file, 64<<10), hashes: map[uint64]bool{},
		names: newNames{numbers: map[string]uint32{}}}
	b.write(make([]byte, abi.CacheHeaderBytes))
	return b, nil
}

// unfinished is what caches are called that are being written, or were when their recorder was killed.
const unfinished = "new-*.cache"

// abandonedAfter is how old a file is at least that nobody writes any more: its lock comes a moment after itself.
const abandonedAfter = time.Minute

// removeAbandoned removes what killed recorders have left.
func removeAbandoned(folder string) {
	paths, _ := filepath.Glob(filepath.Join(folder, unfinished)) // the pattern is well formed
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		info, err := file.Stat()
		if err == nil && time.Since(info.ModTime()) > abandonedAfter &&
			unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			os.Remove(path)
		}
		file.Close()
	}
}

// Has reports whether there is an entry with the hash of a class. Two classes with one hash would be a pity and no
// mistake: only the first is kept.
func (b *Builder) Has(class []byte) bool { return b.hashes[hashOf(class)] }

// Len is the number of entries.
func (b *Builder) Len() int { return len(b.entries) }

// Add appends a class and what was made of it, to which numbers were added, its metadata, encoded
// ([instrument.Result.Metadata]), and its methods with contexts. It gives the place of the class for Read.
func (b *Builder) Add(class []byte, r *instrument.Result, metadata []byte, added instrument.Numbers,
	methods []calltree.Method) (at uint64, err error) {
	at = b.at + abi.EntryBytes
	e := newEntry(class, r, metadata, added)
	e.Contexts.Rows = calltree.RowsOf(methods, func(name string) uint32 {
		switch name {
		case "":
			return 0
		case calltree.Lambda:
			return abi.LambdaName
		}
		return b.names.number(name)
	})
	e.count()
	return at, b.append(&e)
}

// Read gives what was added with n bytes again, until Finish or Discard.
func (b *Builder) Read(at uint64, n int) ([]byte, error) {
	if err := b.w.Flush(); err != nil {
		return nil, err
	}
	class := make([]byte, n)
	_, err := b.file.ReadAt(class, int64(at))
	return class, err
}

// Copy appends an entry of another cache, if there is none with its hash. The entry is changed.
func (b *Builder) Copy(e Entry) error {
	if b.hashes[e.hash] {
		return b.err
	}
	e.Contexts.Rows.Rename(func(number uint32) uint32 {
		if name, ok := e.names.name(number); ok {
			return b.names.number(name)
		}
		return number
	})
	e.sums[0] = e.countingSum()
	return b.append(&e)
}

func (b *Builder) append(e *Entry) error {
	if b.hashes[e.hash] || b.err != nil {
		return b.err
	}
	l := e.lengths()
	after := uint64(abi.CacheSlot)*uint64(slotsFor(len(b.entries)+1)) + padded(uint64(len(b.names.encoded)))
	if b.at+abi.EntryBytes+l.size()+after > MaxBytes || slotsFor(len(b.entries)+1) > maxSlots {
		return errFull
	}
	b.hashes[e.hash] = true
	b.entries = append(b.entries, indexed{e.hash, b.at})
	b.write(e.header())
	b.write(e.Class)
	b.write(e.counting)
	b.write(e.Metadata)
	return b.err
}

// write appends a part and fills up its last abi.CacheUnit.
func (b *Builder) write(part []byte) {
	n := padded(uint64(len(part)))
	for _, p := range [][]byte{part, make([]byte, n-uint64(len(part)))} {
		if b.err == nil {
			_, b.err = b.w.Write(p)
		}
	}
	b.at += n
}

// Finish puts the cache where path says, in one step. Whoever has the old one open keeps it.
func (b *Builder) Finish(path string) error {
	err := b.finish()
	if err == nil {
		err = os.Rename(b.file.Name(), path)
	}
	if err != nil {
		os.Remove(b.file.Name())
		return fmt.Errorf("class cache: %w", err)
	}
	return nil
}

func (b *Builder) finish() error {
	defer b.file.Close()
	le := binary.LittleEndian
	slots := slotsFor(len(b.entries))
	table := make([]byte, abi.CacheSlot*slots)
	for _, e := range b.entries {
		i := uint32(e.hash) & (slots - 1)
		for le.Uint32(table[abi.CacheSlot*i:]) != 0 {
			i = (i + 1) & (slots - 1)
		}
		le.PutUint32(table[abi.CacheSlot*i:], uint32(e.offset/abi.CacheUnit))
	}
	header := make([]byte, abi.CacheHeaderBytes)
	copy(header[abi.CacheMagic:], magic)
	le.PutUint32(header[abi.CacheVersionAt:], abi.CacheVersion)
	le.PutUint32(header[abi.CacheSlots:], slots)
	le.PutUint32(header[abi.CacheEntries:], uint32(len(b.entries)))
	le.PutUint64(header[abi.CacheNames:], b.at)
	le.PutUint64(header[abi.CacheNamesBytes:], uint64(len(b.names.encoded)))
	le.PutUint64(header[abi.CacheNamesHash:], hashOf(b.names.encoded))
	le.PutUint32(header[abi.CacheNamed:], uint32(len(b.names.numbers)))
	b.write(b.names.encoded)
	le.PutUint64(header[abi.CacheTable:], b.at)
	b.write(table)
	le.PutUint64(header[abi.CacheFileBytes:], b.at)
	le.PutUint32(header[abi.CacheSum:], headerSum(header))
	if b.err == nil {
		b.err = b.w.Flush()
	}
	if b.err == nil {
		_, b.err = b.file.WriteAt(header, 0)
	}
	return b.err
}

// Discard leaves nothing behind.
func (b *Builder) Discard() {
	b.file.Close()
	os.Remove(b.file.Name())
}
