package bytecode

import (
	"errors"
	"fmt"
	"io"

	"mallard/internal/classfile"
)

// Decode takes a Code attribute apart. The result shares the bytes of opaque
// attributes and annotations with c, nothing else.
//
// It fails if the bytes are not a sequence of instructions, if a branch, switch
// or handler names an offset where no instruction starts, or if the lengths
// inside a table with labels do not add up; such a body cannot pass
// verification, or would not load. Memory is bounded by a multiple of the
// attribute's size.
func Decode(c *classfile.Code, p *classfile.Pool) (*Code, error) {
	if n := len(c.Bytecode); n == 0 || n > classfile.MaxCodeBytes {
		return nil, fmt.Errorf("bytecode: code length %d", n)
	}
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	out := &Code{MaxStack: c.MaxStack, MaxLocals: c.MaxLocals}
	if err := d.split(c.Bytecode); err != nil {
		return nil, fmt.Errorf("bytecode: %w", err)
	}
	out.pcs = append(make([]int32, 0, len(d.pcs)), d.pcs...)
	if err := d.instructions(out, c.Bytecode); err != nil {
		return nil, fmt.Errorf("bytecode: %w", err)
	}
	if err := d.handlers(out, c.Handlers); err != nil {
		return nil, fmt.Errorf("bytecode: %w", err)
	}
	if err := d.attributes(out, c.Attributes, p); err != nil {
		return nil, fmt.Errorf("bytecode: %w", err)
	}
	return out, nil
}

// split finds where instructions start.
func (d *decoder) split(b []byte) error {
	d.pcs = d.pcs[:0]
	if cap(d.index) <= len(b) {
		d.index = make([]int32, len(b)+1, 2*len(b)+1)
	}
	d.index = d.index[:len(b)+1]
	for pc := 0; pc < len(b); {
		size := int(opcodeSize[b[pc]])
		if size == 0 {
			var err error
			if size, err = variableSize(b, pc); err != nil {
				return fmt.Errorf("pc %d: %w", pc, err)
			}
		}
		if size > len(b)-pc {
			return fmt.Errorf("pc %d: %s: %w", pc, Opcode(b[pc]), io.ErrUnexpectedEOF)
		}
		d.index[pc] = int32(len(d.pcs))
		d.pcs = append(d.pcs, int32(pc))
		pc += size
	}
	d.index[len(b)] = int32(len(d.pcs))
	d.pcs = append(d.pcs, int32(len(b)))
	return nil
}

// opcodeSize is the length of the instruction that begins with a byte; 0 for
// wide, the switches and what is no opcode.
var opcodeSize = func() (size [256]uint8) {
	for b := range size {
		op := Opcode(b)
		if op.Valid() && !op.IsSwitch() {
			size[b] = uint8(Instruction{Op: op}.size())
		}
	}
	return size
}()

// variableSize returns the length of what opcodeSize does not know.
func variableSize(b []byte, pc int) (int, error) {
	op := Opcode(b[pc])
	switch {
	case op == OpWide:
		if pc+1 >= len(b) {
			return 0, io.ErrUnexpectedEOF
		}
		if op = Opcode(b[pc+1]); !op.canBeWide() {
			return 0, fmt.Errorf("wide %s", op)
		}
		return Instruction{Op: op, Wide: true}.size(), nil
	case op.IsSwitch():
		size, err := switchSize(b, pc)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", op, err)
		}
		return size, nil
	}
	return 0, errors.New(op.String())
}

// instructions decodes the instructions that split found.
func (d *decoder) instructions(out *Code, b []byte) error {
	out.Insns = make([]Instruction, len(d.pcs)-1)
	for i := range out.Insns {
		pc := int(d.pcs[i])
		in := &out.Insns[i]
		in.Op = Opcode(b[pc])
		if in.Op == OpWide {
			in.Op, in.Wide, in.Arg = Opcode(b[pc+1]), true, int32(uint16At(b, pc+2))
			if in.Op == OpIinc {
				in.Extra = int16(uint16At(b, pc+4))
			}
			continue
		}
		switch opcodes[in.Op].operands {
		case Int8:
			in.Arg = int32(int8(b[pc+1]))
		case Int16:
			in.Arg = int32(int16(uint16At(b, pc+1)))
		case Constant8, Local, ArrayType:
			in.Arg = int32(b[pc+1])
		case Increment:
			in.Arg, in.Extra = int32(b[pc+1]), int16(int8(b[pc+2]))
		case Constant, Field, Method, Class:
			in.Arg = int32(uint16At(b, pc+1))
		case InterfaceMethod, Dynamic:
			in.Arg, in.Extra = int32(uint16At(b, pc+1)), int16(uint16At(b, pc+3))
		case MultiArray:
			in.Arg, in.Extra = int32(uint16At(b, pc+1)), int16(b[pc+3])
		case Branch, WideBranch:
			distance := int(int16(uint16At(b, pc+1)))
			if opcodes[in.Op].operands == WideBranch {
				distance = int(int32At(b, pc+1))
			}
			target, err := d.target(pc + distance)
			if err != nil {
				return fmt.Errorf("pc %d: %s: %w", pc, in.Op, err)
			}
			in.Arg = int32(target)
		case TableSwitch, LookupSwitch:
			s, err := d.decodeSwitch(b, pc)
			if err != nil {
				return fmt.Errorf("pc %d: %s: %w", pc, in.Op, err)
			}
			in.Arg = int32(len(out.Switches))
			out.Switches = append(out.Switches, s)
		}
	}
	return nil
}

// handlers decodes the exception table.
func (d *decoder) handlers(out *Code, table []classfile.Handler) error {
	if len(table) == 0 {
		return nil
	}
	out.Handlers = make([]Handler, len(table))
	for i, h := range table {
		start, end := d.label(int(h.StartPC)), d.label(int(h.EndPC))
		if start < 0 || end < 0 || start >= end {
			return fmt.Errorf("handler %d: no range from %d to %d", i, h.StartPC, h.EndPC)
		}
		target, err := d.target(int(h.HandlerPC))
		if err != nil {
			return fmt.Errorf("handler %d: %w", i, err)
		}
		out.Handlers[i] = Handler{start, end, target, h.CatchType}
	}
	return nil
}
