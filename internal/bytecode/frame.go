package bytecode

// A FrameKind is the form of an entry of StackMapTable (JVMS 4.7.4). The
// forms say how the entry differs from the one before.
type FrameKind uint8

const (
	SameFrame         FrameKind = iota // the same locals, empty stack; offset delta up to 63
	SameFrameExtended                  // any offset delta
	Stack1Frame                        // the same locals, one stack item; offset delta up to 63
	Stack1FrameExtended
	ChopFrame   // Chop locals fewer, empty stack
	AppendFrame // one to three locals more, empty stack
	FullFrame   // all locals, all stack items
)

// A Frame is an entry of StackMapTable: the types at a label. Two entries at
// one label are kept as they are.
type Frame struct {
	At     Label
	Kind   FrameKind
	Chop   uint8
	first  int32 // types are Code.Types[first:]
	locals uint16
	stack  uint16
}

// maxShortDelta is the largest offset delta of the short forms.
const maxShortDelta = 63

// offsetDelta returns the offset delta of a frame at pc after one at previous,
// which is -1 for the first. Deltas are modulo 65536, so that two frames at one
// offset have one.
func offsetDelta(previous, pc int) int { return (pc - previous - 1) & 0xffff }

// A TypeTag is the kind of a verification type (JVMS 4.7.4).
type TypeTag uint8

const (
	Top TypeTag = iota
	Integer
	Float
	Double
	Long
	Null
	UninitializedThis
	Object        // Arg is the PoolIndex of a class
	Uninitialized // Arg is the Label of the new instruction
)

// A VerificationType is the type of a local or of a stack item.
type VerificationType struct {
	Tag TypeTag
	Arg int32
}
