package classcache

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"mallard/internal/instrument"
)

// Builder collects the entries of a new cache.
type Builder struct {
	entries []Entry
	size    uint64
	hashes  map[uint64]bool
}

// Has reports whether there is an entry with the hash of a class. Two classes with one hash would be a pity and no mistake: only the first is kept.
func (b *Builder) Has(class []byte) bool { return b.hashes[hashOf(class)] }

// Add appends a class and what was made of it, to which nothing has been added yet ([instrument.Result.Patch]). What no longer fits is left out. The memory of both
// must not change until the cache is written.
func (b *Builder) Add(class []byte, r *instrument.Result) error {
	meaning, err := r.Meaning()
	if err != nil {
		return err
	}
	e := Entry{Class: class, Rewritten: r.Bytes, Counters: r.Counters, hash: hashOf(class), meaning: meaning}
	for _, at := range r.Patches() {
		e.patches = binary.LittleEndian.AppendUint32(e.patches, uint32(at))
	}
	b.Copy(e)
	return nil
}

// Copy appends an entry of another cache.
func (b *Builder) Copy(e Entry) {
	size := b.size + e.size() + 4*slotSize
	if b.hashes[e.hash] || size > MaxBytes-headerSize-64*slotSize || 4*len(b.entries) >= maxSlots {
		return
	}
	if b.hashes == nil {
		b.hashes = map[uint64]bool{}
	}
	b.entries, b.size, b.hashes[e.hash] = append(b.entries, e), size, true
}

// Len is the number of entries.
func (b *Builder) Len() int { return len(b.entries) }

// Write puts the cache where path says, in one step. Whoever has the old one open keeps it.
func (b *Builder) Write(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), "classes-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it has its name
	err = b.writeTo(f)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("class cache: %w", err)
	}
	return nil
}

func (b *Builder) writeTo(f *os.File) error {
	le := binary.LittleEndian
	slots := slotsFor(len(b.entries))
	table := make([]byte, slotSize*slots)
	at := padded(headerSize + uint64(len(table)))
	for _, e := range b.entries {
		i := uint32(e.hash) & (slots - 1)
		for le.Uint32(table[slotSize*i:]) != 0 {
			i = (i + 1) & (slots - 1)
		}
		le.PutUint32(table[slotSize*i:], uint32(at/unit))
		at += e.size()
	}
	header := append([]byte(magic), make([]byte, headerSize-len(magic))...)
	le.PutUint32(header[8:], version)
	le.PutUint32(header[12:], slots)
	le.PutUint32(header[16:], uint32(len(b.entries)))
	le.PutUint64(header[24:], at)
	le.PutUint32(header[20:], headerSum(header))
	w := &blocks{w: bufio.NewWriterSize(f, 1<<20)}
	w.write(header)
	w.write(table)
	for n, e := range b.entries {
		e.Number = uint32(n)
		w.write(e.header())
		w.write(e.Class)
		w.write(e.counting())
		w.write(e.meaning)
	}
	return w.flush()
}

// counting is the part with patches and new bytes.
func (e Entry) counting() []byte {
	b := make([]byte, padded(uint64(len(e.patches)))+padded(uint64(len(e.Rewritten))))
	copy(b, e.patches)
	copy(b[padded(uint64(len(e.patches))):], e.Rewritten)
	return b
}

func (e Entry) size() uint64 {
	return entryHeader + padded(uint64(len(e.patches))) + padded(uint64(len(e.Class))) + padded(uint64(len(e.Rewritten))) + padded(uint64(len(e.meaning)))
}

func (e Entry) header() []byte {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, e.hash)
	b = le.AppendUint64(b, hashOf(e.counting()))
	b = le.AppendUint64(b, hashOf(e.meaning))
	for _, v := range []uint32{e.Number, uint32(len(e.Class)), uint32(len(e.Rewritten)), e.Counters, uint32(len(e.patches) / 4), uint32(len(e.meaning))} {
		b = le.AppendUint32(b, v)
	}
	return b
}

// blocks writes parts, each filled up to whole units. It keeps the first error.
type blocks struct {
	w   *bufio.Writer
	err error
}

func (b *blocks) write(part []byte) {
	n := uint64(len(part))
	for _, p := range [][]byte{part, make([]byte, padded(n)-n)} {
		if b.err == nil {
			_, b.err = b.w.Write(p)
		}
	}
}

func (b *blocks) flush() error {
	if b.err == nil {
		b.err = b.w.Flush()
	}
	return b.err
}
