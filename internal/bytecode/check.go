package bytecode

import (
	"errors"
	"fmt"

	"mallard/internal/classfile"
)

// Check reports what the JVM would refuse before looking at types: operands
// and labels out of range, constants of the wrong kind, slots beyond MaxLocals,
// entries of tables outside of the code, frames that are missing or out of
// order, `uninitialized` at something else than new, and stack depths that are
// too large or do not agree. Code that passes is not made valid by being
// rewritten, which may raise MaxStack and MaxLocals and moves what is stray.
func (c *Code) Check(p *classfile.Pool) error {
	if len(c.Insns) == 0 {
		return errors.New("bytecode: no instructions")
	}
	for i, in := range c.Insns {
		if err := c.checkInstruction(in, p); err != nil {
			return fmt.Errorf("bytecode: instruction %d: %w", i, err)
		}
	}
	for i, h := range c.Handlers {
		if err := c.checkHandler(h, p); err != nil {
			return fmt.Errorf("bytecode: handler %d: %w", i, err)
		}
	}
	if err := c.checkTables(); err != nil {
		return fmt.Errorf("bytecode: %w", err)
	}
	if err := c.checkFrames(); err != nil {
		return fmt.Errorf("bytecode: %w", err)
	}
	if c.Version > framesVersion {
		return c.checkDepths(p)
	}
	_, err := c.StackDepths(p)
	return err
}

// constantsOf has the kinds of constants that operands may be (JVMS 4.9.1), a
// bit for each tag.
var constantsOf = [MultiArray + 1]uint32{
	Field:           tagBits(classfile.TagFieldref),
	Method:          tagBits(classfile.TagMethodref, classfile.TagInterfaceMethodref),
	InterfaceMethod: tagBits(classfile.TagInterfaceMethodref),
	Dynamic:         tagBits(classfile.TagInvokeDynamic),
	Class:           tagBits(classfile.TagClass),
	MultiArray:      tagBits(classfile.TagClass),
	Constant8:       loadable,
	Constant:        loadable,
}

var loadable = tagBits(classfile.TagInteger, classfile.TagFloat, classfile.TagLong, classfile.TagDouble,
	classfile.TagString, classfile.TagClass, classfile.TagMethodHandle, classfile.TagMethodType,
	classfile.TagDynamic)

func tagBits(tags ...classfile.Tag) (bits uint32) {
	for _, t := range tags {
		bits |= 1 << t
	}
	return bits
}

func (c *Code) checkInstruction(in Instruction, p *classfile.Pool) error {
	if err := in.checkOperands(); err != nil {
		return err
	}
	if wanted := constantsOf[in.Op.Operands()]; wanted != 0 && wanted>>p.Tag(in.Pool())&1 == 0 {
		return fmt.Errorf("%s: constant %d is %s", in.Op, in.Pool(), p.Tag(in.Pool()))
	}
	if slot, ok := in.Slot(); ok && slot+in.slotWidth() > int(c.MaxLocals) {
		return fmt.Errorf("%s %d with max_locals %d", in.Op, slot, c.MaxLocals)
	}
	if in.Op.IsBranch() && !c.isInstruction(in.Target()) {
		return fmt.Errorf("%s to label %d", in.Op, in.Arg)
	}
	if in.Op.IsSwitch() {
		return c.checkSwitch(in)
	}
	return nil
}

// slotWidth returns how many slots a load or store moves.
func (in Instruction) slotWidth() int {
	if in.Op == OpIinc || in.Op == OpRet {
		return 1
	}
	return int(opcodes[in.Op].pops + opcodes[in.Op].pushes)
}

func (c *Code) checkSwitch(in Instruction) error {
	if in.Arg < 0 || int(in.Arg) >= len(c.Switches) {
		return fmt.Errorf("%s: no switch %d", in.Op, in.Arg)
	}
	s := &c.Switches[in.Arg]
	if !c.isInstruction(s.Default) {
		return fmt.Errorf("%s: default at label %d", in.Op, s.Default)
	}
	for k, t := range s.Targets {
		if !c.isInstruction(t) {
			return fmt.Errorf("%s: case %d at label %d", in.Op, k, t)
		}
	}
	for k := 1; k < len(s.Keys); k++ {
		if s.Keys[k-1] >= s.Keys[k] {
			return fmt.Errorf("%s: key %d after %d", in.Op, s.Keys[k], s.Keys[k-1])
		}
	}
	return nil
}

func (c *Code) checkHandler(h Handler, p *classfile.Pool) error {
	switch {
	case h.Start < 0 || h.Start >= h.End || int(h.End) > len(c.Insns):
		return fmt.Errorf("range from label %d to %d", h.Start, h.End)
	case !c.isInstruction(h.Target), h.Target == 0 && c.infers():
		return fmt.Errorf("target label %d", h.Target) // inference takes no handler at the first instruction
	case h.CatchType != 0 && p.Tag(h.CatchType) != classfile.TagClass:
		return fmt.Errorf("catches constant %d, %s", h.CatchType, p.Tag(h.CatchType))
	}
	return nil
}

// infers reports whether the JVM does not read frames, or falls back on doing
// without.
func (c *Code) infers() bool { return c.Version != 0 && c.Version <= framesVersion }

// checkTables looks at what the JVM reads of debugging tables. Lines may begin
// inside of an instruction, but not outside of the code; so may variables where
// frames are not read. Code that was not decoded has no length to compare with.
func (c *Code) checkTables() error {
	outside := func(l Label, last int) bool {
		pc, stray := l.Stray()
		if !stray {
			return int(l) > last
		}
		return len(c.pcs) > 0 && pc > int(c.pcs[len(c.pcs)-1])
	}
	for i, l := range c.Lines {
		if outside(l.Start, len(c.Insns)-1) {
			return fmt.Errorf("line %d begins at label %d", i, l.Start)
		}
	}
	for i, v := range c.Variables {
		if outside(v.Start, len(c.Insns)-1) || outside(v.End, len(c.Insns)) ||
			c.Version > framesVersion && (v.Start < 0 || v.End < 0) {
			return fmt.Errorf("variable %d from label %d to %d", i, v.Start, v.End)
		}
		if v.Slot >= c.MaxLocals {
			return fmt.Errorf("variable %d in slot %d with max_locals %d", i, v.Slot, c.MaxLocals)
		}
	}
	return nil
}

func (c *Code) checkFrames() error {
	if c.infers() {
		return nil
	}
	for i := range c.Frames {
		f := &c.Frames[i]
		if !c.isInstruction(f.At) {
			return fmt.Errorf("frame %d at label %d", i, f.At)
		}
		if i > 0 && f.At <= c.Frames[i-1].At {
			return fmt.Errorf("frame %d at label %d, after one at %d", i, f.At, c.Frames[i-1].At)
		}
		for _, t := range c.Types[f.first : f.first+int32(f.locals)+int32(f.stack)] {
			if t.Tag == Uninitialized && (!c.isInstruction(Label(t.Arg)) || c.Insns[t.Arg].Op != OpNew) {
				return fmt.Errorf("frame %d: uninitialized(%d) is no new", i, t.Arg)
			}
		}
	}
	return nil
}
