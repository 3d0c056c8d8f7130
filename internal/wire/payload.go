package wire

import (
	"encoding/binary"
	"io"
)

// Payload reads a frame's fields in order. The first field that is not there sets the error that [Payload.Err] gives; all that follow are zero.
type Payload struct {
	rest []byte
	err  error
}

// NewPayload reads from p, which it keeps.
func NewPayload(p []byte) *Payload { return &Payload{rest: p} }

// Err is io.ErrUnexpectedEOF if a field was missing.
func (p *Payload) Err() error { return p.err }

// More says whether fields are left.
func (p *Payload) More() bool { return p.err == nil && len(p.rest) > 0 }

func (p *Payload) take(n int) []byte {
	if p.err != nil || n > len(p.rest) {
		p.err = io.ErrUnexpectedEOF
		return nil
	}
	b := p.rest[:n:n]
	p.rest = p.rest[n:]
	return b
}

// Uint32 reads a 32-bit field.
func (p *Payload) Uint32() uint32 {
	if b := p.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Uint64 reads a 64-bit field.
func (p *Payload) Uint64() uint64 {
	if b := p.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Bytes reads a block without copying it.
func (p *Payload) Bytes() []byte { return p.take(int(p.Uint32())) }

// String reads a string.
func (p *Payload) String() string { return string(p.Bytes()) }

// Blocks gives blocks one after another, each with its length, as [Payload.Bytes] reads them.
func Blocks(blocks [][]byte) []byte {
	var p []byte
	for _, b := range blocks {
		p = append(binary.LittleEndian.AppendUint32(p, uint32(len(b))), b...)
	}
	return p
}

// ClassName gives the class that a signature Lname; names (JVMS 4.3.2), and any other text as it is.
func ClassName(signature string) string {
	if n := len(signature); n > 2 && signature[0] == 'L' && signature[n-1] == ';' {
		return signature[1 : n-1]
	}
	return signature
}
