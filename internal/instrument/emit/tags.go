package emit

import "mallard/internal/bytecode"

// A Tagging says what is on top of the stack, and what of it is to be tagged.
type Tagging struct {
	What   Tagged
	Number uint32 // relative to that of the class's first counter
	More   int16  // of a String, the number of its array, less the String's; of what is Nested, its levels
}

// IsSingle reports whether that is one object.
func (t Tagging) IsSingle() bool { return t.What < String }

// Tagged is what is tagged.
type Tagged uint8

// What may be tagged.
const (
	Own       Tagged = iota // what is new and nobody else can know
	Built                   // what is new, and others may know
	Left                    // an array that a call left, which may have tagged it; nobody else can know it
	Shown                   // what a call left, or null: others may know it
	String                  // a String and its array; this, and what follows, is more than one object
	Nested                  // an array of arrays: each level has the number behind that of the one before
	Chain                   // the same as String, where the chain of a builder ends
	Backtrace               // of a Throwable, the arrays of the stack: each type has the number behind the one before
)

var taggers = [...]RuntimeMethod{Own: tagOwn, Built: tagBuilt, Left: tagLeft, Shown: tagShown, String: tagString,
	Nested: tagNested, Chain: tagChain, Backtrace: tagBacktrace}

// Tag gives the code that tags what is on top of the stack, and how many operand slots it needs. In a context the
// number is that of a counter which has the tag.
//
//	dup
//	ldc 7
//	invokestatic java/lang/$MallardTags.own (Ljava/lang/Object;I)V
func (m *Method) Tag(t Tagging) (code []bytecode.Instruction, stack int, err error) {
	before := []bytecode.Instruction{bytecode.Insn(bytecode.OpDup)}
	if t.What == Nested || t.What == String || t.What == Chain {
		before = append(before, bytecode.PushInt(t.More))
	}
	code, err = m.update(t.Number, taggers[t.What], before...) // ..., object, object, more, number → ..., object
	return code, len(before) + 1, err
}

// AnnounceBuilder gives the code in front of a new that makes a builder, and how many operand slots it needs: the
// builder's constructor tags it. Nothing may come in between.
func (m *Method) AnnounceBuilder(number uint32) (code []bytecode.Instruction, stack int, err error) {
	code, err = m.update(number, tagNext) // ..., number → ...
	return code, 1, err
}
