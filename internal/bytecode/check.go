package bytecode

import (
	"errors"
	"fmt"

	"mallard/internal/classfile"
)

// Check reports what the JVM would refuse before looking at types: operands
// and labels out of range, constants of the wrong kind, slots beyond MaxLocals,
// frames out of order, `uninitialized` at something else than new, and
// everything that StackDepths finds. It is for tests and for code that was
// built by hand; Decode and Encode do not need it.
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
	if err := c.checkFrames(); err != nil {
		return fmt.Errorf("bytecode: %w", err)
	}
	_, err := c.StackDepths(p)
	return err
}

// isInstruction reports whether an instruction starts at l.
func (c *Code) isInstruction(l Label) bool { return l >= 0 && int(l) < len(c.Insns) }

// constantsOf are the kinds of constants that operands may be (JVMS 4.9.1).
var constantsOf = map[Operands][]classfile.Tag{
	Field:           {classfile.TagFieldref},
	Method:          {classfile.TagMethodref, classfile.TagInterfaceMethodref},
	InterfaceMethod: {classfile.TagInterfaceMethodref},
	Dynamic:         {classfile.TagInvokeDynamic},
	Class:           {classfile.TagClass},
	MultiArray:      {classfile.TagClass},
	Constant8:       loadable,
	Constant:        loadable,
}

var loadable = []classfile.Tag{
	classfile.TagInteger, classfile.TagFloat, classfile.TagLong, classfile.TagDouble, classfile.TagString,
	classfile.TagClass, classfile.TagMethodHandle, classfile.TagMethodType, classfile.TagDynamic,
}

func (c *Code) checkInstruction(in Instruction, p *classfile.Pool) error {
	if err := in.checkOperands(); err != nil {
		return err
	}
	if wanted, ok := constantsOf[in.Op.Operands()]; ok {
		found := false
		for _, tag := range wanted {
			found = found || p.Tag(in.Pool()) == tag
		}
		if !found {
			return fmt.Errorf("%s: constant %d is %s", in.Op, in.Pool(), p.Tag(in.Pool()))
		}
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
	case !c.isInstruction(h.Target):
		return fmt.Errorf("target label %d", h.Target)
	case h.CatchType != 0 && p.Tag(h.CatchType) != classfile.TagClass:
		return fmt.Errorf("catches constant %d, %s", h.CatchType, p.Tag(h.CatchType))
	}
	return nil
}

func (c *Code) checkFrames() error {
	if !c.needsFrames() {
		return nil // the JVM does not read them
	}
	for i := range c.Frames {
		f := &c.Frames[i]
		if !c.isInstruction(f.At) {
			return fmt.Errorf("frame %d at label %d", i, f.At)
		}
		if i > 0 && f.At < c.Frames[i-1].At {
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
