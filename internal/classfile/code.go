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
const handlerSize = 8

// DecodeCode decodes a Code attribute; the result aliases info.
func DecodeCode(info []byte) (*Code, error) {
	r := reader{b: info}
	c := new(Code)
	c.MaxStack, c.MaxLocals = r.u2(), r.u2()
	length := r.u4()
	if r.err == nil && (length == 0 || length > MaxCodeBytes) {
		return nil, fmt.Errorf("classfile: Code: code_length is %d", length)
	}
	if r.need(int(length)) {
		end := r.pos + int(length)
		c.Bytecode = r.b[r.pos:end:end]
		r.pos = end
	}
	if n := r.table(handlerSize); n > 0 {
		c.Handlers = make([]Handler, n)
		for i := range c.Handlers {
			b := r.b[r.pos : r.pos+handlerSize]
			c.Handlers[i] = Handler{
				StartPC:   binary.BigEndian.Uint16(b),
				EndPC:     binary.BigEndian.Uint16(b[2:]),
				HandlerPC: binary.BigEndian.Uint16(b[4:]),
				CatchType: index(b[6:]),
			}
			r.pos += handlerSize
		}
	}
	c.Attributes = r.attributes()
	if r.err == nil && r.pos < len(info) {
		r.err = fmt.Errorf("%d bytes follow the attribute", len(info)-r.pos)
	}
	if r.err != nil {
		return nil, fmt.Errorf("classfile: Code: byte %d: %w", r.pos, r.err)
	}
	return c, nil
}

// AppendTo appends the contents of the attribute, the inverse of DecodeCode.
// Bytecode that is empty or longer than MaxCodeBytes is an error.
func (c *Code) AppendTo(dst []byte) ([]byte, error) {
	if len(c.Bytecode) == 0 || len(c.Bytecode) > MaxCodeBytes {
		return nil, fmt.Errorf("classfile: Code: code_length is %d", len(c.Bytecode))
	}
	dst = binary.BigEndian.AppendUint16(dst, c.MaxStack)
	dst = binary.BigEndian.AppendUint16(dst, c.MaxLocals)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(c.Bytecode)))
	dst = append(dst, c.Bytecode...)
	dst, err := appendCount(dst, len(c.Handlers), "handlers")
	if err != nil {
		return nil, err
	}
	for _, h := range c.Handlers {
		dst = binary.BigEndian.AppendUint16(dst, h.StartPC)
		dst = binary.BigEndian.AppendUint16(dst, h.EndPC)
		dst = binary.BigEndian.AppendUint16(dst, h.HandlerPC)
		dst = binary.BigEndian.AppendUint16(dst, uint16(h.CatchType))
	}
	return appendAttributes(dst, c.Attributes)
}

// layout makes Code an Info like the other attributes.
func (c *Code) layout(cc *codec) {
	if cc.encoding {
		out, err := c.AppendTo(cc.out)
		if err != nil {
			cc.fail(err)
			return
		}
		cc.out = out
		return
	}
	code, err := DecodeCode(cc.take(len(cc.in)))
	if err != nil {
		cc.fail(err)
		return
	}
	*c = *code
}
