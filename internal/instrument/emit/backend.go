package emit

import "mallard/internal/bytecode"

// A Backend makes the code that depends on where a method counts. Code comes with comments that show the operand
// stack after it.
type Backend interface {
	Traits() *Traits

	// call gives the code that pushes where a counter is, behind some other instructions, and calls the method of a
	// runtime class that updates it.
	call(number uint32, m RuntimeMethod, before []bytecode.Instruction) ([]bytecode.Instruction, error)

	// Slots is how many operand slots code needs that pushes where a counter is, given how many if that is an int.
	Slots(stack int) int

	// node gives the code that pushes the node of the invocation; none without contexts.
	node() ([]bytecode.Instruction, error)

	// Enter gives the code that pushes what the local variable has of an invocation that begins, and how many operand
	// slots it needs.
	Enter(e *Entry) (code []bytecode.Instruction, stack int, err error)

	// Store gives the instruction that pops it, and Local its type.
	Store() bytecode.Instruction
	Local() (bytecode.VerificationType, error)

	// Announce gives the code before a call.
	Announce(call Call) ([]bytecode.Instruction, error)

	// Transaction gives the code around a call that concerns one.
	Transaction(call Call) (Around, error)

	// End gives the code before a return, in a method that may be in transactions then or not.
	End(transacts bool) ([]bytecode.Instruction, error)

	// Begin gives the code that begins a transaction without a call, given the slot that it has for that, and Over the
	// code that ends all that the invocation has begun, counted or not; nil where that cannot be.
	Begin(n *Naming, slot int) ([]bytecode.Instruction, error)
	Over(counted bool) ([]bytecode.Instruction, error)

	// Guard gives the code for exceptions that leave the method, without Guard.This, in one that begins transactions
	// without a call or not; nil where none is needed.
	Guard(begins bool) (*bytecode.Guard, error)
}

// Entry is what a method with a context says of itself when it is entered.
type Entry struct {
	Class, Method string // Method is its name alone
	Name          string // by which calls call it
	Words         int    // of a node
	Counters      uint32 // numbers that it counts with
	Calls         int
	Transacts     bool // it begins or ends transactions of the invocation
}

// Call is a call that a method with a context makes.
type Call struct {
	Slot        int    // index among its calls
	Callee      string // name that the call says
	Transaction Transaction
	Chains      bool // super() or this()
}

// Around is the code around a call.
type Around struct {
	Before, Behind []bytecode.Instruction // none: no code
	Stack          int                    // operand slots that Behind needs
}

// context has what the method at hand counts for, in a class with contexts.
type context struct {
	*Class
	local     uint16 // slot of the variable that has it
	calls     int    // slots: the last one is for classes where the method tells them
	first     uint32 // number of the counter in the first word behind the slots
	method    poolIndex
	firstCall uint32 // number of its first call
}

// word pushes the index of a counter's word.
func (x *context) word(number uint32) bytecode.Instruction {
	return bytecode.PushInt(int16(NodeHeader + x.calls + int(number-x.first)))
}

// Slots: a node takes two.
func (x *context) Slots(stack int) int { return stack + 2 }
