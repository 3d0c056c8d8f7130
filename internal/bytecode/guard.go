package bytecode

import "mallard/internal/classfile"

// A Guard is code that runs when an exception is about to leave the method, and then
// throws the same on:
//
//	      ...
//	last catcher
//	guard: Code                the exception on top of an otherwise empty stack
//	      athrow
//
// The last entry of the exception table leads there from everything between the
// prologue and the guard, so it gets what no handler takes. Of the locals it
// knows only the prologue's, which a guard must have.
//
// No handler can cover the call by which a constructor initialises `this`: what is
// thrown out of that leaves without. Before it there is a guard of its own, with the
// same code.
type Guard struct {
	Code  []Instruction // no branches, switches, returns or athrow; none: no guard
	Stack int           // operand slots it needs above the exception
	// by instruction of a constructor whose class has frames, as UninitializedThis tells; nil elsewhere
	This []bool

	Throwable     classfile.PoolIndex // as in Catching
	StackMapTable classfile.PoolIndex
}
