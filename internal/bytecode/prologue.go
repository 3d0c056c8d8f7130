package bytecode

// A Prologue is code that each invocation runs once, in front of everything else,
// and that leaves a value in a new local variable behind all others:
//
//	0:    Code                 the last instruction stores into slot MaxLocals of the old body
//	S:    the old body         branches to its first instruction come here
//
// The variable is there in the whole of the old body and in the bodies of catchers.
// Every frame lists it; no other slot moves, for the JVM looks into some by number.
// A prologue may leave nothing: then there is no variable.
// No exception table entry covers the prologue. Lines and variables that begin with
// the old body begin with the prologue.
type Prologue struct {
	Code  []Instruction      // no branches, switches, returns or athrow; none: no prologue
	Stack int                // operand slots it needs
	Local VerificationType   // what the variable holds: a Long or Double has two slots; Top: there is none
	Entry []VerificationType // locals at the entry of the method, as for FrameLocals; bodies without frames need none
	Guard Guard
}

// slots is how many the variable takes.
func (p *Prologue) slots() int {
	switch {
	case len(p.Code) == 0, p.Local.Tag == Top:
		return 0
	case p.Local.Tag == Long || p.Local.Tag == Double:
		return 2
	}
	return 1
}
