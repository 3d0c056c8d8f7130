package transport

import (
	"encoding/binary"
	"io"
)

// decoder reads a payload's fields in order. The first field that is not there sets err; all that follow are zero.
type decoder struct {
	rest []byte
	err  error // io.ErrUnexpectedEOF
}

// more says whether fields are left.
func (d *decoder) more() bool { return d.err == nil && len(d.rest) > 0 }

func (d *decoder) take(n int) []byte {
	if d.err != nil || n > len(d.rest) {
		d.err = io.ErrUnexpectedEOF
		return nil
	}
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) uint32() uint32 {
	if b := d.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) uint64() uint64 {
	if b := d.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// bytes reads a block without copying it.
func (d *decoder) bytes() []byte { return d.take(int(d.uint32())) }

// packed gives a decoder of the records that a length comes before.
func (d *decoder) packed() decoder { return decoder{rest: d.bytes()} }

// left says whether p, from packed, has records left. What p lacks d lacks.
func (d *decoder) left(p *decoder) bool {
	if p.err != nil {
		d.err = p.err
	}
	return p.more()
}

func appendUint32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }

func appendUint64(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

func appendBytes[T []byte | string](b []byte, v T) []byte {
	return append(appendUint32(b, uint32(len(v))), v...)
}

// fillLength writes how many bytes follow the length at some place.
func fillLength(b []byte, at int) {
	binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
}

// A decodable is a pointer to a message.
type decodable[M any] interface {
	*M
	Decode(payload []byte) error
}

// Handle decodes a payload and passes the message on. An error is the decoder's or the handler's.
func Handle[M any, P decodable[M]](payload []byte, handle func(P) error) error {
	var m M
	if err := P(&m).Decode(payload); err != nil {
		return err
	}
	return handle(&m)
}

// ClassName gives the class that a signature Lname; names (JVMS 4.3.2), and any other text as it is.
func ClassName(signature string) string {
	if n := len(signature); n > 2 && signature[0] == 'L' && signature[n-1] == ';' {
		return signature[1 : n-1]
	}
	return signature
}
