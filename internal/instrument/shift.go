package instrument

import "mallard/internal/bytecode"

// shift says by how many bytes the instructions from pc of the new code on are behind their places in the class file
// as it was.
type shift struct{ pc, by int32 }

// shiftsOf lists where instructions have gone.
func shiftsOf(code *bytecode.Code, r *bytecode.Rewritten) []shift {
	var shifts []shift
	var last int32
	for i := range code.Insns {
		pc := r.PC(i)
		if by := int32(pc - code.PC(i)); by != last {
			shifts = append(shifts, shift{int32(pc), by})
			last = by
		}
	}
	return shifts
}
