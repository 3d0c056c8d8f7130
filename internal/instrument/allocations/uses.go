package allocations

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// findUses says of sites how the code around them uses what they make.
func findUses(code *bytecode.Code, pool *classfile.Pool, allocations []Allocation, sites []Site) {
	back := jumpsBack(code)
	passing := passing{code: code, pool: pool}
	for _, a := range allocations {
		looped := isLooped(code, back, a.At)
		copied := a.Made != NoCall && isCopy(pool, code.Insns[a.At])
		passed := sites[a.First].Kind == ArrayConst && passing.from(a.At)
		for k := a.First; k < a.First+a.Levels; k++ {
			sites[k].Looped, sites[k].Copied, sites[k].Passed = looped, copied, passed
		}
	}
}

// A jump leads back from an instruction.
type jump struct{ to, from int }

// jumpsBack lists the branches that lead to themselves or to an earlier instruction.
func jumpsBack(code *bytecode.Code) (list []jump) {
	for i, in := range code.Insns {
		if !in.Op.IsBranch() && !in.Op.IsSwitch() {
			continue
		}
		for to := range code.Targets(i) {
			if int(to) <= i {
				list = append(list, jump{int(to), i})
			}
		}
	}
	return list
}

// isLooped reports whether an instruction is between a jump back and where that leads, as the bodies of loops are that
// compilers make, and not on a straight way out of the method.
func isLooped(code *bytecode.Code, back []jump, at int) bool {
	inside := false
	for _, j := range back {
		inside = inside || j.to <= at && at <= j.from
	}
	if !inside {
		return false
	}
	for i := at; i < len(code.Insns) && !code.Insns[i].Op.IsBranch() && !code.Insns[i].Op.IsSwitch(); i++ {
		if !code.Insns[i].Op.FallsThrough() {
			return false // it returns or throws
		}
	}
	return true
}

// isCopy reports whether an instruction calls what clones or copies.
func isCopy(pool *classfile.Pool, in bytecode.Instruction) bool {
	class, name, _, err := pool.Ref(in.Pool())
	return err == nil && (name == "clone" || class == "java/util/Arrays" && strings.HasPrefix(name, "copyOf"))
}

// passing follows arrays on the operand stack of a method.
type passing struct {
	code   *bytecode.Code
	pool   *classfile.Pool
	depths []int32 // of the stack, once asked for
	failed bool
}

// from reports whether the array that an instruction makes goes to a call as its last argument, once its elements are
// stored: what javac makes of variable arguments, and of an array that is written there.
func (p *passing) from(at int) bool {
	if at+1 >= len(p.code.Insns) || p.failed {
		return false
	}
	if p.depths == nil {
		if op := p.code.Insns[at+1].Op; op != bytecode.OpDup && !isCall(op) {
			return false
		}
		var err error
		if p.depths, err = p.code.StackDepths(p.pool); err != nil {
			p.failed = true
			return false
		}
	}
	slot := p.depths[at+1] - 1
	for i := at + 1; i < len(p.code.Insns); i++ {
		in, depth := p.code.Insns[i], p.depths[i]
		if depth == bytecode.Unreachable {
			return false
		}
		pops, _, err := in.StackEffect(p.pool)
		switch {
		case err != nil || depth <= slot:
			return false
		case depth-int32(pops) > slot:
		case in.Op == bytecode.OpDup && depth == slot+1:
		default:
			return isCall(in.Op) && depth == slot+1 && takesArray(p.pool, in)
		}
	}
	return false
}

func isCall(op bytecode.Opcode) bool {
	switch op {
	case bytecode.OpInvokevirtual, bytecode.OpInvokespecial, bytecode.OpInvokestatic, bytecode.OpInvokeinterface:
		return true
	}
	return false
}

// takesArray reports whether the last parameter of what is called is an array.
func takesArray(pool *classfile.Pool, in bytecode.Instruction) bool {
	_, _, descriptor, err := pool.Ref(in.Pool())
	if err != nil {
		return false
	}
	parameters, _, _ := strings.Cut(descriptor, ")")
	if element := strings.LastIndexByte(strings.TrimSuffix(parameters, ";"), '['); element >= 0 {
		last := parameters[element+1:]
		return len(last) == 1 || last[0] == 'L' && strings.Count(last, ";") == 1 && strings.HasSuffix(last, ";")
	}
	return false
}
