package emit

import "mallard/internal/bytecode"

// A Representation says how contexts are kept.
type Representation uint8

const (
	NoContexts Representation = iota
	Tree                      // each invocation finds its node
	Hashed                    // each invocation computes a hash of its context, and looks for a node where it counts
	Encoded                   // as Hashed, with numbers that are decoded
)

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

	// Guard gives the code for exceptions that leave the method, without Guard.This; nil where none is needed.
	Guard() (*bytecode.Guard, error)
}

// Traits are what the driver has to know of a backend: which questions it asks of a class or a method.
type Traits struct {
	ThreadFields []ThreadField // that the runtime classes read

	ProbesStack       bool // methods that count ask first whether the stack has room for what they call
	Hooks             bool // some methods of the JDK call the runtime first thing, or before they return
	CountsHandles     bool // method handles that make arrays are counted
	MeasuresStrings   bool // strings that were concatenated are measured as they are
	AnnouncesLeaves   bool // calls of leaves are announced as well
	AnnouncesChains   bool // calls of super() or this() are announced as such
	AnswersCurrent    bool // what mallard.Context.current returns is put there by its caller
	InitializersEnter bool // class initialisers have contexts even if they call nothing: they may have others run
	BeginsLate        bool // a context can begin where it is first needed
	LeavesEnd         bool // methods that call nothing say that they return
}

// ThreadField is a field of java.lang.Thread.
type ThreadField struct{ Name, Descriptor string }

// The fields of every Thread, in their order.
var (
	pageField = ThreadField{"$mallard", "J"} // address of the block it counts in, relative to Pages.Shared
	nextField = ThreadField{"$next", "J"}    // with contexts: by what the next method is entered
	// where hashes or numbers lead; in a tree what nodes do; see enter of $MallardEntered
	tableField  = ThreadField{"$table", "J"}
	calledField = ThreadField{"$called", "I"} // with hashes or numbers: what is called
)

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
	calls     int
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
