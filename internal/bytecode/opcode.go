package bytecode

import "fmt"

// Operands says what follows an opcode in its code array and what the fields
// of Instruction hold for it.
type Operands uint8

const (
	NoOperand       Operands = iota // nothing; the slot of iload_1 is part of the opcode
	Int8                            // Arg is a value of one signed byte
	Int16                           // Arg is a value of two signed bytes
	Constant8                       // Arg is a PoolIndex that fits one byte (ldc)
	Constant                        // Arg is a PoolIndex (ldc_w, ldc2_w)
	Local                           // Arg is a slot: one byte, two when Wide
	Increment                       // Arg is a slot, Extra the signed increment; twice as long when Wide
	Branch                          // Arg is a Label; two bytes of signed distance
	WideBranch                      // Arg is a Label; four bytes of signed distance
	TableSwitch                     // Arg is an index into Code.Switches
	LookupSwitch                    // Arg is an index into Code.Switches
	Field                           // Arg is a PoolIndex
	Method                          // Arg is a PoolIndex
	InterfaceMethod                 // Arg is a PoolIndex, Extra is count<<8 and the zero byte
	Dynamic                         // Arg is a PoolIndex, Extra the two zero bytes
	Class                           // Arg is a PoolIndex
	ArrayType                       // Arg is the atype of newarray (JVMS table 6.5.newarray-A)
	MultiArray                      // Arg is a PoolIndex, Extra the number of dimensions
)

// operandBytes is how many bytes follow the opcode; switches vary.
var operandBytes = [...]uint8{
	NoOperand: 0, Int8: 1, Int16: 2, Constant8: 1, Constant: 2, Local: 1, Increment: 2, Branch: 2, WideBranch: 4,
	Field: 2, Method: 2, InterfaceMethod: 4, Dynamic: 4, Class: 2, ArrayType: 1, MultiArray: 3,
}

// An opcode is one row of the instruction set. Stack depths count slots: a
// long or double has two.
type opcode struct {
	mnemonic     string
	operands     Operands
	pops, pushes uint8 // without what a descriptor or a dimension count adds
	flags        flags
}

type flags uint8

const (
	throws      flags = 1 << iota // may throw something of its own (JVMS 6.5, linking errors included)
	ends                          // control never goes on to the next instruction
	conditional                   // a branch that may fall through
	returns                       // leaves the method normally
	varies                        // the stack effect depends on a descriptor or a dimension count
)

// Valid reports whether op is an instruction of its own: one of the JVMS
// opcodes, except wide, which is a prefix (see Instruction.Wide).
func (op Opcode) Valid() bool { return opcodes[op].mnemonic != "" && op != OpWide }

// String returns the mnemonic.
func (op Opcode) String() string {
	if m := opcodes[op].mnemonic; m != "" {
		return m
	}
	return fmt.Sprintf("opcode %#02x", uint8(op))
}

// Operands returns the kind of the operands.
func (op Opcode) Operands() Operands { return opcodes[op].operands }

// CanThrow reports whether executing op may throw: run-time exceptions and the
// errors of linking and memory that JVMS 6.5 lists. The structured-locking
// exception of the return instructions is left out, and ldc throws or not as
// its constant does: see Instruction.CanThrow.
func (op Opcode) CanThrow() bool { return opcodes[op].flags&throws != 0 }

// FallsThrough reports whether control may come to the next instruction. For
// jsr it does, through ret.
func (op Opcode) FallsThrough() bool { return opcodes[op].flags&ends == 0 }

// straight reports whether op can be part of straight-line code: control goes on
// to the next instruction and nowhere else.
func (op Opcode) straight() bool {
	return op.Valid() && !op.IsBranch() && !op.IsSwitch() && op.FallsThrough()
}

// IsReturn reports whether op leaves the method normally.
func (op Opcode) IsReturn() bool { return opcodes[op].flags&returns != 0 }

// IsConditional reports whether op branches or falls through.
func (op Opcode) IsConditional() bool { return opcodes[op].flags&conditional != 0 }

// IsBranch reports whether op has one branch target: the conditional branches,
// goto, jsr and their wide forms.
func (op Opcode) IsBranch() bool {
	k := opcodes[op].operands
	return k == Branch || k == WideBranch
}

// IsSubroutineCall reports whether op is jsr or jsr_w.
func (op Opcode) IsSubroutineCall() bool { return op == OpJsr || op == OpJsrW }

// IsSwitch reports whether op is tableswitch or lookupswitch.
func (op Opcode) IsSwitch() bool { return op == OpTableswitch || op == OpLookupswitch }

// IsInvoke reports whether op calls a method.
func (op Opcode) IsInvoke() bool { return op >= OpInvokevirtual && op <= OpInvokedynamic }

// Negate returns the conditional branch that is taken when op is not. It
// panics if op is not conditional.
func (op Opcode) Negate() Opcode {
	switch {
	case op == OpIfnull:
		return OpIfnonnull
	case op == OpIfnonnull:
		return OpIfnull
	case op >= OpIfeq && op <= OpIfAcmpne: // pairs, the first at an odd number
		return (op - 1) ^ 1 + 1
	}
	panic("bytecode: " + op.String() + " is not conditional")
}

// canBeWide reports whether op may follow the wide prefix.
func (op Opcode) canBeWide() bool {
	k := opcodes[op].operands
	return k == Local || k == Increment
}
