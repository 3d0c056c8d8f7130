package bytecode

import (
	"fmt"
	"io"
)

// A cursor reads a table. After a read past the end err is set and every read
// gives 0.
type cursor struct {
	b   []byte
	err error
}

// fail notes an error and ends the table.
func (r *cursor) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

func (r *cursor) take(n int) []byte {
	if n > len(r.b) {
		r.fail(io.ErrUnexpectedEOF)
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *cursor) u1() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *cursor) u2() uint16 {
	if b := r.take(2); b != nil {
		return uint16At(b, 0)
	}
	return 0
}

// table reads the count of a table whose entries have at least size bytes.
func (r *cursor) table(size int) int {
	n := int(r.u2())
	if n*size > len(r.b) {
		r.fail(io.ErrUnexpectedEOF)
		return 0
	}
	return n
}

// finish reports a read past the end, or bytes that are left.
func (r *cursor) finish() error {
	if r.err == nil && len(r.b) > 0 {
		return fmt.Errorf("%d bytes left", len(r.b))
	}
	return r.err
}
