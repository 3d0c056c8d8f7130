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
		for k := a.First; k < a.First+a.Levels; k++ {
			sites[k].Looped, sites[k].Copied = looped, copied || a.Made == MakesTable && k > a.First
		}
		first, to, ok := &sites[a.First], 0, false
		switch isNew := code.Insns[a.At].Op == bytecode.OpNew; {
		case first.Kind == ArrayConst:
			to, ok = passing.from(a.At)
		case isNew && IsBuilder(first.Type):
			to, ok = passing.ended(a.At, looped)
		case isNew:
			to, ok = passing.thrown(a.At)
		}
		if ok {
			first.PassedTo = code.PC(to)
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

// passing follows objects on the operand stack of a method.
type passing struct {
	code   *bytecode.Code
	pool   *classfile.Pool
	depths []int32 // of the stack, once asked for
	failed bool
	chains map[int]int // by new, the end of chains that have one; nil until asked for
}

// from gives the call that the array that an instruction makes goes to as its last argument, once its elements are
// stored: what javac makes of variable arguments, and of an array that is written there.
func (p *passing) from(at int) (call int, ok bool) {
	if at+1 >= len(p.code.Insns) {
		return 0, false
	}
	if op := p.code.Insns[at+1].Op; op != bytecode.OpDup && !isCall(op) {
		return 0, false
	}
	call, ok = p.taker(at)
	return call, ok && isCall(p.code.Insns[call].Op) && takesArray(p.pool, p.code.Insns[call])
}

// ended gives the call of toString that a new builder in a loop goes to, where that is known: what compilers make of +
// for Java 8 and before.
func (p *passing) ended(at int, looped bool) (call int, ok bool) {
	if !looped {
		return 0, false
	}
	if p.chains == nil {
		p.chains = map[int]int{}
		for _, chain := range FindChains(p.code, p.pool) {
			if len(chain.Ends) == 1 {
				p.chains[chain.New] = chain.Ends[0]
			}
		}
	}
	call, ok = p.chains[at]
	return call, ok
}

// thrown gives the instruction that throws a new object: the code of throw new.
func (p *passing) thrown(at int) (throw int, ok bool) {
	for i := at + 2; i < len(p.code.Insns); i++ {
		if p.code.Insns[i].Op == bytecode.OpAthrow && p.code.Insns[i-1].Op == bytecode.OpInvokespecial {
			throw, ok = p.taker(at)
			return throw, ok && p.code.Insns[throw].Op == bytecode.OpAthrow
		}
	}
	return 0, false
}

// taker gives the instruction that takes what an instruction has made off the stack, as the last thing there.
func (p *passing) taker(at int) (taker int, ok bool) {
	if p.failed {
		return 0, false
	}
	if p.depths == nil {
		var err error
		if p.depths, err = p.code.StackDepths(p.pool); err != nil {
			p.failed = true
			return 0, false
		}
	}
	slot := p.depths[at+1] - 1
	for i := at + 1; i < len(p.code.Insns); i++ {
		in, depth := p.code.Insns[i], p.depths[i]
		pops, _, err := in.StackEffect(p.pool)
		switch {
		case err != nil || depth <= slot: // or unreachable
			return 0, false
		case depth-int32(pops) > slot:
		case in.Op == bytecode.OpDup && depth == slot+1:
		default:
			return i, depth == slot+1
		}
	}
	return 0, false
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
	bracket := strings.LastIndexByte(parameters, '[')
	if bracket < 0 {
		return false
	}
	element := parameters[bracket+1:]
	return len(element) == 1 || strings.HasPrefix(element, "L") && strings.IndexByte(element, ';') == len(element)-1
}
