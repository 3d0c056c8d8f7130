package bytecode

// A Label is a position between instructions: the index of the instruction it
// stands before; len(Code.Insns) is the end of the code. Negative values are
// positions that no valid table names, see Stray.
type Label int32

// Stray returns the label of a code offset at which no instruction starts:
// inside one, or past the end. Debugging tables of classes in the wild contain
// them, and they survive decoding and encoding. Branches and handlers have none.
func Stray(pc int) Label { return Label(^pc) }

// Stray returns the offset of a stray label.
func (l Label) Stray() (pc int, ok bool) { return int(^l), l < 0 }
