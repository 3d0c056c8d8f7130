package classfile

import (
	"encoding/binary"
	"fmt"
)

// PC is an offset into the bytecode of a method, or the length of a range of
// it. Slot is the number of a local variable.
type (
	PC   = uint16
	Slot = uint16
)

// Code is the Code attribute of a method (JVMS 4.7.3). Bytecode is not looked
// into.
type Code struct {
	MaxStack, MaxLocals uint16
	Bytecode            []byte
	Handlers            []Handler
	Attributes          []Attribute
}

// A Handler is an entry of a method's exception table: it catches what is
// thrown in [StartPC, EndPC). CatchType is a Class constant, 0 for everything.
type Handler struct {
	StartPC, EndPC, HandlerPC PC
	CatchType                 PoolIndex
}

// handlerSize is the size of a Handler in the class file.
const handlerSize = 2 + 2 + 2 + 2

// DecodeCode decodes the contents of a Code attribute; the result aliases info.
//
// Decoding and encoding of Code are written out, unlike those of the other
// attributes, because they run for every method of every class.
func DecodeCode(info []byte) (*Code, error) {
	r := reader{b: info}
	a := new(Code)
	a.decode(&r)
	if r.err == nil && r.pos < len(info) {
		r.err = fmt.Errorf("%d bytes follow the attribute", len(info)-r.pos)
	}
	if r.err != nil {
		return nil, fmt.Errorf("classfile: Code: byte %d: %w", r.pos, r.err)
	}
	return a, nil
}

func (a *Code) decode(r *reader) {
	a.MaxStack, a.MaxLocals = r.u2(), r.u2()
	length := r.u4()
	if r.err == nil {
		r.err = checkCodeLength(int64(length))
	}
	if r.need(int(length)) {
		end := r.pos + int(length)
		a.Bytecode = r.b[r.pos:end:end]
		r.pos = end
	}
	if n := r.table(handlerSize); n > 0 {
		a.Handlers = make([]Handler, n)
		for i := range a.Handlers {
			b := r.b[r.pos : r.pos+handlerSize]
			a.Handlers[i] = Handler{
				StartPC:   binary.BigEndian.Uint16(b),
				EndPC:     binary.BigEndian.Uint16(b[2:]),
				HandlerPC: binary.BigEndian.Uint16(b[4:]),
				CatchType: index(b[6:]),
			}
			r.pos += handlerSize
		}
	}
	a.Attributes = r.attributes()
}

// AppendTo appends the contents of the attribute, the inverse of DecodeCode.
// Bytecode that is empty or longer than MaxCodeBytes is an error.
func (a *Code) AppendTo(dst []byte) ([]byte, error) {
	dst, err := a.encode(dst)
	if err != nil {
		return nil, fmt.Errorf("classfile: Code: %w", err)
	}
	return dst, nil
}

func (a *Code) encode(dst []byte) ([]byte, error) {
	if err := checkCodeLength(int64(len(a.Bytecode))); err != nil {
		return nil, err
	}
	dst = binary.BigEndian.AppendUint16(dst, a.MaxStack)
	dst = binary.BigEndian.AppendUint16(dst, a.MaxLocals)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(a.Bytecode)))
	dst = append(dst, a.Bytecode...)
	dst, err := appendCount(dst, len(a.Handlers), "handlers")
	if err != nil {
		return nil, err
	}
	for _, h := range a.Handlers {
		dst = binary.BigEndian.AppendUint16(dst, h.StartPC)
		dst = binary.BigEndian.AppendUint16(dst, h.EndPC)
		dst = binary.BigEndian.AppendUint16(dst, h.HandlerPC)
		dst = binary.BigEndian.AppendUint16(dst, uint16(h.CatchType))
	}
	return appendAttributes(dst, a.Attributes)
}

func checkCodeLength(n int64) error {
	if n == 0 || n > MaxCodeBytes {
		return fmt.Errorf("code_length %d is not between 1 and %d", n, MaxCodeBytes)
	}
	return nil
}

// layout lets Code be an Info like the other attributes.
func (a *Code) layout(c *codec) {
	if c.check != nil {
		checkCode(c)
		return
	}
	var err error
	if c.encoding {
		c.out, err = a.encode(c.out)
	} else {
		r := reader{b: c.in}
		a.decode(&r)
		c.in, err = c.in[r.pos:], r.err
	}
	if err != nil {
		c.fail(err)
	}
}

// checkCode is the layout of a Code attribute whose indexes are checked.
func checkCode(c *codec) {
	if c.take(2+2) == nil { // max_stack, max_locals
		return
	}
	var bytecode []byte
	if c.sized(&bytecode); c.err != nil {
		return
	}
	c.fail(c.check.code(bytecode))
	list(c, new([]Handler), handlerSize, func(h *Handler, c *codec) {
		c.take(2 + 2 + 2)
		c.index(&h.CatchType)
	})
	c.attributes(new([]Attribute), InCode)
}
