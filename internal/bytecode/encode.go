package bytecode

import (
	"encoding/binary"
	"fmt"

	"mallard/internal/classfile"
)

// Encode puts a body together again: the inverse of Decode, byte for byte. It
// chooses no forms; an operand or distance that its form cannot hold is an
// error, as is a body over 65,535 bytes.
func (c *Code) Encode() (*classfile.Code, error) {
	pcs, err := c.layout(make([]int32, 0, len(c.Insns)+1))
	if err != nil {
		return nil, fmt.Errorf("bytecode: %w", err)
	}
	out, err := c.encode(pcs)
	if err != nil {
		return nil, fmt.Errorf("bytecode: %w", err)
	}
	return out, nil
}

// layout appends the offset of each instruction and the length of the code.
func (c *Code) layout(pcs []int32) ([]int32, error) {
	pc := 0
	for _, in := range c.Insns {
		pcs = append(pcs, int32(pc))
		if size := int(opcodeSize[in.Op]); size != 0 && !in.Wide {
			pc += size
		} else if in.Op.IsSwitch() {
			if int(in.Arg) >= len(c.Switches) || in.Arg < 0 {
				return nil, fmt.Errorf("pc %d: no switch %d", pc, in.Arg)
			}
			s := &c.Switches[in.Arg]
			pc = switchTable(pc) + 8 + 8*len(s.Targets)
			if in.Op == OpTableswitch {
				pc += 4 - 4*len(s.Targets)
			}
		} else {
			pc += in.size()
		}
	}
	if pc == 0 || pc > classfile.MaxCodeBytes {
		return nil, &LengthError{pc}
	}
	return append(pcs, int32(pc)), nil
}

// A LengthError says that a body has no or too many bytes.
type LengthError struct{ Length int }

func (e *LengthError) Error() string { return fmt.Sprintf("code length %d", e.Length) }

// A DistanceError says that a branch is too far from its target for its form.
type DistanceError struct {
	PC       int
	Op       Opcode
	Distance int
}

func (e *DistanceError) Error() string {
	return fmt.Sprintf("pc %d: %s by %d exceeds 16 bits", e.PC, e.Op, e.Distance)
}

// encode writes the body; instruction i is at pcs[i].
func (c *Code) encode(pcs []int32) (*classfile.Code, error) {
	e := &encoder{pcs: pcs}
	out := &classfile.Code{MaxStack: c.MaxStack, MaxLocals: c.MaxLocals}
	b := make([]byte, 0, int(pcs[len(pcs)-1])+c.attributesSize())
	for i, in := range c.Insns {
		var err error
		if b, err = c.appendInstruction(b, in, e); err != nil {
			return nil, fmt.Errorf("pc %d: %w", pcs[i], err)
		}
	}
	out.Bytecode = b[:len(b):len(b)]
	if e.err != nil {
		return nil, e.err
	}
	if len(c.Handlers) > 0 {
		out.Handlers = make([]classfile.Handler, len(c.Handlers))
		for i, h := range c.Handlers {
			out.Handlers[i] = classfile.Handler{StartPC: e.u2(h.Start), EndPC: e.u2(h.End), HandlerPC: e.u2(h.Target),
				CatchType: h.CatchType}
		}
	}
	if err := c.encodeAttributes(out, b, e); err != nil {
		return nil, err
	}
	return out, e.err
}

// appendInstruction appends an instruction at pc len(b).
func (c *Code) appendInstruction(b []byte, in Instruction, e *encoder) ([]byte, error) {
	pc := len(b)
	kind := opcodes[in.Op].operands
	if err := in.checkOperands(); err != nil {
		return nil, err
	}
	if in.Wide {
		b = append(b, byte(OpWide), byte(in.Op), byte(in.Arg>>8), byte(in.Arg))
		if kind == Increment {
			b = append(b, byte(in.Extra>>8), byte(in.Extra))
		}
		return b, nil
	}
	b = append(b, byte(in.Op))
	switch kind {
	case Int8, Constant8, Local, ArrayType:
		b = append(b, byte(in.Arg))
	case Int16, Constant, Field, Method, Class:
		b = append(b, byte(in.Arg>>8), byte(in.Arg))
	case Increment:
		b = append(b, byte(in.Arg), byte(in.Extra))
	case InterfaceMethod, Dynamic:
		b = append(b, byte(in.Arg>>8), byte(in.Arg), byte(in.Extra>>8), byte(in.Extra))
	case MultiArray:
		b = append(b, byte(in.Arg>>8), byte(in.Arg), byte(in.Extra))
	case Branch:
		d := e.distance(pc, in.Target())
		if d != int(int16(d)) {
			e.fail(&DistanceError{pc, in.Op, d})
		}
		b = append(b, byte(d>>8), byte(d))
	case WideBranch:
		b = binary.BigEndian.AppendUint32(b, uint32(e.distance(pc, in.Target())))
	case TableSwitch, LookupSwitch:
		return c.Switches[in.Arg].append(b, kind, e)
	}
	return b, nil
}

// append appends what follows the opcode of a switch, which is the last byte of b.
func (s *Switch) append(b []byte, kind Operands, e *encoder) ([]byte, error) {
	pc := len(b) - 1
	b = append(b, s.Padding[:switchTable(pc)-len(b)]...)
	u4 := func(v int) { b = binary.BigEndian.AppendUint32(b, uint32(v)) }
	u4(e.distance(pc, s.Default))
	if kind == TableSwitch {
		if int64(s.High)-int64(s.Low)+1 != int64(len(s.Targets)) {
			return nil, fmt.Errorf("tableswitch: %d targets for keys %d to %d", len(s.Targets), s.Low, s.High)
		}
		u4(int(s.Low))
		u4(int(s.High))
	} else {
		if len(s.Keys) != len(s.Targets) {
			return nil, fmt.Errorf("lookupswitch: %d targets for %d keys", len(s.Targets), len(s.Keys))
		}
		u4(len(s.Keys))
	}
	for k, t := range s.Targets {
		if kind == LookupSwitch {
			u4(int(s.Keys[k]))
		}
		u4(e.distance(pc, t))
	}
	return b, nil
}
