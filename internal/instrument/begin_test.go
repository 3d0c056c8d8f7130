package instrument

import (
	"fmt"
	"strings"

	"mallard/internal/bytecode"
)

// A progress says how far an invocation's context may be at an instruction; several are possible.
type progress uint8

const (
	notBegun progress = 1 << iota
	begun
	threw // not begun, and something was thrown
)

// checkProgress follows the new code from its entry: where a context begins it has not begun, whatever was thrown,
// and where it is used it has.
func (c *contextCheck) checkProgress() error {
	code, may := c.after, make([]progress, len(c.after.Insns))
	work := []int{0}
	may[0] = notBegun
	reach := func(at int, p progress) {
		if at < len(may) && p&^may[at] != 0 {
			may[at] |= p
			work = append(work, at)
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		p, in := may[i], code.Insns[i]
		for _, h := range code.Handlers {
			if int(h.Start) <= i && i < int(h.End) && in.CanThrow(c.pool) {
				reach(int(h.Target), p&(begun|threw)|p&notBegun<<2)
			}
		}
		if strings.HasPrefix(c.runtime(code, i), "begin") {
			p = begun
		}
		if in.Op.IsSwitch() {
			s := &code.Switches[in.Arg]
			reach(int(s.Default), p)
			for _, target := range s.Targets {
				reach(int(target), p)
			}
		}
		if in.Op.IsBranch() {
			reach(int(in.Target()), p)
		}
		if in.Op.FallsThrough() || in.Op.IsSubroutineCall() {
			reach(i+1, p)
		}
	}
	for i, p := range may {
		if p == 0 {
			continue // unreachable
		}
		switch called := c.runtime(code, i); {
		case strings.HasPrefix(called, "begin") && p != notBegun:
			return fmt.Errorf("instruction %d begins in state %d", i, p)
		case (strings.HasPrefix(called, "announce") || strings.HasPrefix(called, "node")) && p != begun:
			return fmt.Errorf("instruction %d needs a context in state %d", i, p)
		case code.Insns[i].Op.IsReturn() && p&begun != 0 && !c.isLeafBody(c.before) &&
			c.runtime(code, i-1) != "end(JI)V":
			return fmt.Errorf("instruction %d returns in state %d", i, p)
		}
	}
	return nil
}

// beginsLate reports whether the code does not begin with the context: only where the variable is 0 at first, it may
// begin elsewhere.
func (c *contextCheck) beginsLate(body int) bool {
	return body >= 2 && c.after.Insns[body-2] == bytecode.Insn(bytecode.OpLconst0)
}
