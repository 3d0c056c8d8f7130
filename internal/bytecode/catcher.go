package bytecode

import "mallard/internal/classfile"

// A Catcher is code that runs when something is thrown in one of its ranges, and
// then throws the same on. Nothing is added to the ranges themselves:
//
//	      ...
//	last instruction of the old body
//	body: Code                 the exception on top of an otherwise empty stack
//	      athrow
//
// Entries of the exception table in front of all others lead from the ranges to
// the body. The old entries that cover the ranges get copies that cover the body,
// so that the exception goes on to where it would have gone.
//
// Code inserted before an instruction of a range is not covered: the entries are
// split around it.
type Catcher struct {
	Ranges [][2]int      // old instructions [first, end), ascending; the same old handlers must cover all of them
	Code   []Instruction // no branches, switches, returns or athrow
	Stack  int           // operand slots it needs above the exception
	// of the frame at the body: what the locals of all ranges can be, and what the old handlers need
	Locals []VerificationType
}

// Catching is a list of catchers and the constants that their frames need.
type Catching struct {
	Catchers      []Catcher
	Throwable     classfile.PoolIndex // class java/lang/Throwable
	StackMapTable classfile.PoolIndex // the attribute's name, for bodies that have none yet
}
