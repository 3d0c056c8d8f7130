package bytecode

import "mallard/internal/classfile"

// ShowsThis reports whether a constructor may show `this` to others than itself and the
// constructors that it calls for it: as an argument, in a field or an element, thrown, locked,
// or moved to where it is not followed. Code that cannot be followed does.
func (c *Code) ShowsThis(p *classfile.Pool) bool {
	depths, err := c.StackDepths(p)
	if err != nil {
		return true
	}
	f := thisFollower{code: c, pool: p, depths: depths, seen: map[stackedThis]bool{}}
	for i, in := range c.Insns {
		slot, ok := in.Slot()
		switch {
		case !ok || slot != 0 || depths[i] == Unreachable:
		case !in.Op.LoadsReference():
			return true
		default:
			f.reach(i+1, depths[i])
		}
	}
	return f.isShown()
}

// A stackedThis is `this` in a slot of the operand stack, in front of an instruction.
type stackedThis struct {
	at   int
	slot int32
}

// A thisFollower follows `this` on the operand stack to what takes it off.
type thisFollower struct {
	code   *Code
	pool   *classfile.Pool
	depths []int32
	seen   map[stackedThis]bool
	work   []stackedThis
}

func (f *thisFollower) reach(at int, slot int32) {
	if s := (stackedThis{at, slot}); !f.seen[s] {
		f.seen[s] = true
		f.work = append(f.work, s)
	}
}

// isShown follows all that was reached.
func (f *thisFollower) isShown() bool {
	for len(f.work) > 0 {
		s := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		if s.at >= len(f.code.Insns) || f.depths[s.at] <= s.slot {
			return true
		}
		in := f.code.Insns[s.at]
		pops, _, err := in.StackEffect(f.pool)
		if err != nil || in.Op.IsSubroutineCall() || in.Op == OpRet {
			return true
		}
		first := f.depths[s.at] - int32(pops) // of the operands
		switch {
		case s.slot < first || in.Op == OpCheckcast:
			f.proceed(s.at, in, s.slot)
		case in.Op == OpDup:
			f.reach(s.at+1, s.slot)
			f.reach(s.at+1, s.slot+1)
		case !f.keeps(in, s.slot == first):
			return true
		}
	}
	return false
}

// keeps reports whether an instruction that takes `this` shows it to nobody; lowest: it is the first of the operands.
func (f *thisFollower) keeps(in Instruction, lowest bool) bool {
	switch in.Op {
	case OpGetfield, OpInstanceof, OpIfnull, OpIfnonnull, OpIfAcmpeq, OpIfAcmpne, OpPop, OpPop2:
		return true
	case OpPutfield:
		return lowest
	case OpInvokespecial:
		_, name, _, err := f.pool.Ref(in.Pool())
		return err == nil && name == "<init>" && lowest
	}
	return false
}

func (f *thisFollower) proceed(at int, in Instruction, slot int32) {
	for to := range f.code.Targets(at) {
		f.reach(int(to), slot)
	}
	if in.Op.FallsThrough() {
		f.reach(at+1, slot)
	}
}
