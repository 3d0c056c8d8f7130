package bytecode

import (
	"fmt"

	"mallard/internal/classfile"
)

// An Instruction is one instruction without its place. It is a small value:
// what Arg and Extra mean follows from Op.Operands, and the tables of switches
// are in Code.Switches. Every form of the format has its own representation,
// so encoding gives back the decoded bytes.
type Instruction struct {
	Op    Opcode
	Wide  bool  // after a wide prefix
	Extra int16 // increment, dimensions, the last bytes of invokeinterface and invokedynamic
	Arg   int32 // value, slot, PoolIndex, Label or index into Code.Switches
}

// Target returns where a branch goes (see Opcode.IsBranch).
func (in Instruction) Target() Label { return Label(in.Arg) }

// Pool returns the constant pool index of an instruction that has one.
func (in Instruction) Pool() classfile.PoolIndex { return classfile.PoolIndex(in.Arg) }

// Slot returns the local variable that a load, store, iinc or ret uses, be it
// an operand or part of the opcode; ok is false for other instructions.
func (in Instruction) Slot() (slot int, ok bool) {
	switch op := in.Op; {
	case op.canBeWide():
		return int(in.Arg), true
	case op >= OpIload0 && op <= OpAload3:
		return int(op-OpIload0) & 3, true
	case op >= OpIstore0 && op <= OpAstore3:
		return int(op-OpIstore0) & 3, true
	}
	return 0, false
}

// CanThrow is Opcode.CanThrow made exact for ldc: numbers are there already,
// every other constant may have to be made or resolved.
func (in Instruction) CanThrow(p *classfile.Pool) bool {
	switch in.Op {
	case OpLdc, OpLdcW, OpLdc2W:
		switch p.Tag(in.Pool()) {
		case classfile.TagInteger, classfile.TagFloat, classfile.TagLong, classfile.TagDouble:
			return false
		}
	}
	return in.Op.CanThrow()
}

// size returns the length in bytes of any instruction but a switch.
func (in Instruction) size() int {
	n := 1 + int(operandBytes[opcodes[in.Op].operands])
	if in.Wide {
		n = 2 * n // the prefix, and each operand doubled
	}
	return n
}

// The constructors below choose the shortest form. They are for code that is
// inserted; Decode represents what it finds.

// Insn returns an instruction without operands.
func Insn(op Opcode) Instruction { return Instruction{Op: op} }

// Jump returns the branch op to target.
func Jump(op Opcode, target Label) Instruction { return Instruction{Op: op, Arg: int32(target)} }

// WithPool returns an instruction whose operand is a constant: fields, invokes
// other than invokeinterface, new, anewarray, checkcast, instanceof, ldc_w, ldc2_w,
// invokedynamic.
func WithPool(op Opcode, i classfile.PoolIndex) Instruction {
	return Instruction{Op: op, Arg: int32(i)}
}

// Ldc returns ldc or, for an index over 255, ldc_w.
func Ldc(i classfile.PoolIndex) Instruction {
	if i > 255 {
		return WithPool(OpLdcW, i)
	}
	return WithPool(OpLdc, i)
}

// PushInt returns the instruction that pushes an int of 16 signed bits.
func PushInt(v int16) Instruction {
	switch {
	case v >= -1 && v <= 5:
		return Insn(OpIconst0 + Opcode(v))
	case v >= -128 && v <= 127:
		return Instruction{Op: OpBipush, Arg: int32(v)}
	}
	return Instruction{Op: OpSipush, Arg: int32(v)}
}

// Int returns the int that the instruction pushes; false if it pushes none, or one that only running it would tell.
func (in Instruction) Int(pool *classfile.Pool) (int32, bool) {
	switch {
	case in.Op >= OpIconstM1 && in.Op <= OpIconst5:
		return int32(in.Op) - int32(OpIconst0), true
	case in.Op == OpBipush, in.Op == OpSipush:
		return in.Arg, true
	case in.Op == OpLdc, in.Op == OpLdcW:
		n, err := pool.Integer(in.Pool())
		return n, err == nil
	}
	return 0, false
}

// LoadStore returns a load or store (iload ... aload, istore ... astore) or ret
// of a slot.
func LoadStore(op Opcode, slot uint16) Instruction {
	switch {
	case slot <= 3 && op >= OpIload && op <= OpAload:
		return Insn(OpIload0 + (op-OpIload)*4 + Opcode(slot))
	case slot <= 3 && op >= OpIstore && op <= OpAstore:
		return Insn(OpIstore0 + (op-OpIstore)*4 + Opcode(slot))
	}
	return Instruction{Op: op, Wide: slot > 255, Arg: int32(slot)}
}

// checkOperands reports operands that do not fit the form, labels aside.
func (in Instruction) checkOperands() error {
	if !in.Op.Valid() {
		return fmt.Errorf("%s is no instruction", in.Op)
	}
	if in.Wide && !in.Op.canBeWide() {
		return fmt.Errorf("%s has no wide form", in.Op)
	}
	lo, hi := int32(0), int32(0xffff)
	switch in.Op.Operands() {
	case NoOperand:
		hi = 0
	case Int8:
		lo, hi = -128, 127
	case Int16:
		lo, hi = -32768, 32767
	case Constant8, ArrayType:
		hi = 0xff
	case Local:
		if !in.Wide {
			hi = 0xff
		}
	case Increment:
		if !in.Wide {
			hi = 0xff
			if in.Extra != int16(int8(in.Extra)) {
				return fmt.Errorf("iinc by %d needs the wide form", in.Extra)
			}
		}
	case MultiArray:
		if in.Extra < 0 || in.Extra > 0xff {
			return fmt.Errorf("%d dimensions", in.Extra)
		}
	case Branch, WideBranch, TableSwitch, LookupSwitch:
		return nil
	}
	if in.Arg < lo || in.Arg > hi {
		return fmt.Errorf("%s: operand %d outside %d..%d", in.Op, in.Arg, lo, hi)
	}
	return nil
}
