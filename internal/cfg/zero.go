package cfg

import "mallard/internal/bytecode"

// markZeros marks the forced zeros inside the code: the points where nothing may
// be owed, because control may leave where no code can follow it. The entry and
// the exit are forced zeros anyway, and so are handlers.
//
//   - athrow: control goes to a handler or out of the method.
//   - super() or this() in a constructor: no handler may cover the call, so an
//     exception out of it could not be corrected.
//   - monitorenter up to the start of the next protected range: a handler of ours
//     in between keeps both of HotSpot's compilers from compiling the method.
//   - the entry of a subroutine, the point after jsr, and ret: which jsr a ret
//     returns to is not a static fact.
//   - what MethodInfo names.
func (b *builder) markZeros() {
	if b.method.Name == "<init>" {
		b.markSuperCalls()
	}
	for _, i := range b.method.Zeros {
		b.marks[i] |= zero
	}
	for i, in := range b.code.Insns {
		switch in.Op {
		case bytecode.OpAthrow:
			b.marks[i] |= zero
		case bytecode.OpRet:
			b.marks[i] |= zero
		case bytecode.OpJsr, bytecode.OpJsrW:
			b.marks[in.Target()] |= zero
			if i+1 < len(b.code.Insns) {
				b.marks[i+1] |= zero
				b.returnTo = append(b.returnTo, i+1)
			}
		case bytecode.OpMonitorenter:
			b.markMonitor(i)
		}
	}
}

// maxMonitorGap bounds how many instructions after a monitorenter are searched
// for the start of a protected range. javac leaves none or a few in between.
const maxMonitorGap = 64

// markMonitor forces zeros from the monitorenter at i to the start of the
// protected range that follows. It starts the range from nothing owed, so what is
// left to do is to mark whatever in between could change that: blocks that can be
// entered from elsewhere, and the instruction after an allocation.
func (b *builder) markMonitor(i int) {
	b.marks[i] |= zero
	end := i + 1
	for end < len(b.code.Insns) && b.marks[end]&covered == 0 {
		if end > i+maxMonitorGap || !b.code.Insns[end].Op.FallsThrough() {
			return
		}
		end++
	}
	for j := i + 1; j <= end && j < len(b.code.Insns); j++ {
		if b.marks[j]&leader != 0 || allocates(b.code.Insns[j-1].Op) {
			b.marks[j] |= zero
		}
	}
}

func allocates(op bytecode.Opcode) bool {
	switch op {
	case bytecode.OpNew, bytecode.OpNewarray, bytecode.OpAnewarray, bytecode.OpMultianewarray:
		return true
	}
	return false
}
