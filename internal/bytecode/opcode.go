package bytecode

import "fmt"

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
