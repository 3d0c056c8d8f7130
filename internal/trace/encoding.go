package trace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// encoder appends the primitive values of one block's payload.
type encoder struct {
	b       []byte
	err     error             // first value that has no encoding
	strings map[string]uint64 // strings of this block, numbered from 1
}

func (e *encoder) reset() {
	e.b, e.err = e.b[:0], nil
	clear(e.strings)
}

// truncate takes back what was appended since the payload had size bytes and
// the block had known strings.
func (e *encoder) truncate(size, known int) {
	e.b, e.err = e.b[:size], nil
	for s, n := range e.strings {
		if n > uint64(known) {
			delete(e.strings, s)
		}
	}
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// uint appends an LEB128 varint.
func (e *encoder) uint(v uint64) { e.b = binary.AppendUvarint(e.b, v) }

// int appends a zigzag varint: 0, -1, 1, -2 become 0, 1, 2, 3.
func (e *encoder) int(v int64) { e.b = binary.AppendVarint(e.b, v) }

// string appends the number of a string that the block has had, or 0, the
// length and the bytes of a new one.
func (e *encoder) string(s string) {
	if n, ok := e.strings[s]; ok {
		e.uint(n)
		return
	}
	if e.strings == nil {
		e.strings = make(map[string]uint64)
	}
	e.strings[s] = uint64(len(e.strings) + 1)
	e.uint(0)
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}

// decoder reads the primitive values of one block's payload. The first error
// sticks, and everything read after it is zero. It accepts only what encoder
// writes, so that one payload is the only encoding of its records.
type decoder struct {
	payload []byte
	at      int // where the next value begins
	err     error
	version uint16 // of the format, that of the block; 0 for the newest

	strings []string // of this block, the first is number 1
	known   map[string]struct{}
}

// left returns the bytes that have not been read; after an error, none.
func (d *decoder) left() []byte { return d.payload[d.at:] }

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.at = len(d.payload)
}

var errVarint = errors.New("varint is too long")

func (d *decoder) uint() uint64 {
	if d.at < len(d.payload) && d.payload[d.at] < 0x80 {
		d.at++
		return uint64(d.payload[d.at-1])
	}
	v, n := binary.Uvarint(d.left())
	switch {
	case n == 0:
		d.fail(io.ErrUnexpectedEOF)
		return 0
	case n < 0 || d.payload[d.at+n-1] == 0:
		d.fail(errVarint)
		return 0
	}
	d.at += n
	return v
}

func (d *decoder) int() int64 {
	u := d.uint()
	return int64(u>>1) ^ -int64(u&1)
}

func (d *decoder) string() string {
	if n := d.uint(); n > 0 {
		if n > uint64(len(d.strings)) {
			d.fail(fmt.Errorf("string %d of %d", n, len(d.strings)))
			return ""
		}
		return d.strings[n-1]
	}
	n := d.count(1)
	if d.err != nil {
		return ""
	}
	s := string(d.left()[:n])
	d.at += n
	if _, ok := d.known[s]; ok {
		d.fail(fmt.Errorf("string %q is spelt out twice", s))
		return ""
	}
	if d.known == nil {
		d.known = make(map[string]struct{})
	}
	d.known[s] = struct{}{}
	d.strings = append(d.strings, s)
	return s
}

// count reads the length of a list whose items take at least size bytes each.
func (d *decoder) count(size int) int {
	n := d.uint()
	if n > uint64(len(d.left())/size) {
		d.fail(io.ErrUnexpectedEOF)
		return 0
	}
	return int(n)
}
