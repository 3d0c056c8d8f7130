package bytecode

import (
	"fmt"

	"mallard/internal/classfile"
)

// checkDepths follows the stack depth as the JVM does where there are frames
// (JVMS 4.10.1): from one instruction to the next, a frame at each place to
// which control comes from elsewhere. Unlike StackDepths it sees code that no
// path leads to.
func (c *Code) checkDepths(p *classfile.Pool) error {
	frames := c.frameDepths()
	arrive := func(i int, l Label, depth int32) error {
		if l < 0 || int(l) >= len(frames) || frames[l] == Unreachable {
			return fmt.Errorf("bytecode: instruction %d: no frame at label %d", i, l)
		}
		if frames[l] != depth {
			return fmt.Errorf("bytecode: instruction %d: depth %d at label %d, whose frame has %d", i, depth, l,
				frames[l])
		}
		return nil
	}
	for _, h := range c.Handlers {
		if err := arrive(int(h.Start), h.Target, 1); err != nil {
			return err
		}
	}
	depth := int32(0) // Unreachable where control does not come from the instruction before
	for i, in := range c.Insns {
		if f := frames[i]; f != Unreachable {
			if depth != Unreachable && depth != f {
				return fmt.Errorf("bytecode: instruction %d: depth %d, the frame has %d", i, depth, f)
			}
			depth = f
		}
		if depth == Unreachable {
			return fmt.Errorf("bytecode: instruction %d: no frame", i)
		}
		pops, pushes, err := in.StackEffect(p)
		if err != nil {
			return err
		}
		if depth -= int32(pops); depth < 0 {
			return fmt.Errorf("bytecode: instruction %d: %s with %d slots on the stack", i, in.Op, int(depth)+pops)
		}
		if depth += int32(pushes); depth > int32(c.MaxStack) {
			return fmt.Errorf("bytecode: instruction %d: %s: depth %d over max_stack %d", i, in.Op, depth, c.MaxStack)
		}
		for to := range c.Targets(i) {
			if err := arrive(i, to, depth); err != nil {
				return err
			}
		}
		if !in.Op.FallsThrough() {
			depth = Unreachable
		}
	}
	if depth != Unreachable {
		return fmt.Errorf("bytecode: control leaves the code at label %d", len(c.Insns))
	}
	return nil
}

// frameDepths gives the stack depth of the frame at each instruction, Unreachable where there is none.
func (c *Code) frameDepths() []int32 {
	depths := make([]int32, len(c.Insns))
	for i := range depths {
		depths[i] = Unreachable
	}
	for k := range c.Frames {
		f := &c.Frames[k]
		if !c.isInstruction(f.At) {
			continue
		}
		depth := int32(0)
		for _, t := range c.Stack(f) {
			if depth++; t.Tag == Long || t.Tag == Double {
				depth++
			}
		}
		depths[f.At] = depth
	}
	return depths
}
