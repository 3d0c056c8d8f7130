package bytecode

import (
	"fmt"

	"mallard/internal/classfile"
)

// Unreachable is the stack depth of an instruction to which no path leads.
const Unreachable = -1

// StackDepths returns the operand stack depth, in slots, before each
// instruction, Unreachable where no path leads. It follows branches, falls and
// handlers; the instruction after a jsr gets the depth before it, since that
// is how compilers use subroutines.
//
// It is an error if paths meet with different depths, the stack underflows or
// exceeds MaxStack, control runs off the end, or a constant that determines a
// depth is not what its instruction needs.
func (c *Code) StackDepths(p *classfile.Pool) ([]int32, error) {
	w := depthWalk{code: c, depths: make([]int32, len(c.Insns))}
	for i := range w.depths {
		w.depths[i] = Unreachable
	}
	w.reach(0, 0, 0)
	// Instructions in ranges of handlers reach them with one item; doing so
	// once for each handler is enough, because the depth is always the same.
	pending := make([]Handler, len(c.Handlers))
	copy(pending, c.Handlers)
	for w.err == nil {
		if len(w.work) == 0 && !w.enterHandlers(&pending) {
			return w.depths, nil
		}
		w.run(p)
	}
	return nil, fmt.Errorf("bytecode: %w", w.err)
}

// A depthWalk follows all paths, each instruction once.
type depthWalk struct {
	code   *Code
	depths []int32
	work   []Label // reached, not followed yet
	err    error
}

// reach notes that control comes from instruction i to l with a depth.
func (w *depthWalk) reach(i int, l Label, depth int32) {
	switch {
	case w.err != nil:
	case l < 0 || int(l) >= len(w.depths):
		w.err = fmt.Errorf("instruction %d: control leaves the code at label %d", i, l)
	case w.depths[l] == Unreachable:
		w.depths[l] = depth
		w.work = append(w.work, l)
	case w.depths[l] != depth:
		w.err = fmt.Errorf("instruction %d: depth %d at label %d, which has %d", i, depth, l, w.depths[l])
	}
}

// enterHandlers reaches the handlers whose ranges have been reached, and
// takes them out of pending.
func (w *depthWalk) enterHandlers(pending *[]Handler) bool {
	rest := (*pending)[:0]
	for _, h := range *pending {
		covered := false
		for i := max(h.Start, 0); i < h.End && int(i) < len(w.depths) && !covered; i++ {
			covered = w.depths[i] != Unreachable
		}
		if covered {
			w.reach(int(h.Start), h.Target, 1)
		} else {
			rest = append(rest, h)
		}
	}
	*pending = rest
	return len(w.work) > 0
}

// run follows what was reached until nothing is left.
func (w *depthWalk) run(p *classfile.Pool) {
	for len(w.work) > 0 && w.err == nil {
		l := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		in := w.code.Insns[l]
		pops, pushes, err := in.StackEffect(p)
		if err != nil {
			w.err = err
			return
		}
		depth := w.depths[l] - int32(pops)
		after := depth + int32(pushes)
		if depth < 0 {
			w.err = fmt.Errorf("instruction %d: %s with %d slots on the stack", l, in.Op, w.depths[l])
		} else if int(after) > int(w.code.MaxStack) {
			w.err = fmt.Errorf("instruction %d: %s: depth %d over max_stack %d", l, in.Op, after, w.code.MaxStack)
		}
		for to := range w.code.Targets(int(l)) {
			w.reach(int(l), to, after)
		}
		if !in.Op.FallsThrough() {
			continue
		}
		if in.Op.IsSubroutineCall() {
			after--
		}
		w.reach(int(l), l+1, after)
	}
}
