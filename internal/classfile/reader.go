package classfile

import (
	"encoding/binary"
	"io"
)

// A reader walks a class file. After an error pos stays, and everything read
// is zero.
type reader struct {
	b      []byte
	pos    int
	err    error
	member string // the member in which err happened

	// Attribute tables are cut from arena, which is replaced by one of at least
	// arenaSize attributes when it is used up.
	arena     []Attribute
	arenaSize int
}

// need reports whether n more bytes are there; it is an error if not.
func (r *reader) need(n int) bool {
	if r.err == nil && n > len(r.b)-r.pos {
		r.err = io.ErrUnexpectedEOF
	}
	return r.err == nil
}

func (r *reader) u2() uint16 {
	if !r.need(2) {
		return 0
	}
	v := binary.BigEndian.Uint16(r.b[r.pos:])
	r.pos += 2
	return v
}

func (r *reader) u4() uint32 {
	if !r.need(4) {
		return 0
	}
	v := binary.BigEndian.Uint32(r.b[r.pos:])
	r.pos += 4
	return v
}

// table reads a count and checks that as many items of at least minSize bytes
// can follow.
func (r *reader) table(minSize int) int {
	n := int(r.u2())
	if !r.need(n * minSize) {
		return 0
	}
	return n
}

// attributeSize is the size of an attribute with no contents.
const attributeSize = 2 + 4

// attributes reads an attributes table. Tables share an arena; a full slice
// expression keeps an append to one of them off the next.
func (r *reader) attributes() []Attribute {
	n := r.table(attributeSize)
	if n == 0 {
		return nil
	}
	if cap(r.arena)-len(r.arena) < n {
		r.arena = make([]Attribute, 0, max(n, min(r.arenaSize, (len(r.b)-r.pos)/attributeSize)))
	}
	first := len(r.arena)
	for range n {
		if !r.need(attributeSize) {
			return nil
		}
		b := r.b[r.pos:]
		name, length := index(b), binary.BigEndian.Uint32(b[2:])
		if uint64(length) > uint64(len(b)-attributeSize) {
			r.err = io.ErrUnexpectedEOF
			return nil
		}
		end := attributeSize + int(length)
		r.arena = append(r.arena, Attribute{name, b[attributeSize:end:end]})
		r.pos += end
	}
	return r.arena[first:len(r.arena):len(r.arena)]
}
