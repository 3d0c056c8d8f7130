package bytecode

import (
	"iter"
	"slices"
	"sort"

	"mallard/internal/classfile"
)

// A Code is the body of a method: what JVMS 4.7.3 keeps as bytes and offsets,
// here as instructions and labels. Decode fills it and Encode gives the same
// bytes back. Reading it from several goroutines is safe.
type Code struct {
	MaxStack, MaxLocals uint16

	// Version is the major version of the class. Rewrite asks for frames
	// where the JVM will: Decode leaves 0, which counts as the newest.
	Version uint16

	Insns    []Instruction
	Switches []Switch
	Handlers []Handler

	// Attributes lists the attributes in their order. The contents of those
	// with labels are below; where several attributes share a table, each
	// owns its Count entries in turn.
	Attributes []Attribute

	Frames      []Frame            // StackMapTable, in order of offset
	Types       []VerificationType // of all frames, see Frame.Locals
	Lines       []Line             // LineNumberTable
	Variables   []Variable         // LocalVariableTable and LocalVariableTypeTable
	Annotations []TypeAnnotation   // Runtime(In)VisibleTypeAnnotations
	Ranges      []VariableRange    // of all TypeAnnotations about variables

	pcs []int32 // original offset of each instruction, and the length
}

// A Switch is the table of a tableswitch or lookupswitch.
type Switch struct {
	Default   Label
	Low, High int32   // tableswitch: keys Low to High
	Keys      []int32 // lookupswitch: one key for each target
	Targets   []Label
	Padding   [3]byte // as found; zeros when the length of the padding changes
}

// A Handler is an entry of the exception table: covers [Start, End).
type Handler struct {
	Start, End Label
	Target     Label
	CatchType  classfile.PoolIndex // 0 catches everything
}

// An AttributeKind says where the contents of an attribute are.
type AttributeKind uint8

const (
	Opaque AttributeKind = iota // Attribute.Info, verbatim
	StackMapTable
	LineNumberTable
	LocalVariableTable // also LocalVariableTypeTable
	TypeAnnotations    // visible and invisible
)

// An Attribute is an attribute of Code.
type Attribute struct {
	Name  classfile.PoolIndex
	Kind  AttributeKind
	Count int    // entries in the table of its kind
	Info  []byte // contents if Opaque
}

// A Line says that the code from Start on belongs to a source line.
type Line struct {
	Start Label
	Line  uint16
}

// A Variable is an entry of LocalVariableTable or LocalVariableTypeTable: a
// name in a slot from Start to End. Type is a descriptor or a signature.
type Variable struct {
	Start, End Label
	Name, Type classfile.PoolIndex
	Slot       uint16
}

// PC returns the offset of instruction i in the code that was decoded;
// PC(len(Insns)) is its length. Code that was built otherwise has no offsets
// until it is encoded, and PC returns -1.
func (c *Code) PC(i int) int {
	if i < 0 || i >= len(c.pcs) {
		return -1
	}
	return int(c.pcs[i])
}

// isInstruction reports whether an instruction starts at l.
func (c *Code) isInstruction(l Label) bool { return l >= 0 && int(l) < len(c.Insns) }

// Find returns the instruction at an offset, or false if none starts there.
func (c *Code) Find(pc int) (i int, ok bool) {
	i = sort.Search(len(c.pcs), func(k int) bool { return int(c.pcs[k]) >= pc })
	return i, i < len(c.Insns) && i < len(c.pcs) && int(c.pcs[i]) == pc
}

// Line returns the source line of instruction i, -1 if unknown. Like HotSpot
// it takes the first entry that starts exactly there, else the last of those
// that start closest before.
func (c *Code) Line(i int) int {
	best, line := -1, -1
	pc := c.PC(i)
	for _, l := range c.Lines {
		start, stray := l.Start.Stray()
		if !stray {
			start = c.PC(int(l.Start))
		}
		if start == pc {
			return int(l.Line)
		}
		if start < pc && start >= best {
			best, line = start, int(l.Line)
		}
	}
	return line
}

// Targets iterates over the labels that instruction i branches to: none or one,
// but for a switch its default, then its cases, repetitions included.
func (c *Code) Targets(i int) iter.Seq[Label] {
	return func(yield func(Label) bool) {
		in := c.Insns[i]
		switch {
		case in.Op.IsBranch():
			yield(in.Target())
		case in.Op.IsSwitch():
			s := &c.Switches[in.Arg]
			if !yield(s.Default) {
				return
			}
			for _, t := range s.Targets {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// VariableRanges returns the ranges of an annotation about a local variable or
// resource. The slice is part of c.Ranges.
func (c *Code) VariableRanges(a *TypeAnnotation) []VariableRange {
	return c.Ranges[a.first : a.first+int32(a.ranges)]
}

// Locals returns the local types that a frame lists: all of a FullFrame, the
// additional ones of an AppendFrame. The slice is part of c.Types.
func (c *Code) Locals(f *Frame) []VerificationType {
	return c.Types[f.first : f.first+int32(f.locals)]
}

// Stack returns the stack types that a frame lists. The slice is part of c.Types.
func (c *Code) Stack(f *Frame) []VerificationType {
	n := f.first + int32(f.locals)
	return c.Types[n : n+int32(f.stack)]
}

// AddFrame appends a frame; it must not be before those there are.
func (c *Code) AddFrame(at Label, kind FrameKind, chop uint8, locals, stack []VerificationType) {
	f := Frame{At: at, Kind: kind, Chop: chop, first: int32(len(c.Types)), locals: uint16(len(locals)),
		stack: uint16(len(stack))}
	c.Types = append(append(c.Types, locals...), stack...)
	c.Frames = append(c.Frames, f)
}

// The major version of class files from which on the JVM verifies by frames.
// In version 50 a class without them is verified by inference.
const framesVersion = 50

// needsFrames reports whether new branch targets must have a frame.
func (c *Code) needsFrames() bool { return c.Version == 0 || c.Version >= framesVersion }

// hasFrame reports whether there is a frame at l.
func (c *Code) hasFrame(l Label) bool {
	_, found := slices.BinarySearchFunc(c.Frames, l, func(f Frame, l Label) int { return int(f.At) - int(l) })
	return found
}
