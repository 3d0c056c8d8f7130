package bytecode

import (
	"fmt"
	"math"
)

// An encoder writes one body whose offsets are known.
type encoder struct {
	pcs []int32
	err error
}

// pc returns the offset of a label.
func (e *encoder) pc(l Label) int {
	if pc, stray := l.Stray(); stray {
		return pc
	}
	if int(l) >= len(e.pcs) {
		e.fail(fmt.Errorf("label %d past the end", l))
		return 0
	}
	return int(e.pcs[l])
}

// u2 returns the offset of a label as tables have it.
func (e *encoder) u2(l Label) uint16 { return e.checked(e.pc(l)) }

// length returns the distance of two labels as tables have it.
func (e *encoder) length(start, end Label) uint16 { return e.checked(e.pc(end) - e.pc(start)) }

func (e *encoder) checked(v int) uint16 {
	if v < 0 || v > math.MaxUint16 {
		e.fail(fmt.Errorf("offset or length %d exceeds 16 bits", v))
	}
	return uint16(v)
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// distance returns the distance from pc to a branch target.
func (e *encoder) distance(pc int, target Label) int {
	if target < 0 || int(target) >= len(e.pcs)-1 {
		e.fail(fmt.Errorf("pc %d: no instruction at label %d", pc, target))
		return 0
	}
	return int(e.pcs[target]) - pc
}
