package classfile

// StackMapTable holds the verification types at branch targets (JVMS 4.7.4).
// The frame at the start of the method is implicit.
type StackMapTable struct {
	Frames []Frame
}

// A Frame is a stack_map_frame as the file has it: relative to the one before.
// Type is the frame_type, from which follows what else there is:
//
//	0-63     same_frame                               -
//	64-127   same_locals_1_stack_item_frame           Stack[0]
//	247      same_locals_1_stack_item_frame_extended  OffsetDelta, Stack[0]
//	248-250  chop_frame of 251-Type locals            OffsetDelta
//	251      same_frame_extended                      OffsetDelta
//	252-254  append_frame                             OffsetDelta, Type-251 Locals
//	255      full_frame                               OffsetDelta, Locals, Stack
//
// OffsetDelta is filled in for the first two as well, which imply it.
type Frame struct {
	Type        uint8
	OffsetDelta uint16
	Locals      []VerificationType
	Stack       []VerificationType
}

// The bounds of the ranges of frame types.
const (
	SameFrame                    = 0
	SameLocals1StackItem         = 64
	reservedFrame                = 128
	SameLocals1StackItemExtended = 247
	ChopFrame                    = 248 // 250 is one local less, 248 three
	SameFrameExtended            = 251
	AppendFrame                  = 252 // 252 is one local more, 254 three
	FullFrame                    = 255
)

// A VerificationTag is the kind of a verification type (JVMS 4.7.4).
type VerificationTag uint8

const (
	ItemTop               VerificationTag = 0
	ItemInteger           VerificationTag = 1
	ItemFloat             VerificationTag = 2
	ItemDouble            VerificationTag = 3
	ItemLong              VerificationTag = 4
	ItemNull              VerificationTag = 5
	ItemUninitializedThis VerificationTag = 6
	ItemObject            VerificationTag = 7
	ItemUninitialized     VerificationTag = 8
)

// A VerificationType is the type of a local variable or stack item. Double and
// Long stand for two of either. Class is set for Object, NewPC for
// Uninitialized: where the new instruction is that made the object.
type VerificationType struct {
	Tag   VerificationTag
	Class PoolIndex
	NewPC PC
}

// PCs returns the offset in the bytecode of each frame. They can exceed the
// length of the bytecode, even 65535, when the table is not valid.
func (t *StackMapTable) PCs() []int {
	pcs := make([]int, len(t.Frames))
	pc := -1
	for i := range t.Frames {
		pc += int(t.Frames[i].OffsetDelta) + 1
		pcs[i] = pc
	}
	return pcs
}

func (t *StackMapTable) layout(c *codec) { list(c, &t.Frames, 1, (*Frame).layout) }

func (f *Frame) layout(c *codec) {
	u1(c, &f.Type)
	locals, stack := 0, 0
	switch {
	case f.Type < SameLocals1StackItem:
		f.implied(c, uint16(f.Type))
	case f.Type < reservedFrame:
		f.implied(c, uint16(f.Type-SameLocals1StackItem))
		stack = 1
	case f.Type < SameLocals1StackItemExtended:
		c.failf("frame_type %d is reserved", f.Type)
		return
	case f.Type == SameLocals1StackItemExtended:
		u2(c, &f.OffsetDelta)
		stack = 1
	case f.Type < AppendFrame:
		u2(c, &f.OffsetDelta)
	case f.Type < FullFrame:
		u2(c, &f.OffsetDelta)
		locals = int(f.Type - SameFrameExtended)
	default:
		u2(c, &f.OffsetDelta)
		list(c, &f.Locals, 1, (*VerificationType).layout)
		list(c, &f.Stack, 1, (*VerificationType).layout)
		return
	}
	if c.encoding && (len(f.Locals) != locals || len(f.Stack) != stack) {
		c.failf("frame_type %d has %d locals and %d stack items", f.Type, len(f.Locals), len(f.Stack))
		return
	}
	items(c, &f.Locals, locals, 1, (*VerificationType).layout)
	items(c, &f.Stack, stack, 1, (*VerificationType).layout)
}

// implied is an offset_delta that is part of the frame type.
func (f *Frame) implied(c *codec, delta uint16) {
	if c.encoding && f.OffsetDelta != delta {
		c.failf("frame_type %d has offset_delta %d", f.Type, f.OffsetDelta)
		return
	}
	f.OffsetDelta = delta
}

func (t *VerificationType) layout(c *codec) {
	u1(c, &t.Tag)
	switch {
	case t.Tag == ItemObject:
		c.index(&t.Class)
	case t.Tag == ItemUninitialized:
		u2(c, &t.NewPC)
	case t.Tag > ItemUninitialized:
		c.failf("verification type %d does not exist", t.Tag)
	}
}
