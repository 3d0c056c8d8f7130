package bytecode

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
