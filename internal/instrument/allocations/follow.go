package allocations

import (
	"slices"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// A follower follows new objects on the operand stack of a method, from new to where their constructors are called.
type follower struct {
	code    *bytecode.Code
	pool    *classfile.Pool
	depths  []int32 // of the stack
	visited []int   // by instruction: the last object that was on the stack there, from 1
	work    []int
}

func newFollower(code *bytecode.Code, pool *classfile.Pool, depths []int32) *follower {
	return &follower{code: code, pool: pool, depths: depths, visited: make([]int, len(code.Insns))}
}

// Constructor is the call of the constructor of an object that an instruction makes with new. Behind it a copy of the
// object is on top of the stack.
type Constructor struct {
	At int // the instruction that calls it
	// control always comes from new to the call, as nothing in between can throw. Fields of `this` are taken to be
	// there; in code that is not linked with the classes that it was compiled with they may not be.
	Certain bool
}

// FindConstructors gives for instructions that make an object with new the call of its constructor; those where none
// is, or nobody can tell, are left out. Code whose stack cannot be followed has none. this says that the first local
// variable is `this`, as in methods that are not static.
func FindConstructors(code *bytecode.Code, pool *classfile.Pool, news []int, this bool) map[int]Constructor {
	depths, err := code.StackDepths(pool)
	if err != nil {
		return nil
	}
	f := newFollower(code, pool, depths)
	this = this && !slices.ContainsFunc(code.Insns, func(in bytecode.Instruction) bool {
		slot, ok := in.Slot()
		return ok && slot == 0 && in.Op.Stores()
	})
	calls := make(map[int]Constructor, len(news))
	for n, at := range news {
		if call := f.constructor(at, n+1); call >= 0 && f.closed(at, n+1, []int{call}) {
			calls[at] = Constructor{At: call, Certain: f.isCertain(at, call, this)}
		}
	}
	return calls
}

// isCertain reports whether control goes straight from new to the call.
func (f *follower) isCertain(at, call int, this bool) bool {
	for i := at + 1; i < call; i++ {
		in := f.code.Insns[i]
		own := in.Op == bytecode.OpGetfield && this && f.code.Insns[i-1].Op == bytecode.OpAload0
		if in.CanThrow(f.pool) && !own || !in.Op.FallsThrough() || in.Op.IsBranch() {
			return false
		}
	}
	return true
}

// constructor finds the call of the constructor of the object that an instruction makes, where a copy of that is below
// what the call takes, and on top of the stack behind it; -1 if there is not just one, or no such copy. number is the
// object's own, from 1.
func (f *follower) constructor(at, number int) int {
	slot, first, ok := f.copied(at)
	if !ok {
		return -1
	}
	class, err := f.pool.ClassName(f.code.Insns[at].Pool())
	if err != nil {
		return -1
	}
	found := -1
	for i := at; i < first; i++ {
		f.visited[i] = number
	}
	f.work = append(f.work[:0], first)
	for len(f.work) > 0 {
		i := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		if i >= len(f.code.Insns) {
			return -1
		}
		if f.visited[i] == number {
			continue
		}
		f.visited[i] = number
		in := f.code.Insns[i]
		pops, _, err := in.StackEffect(f.pool)
		switch {
		case err != nil:
			return -1
		case f.depths[i]-int32(pops) > slot:
			if !f.proceed(i, in) {
				return -1
			}
		case in.Op == bytecode.OpInvokespecial && f.depths[i]-int32(pops) == slot && found < 0:
			if owner, name, _, err := f.pool.Ref(in.Pool()); err != nil || owner != class || name != "<init>" {
				return -1
			}
			found = i
		default:
			return -1
		}
	}
	return found
}

// copied gives the slot of the copy of a new object that its constructor takes, of which another one lies below, and
// the instruction behind. Where there is an argument before the object, as in Groovy's code, both come below that.
//
//	new C
//	dup
//
//	new C   ..., argument, object
//	dup_x1
//	swap    ..., object, object, argument
func (f *follower) copied(at int) (slot int32, behind int, ok bool) {
	insns := f.code.Insns[at:]
	depth := f.depths[at]
	switch {
	case depth == bytecode.Unreachable:
		return 0, 0, false
	case len(insns) > 2 && insns[1].Op == bytecode.OpDup:
		return depth + 1, at + 2, true
	case len(insns) > 3 && insns[1].Op == bytecode.OpDupX1 && insns[2].Op == bytecode.OpSwap:
		return depth, at + 3, true
	}
	return 0, 0, false
}

// proceed goes on behind an instruction that does nothing with the builder; false where nobody can tell where to.
func (f *follower) proceed(i int, in bytecode.Instruction) bool {
	if in.Op.IsSubroutineCall() || in.Op == bytecode.OpRet {
		return false
	}
	for to := range f.code.Targets(i) {
		f.work = append(f.work, int(to))
	}
	if in.Op.FallsThrough() {
		f.work = append(f.work, i+1)
	}
	return true
}

// closed reports whether control comes to the instructions that have been visited only through the first of them.
func (f *follower) closed(first, number int, ends []int) bool {
	for i, in := range f.code.Insns {
		inside := f.visited[i] == number && !slices.Contains(ends, i)
		if inside || f.depths[i] == bytecode.Unreachable {
			continue
		}
		if in.Op.FallsThrough() && i+1 < len(f.visited) && i+1 != first && f.visited[i+1] == number {
			return false
		}
		for to := range f.code.Targets(i) {
			if int(to) != first && f.visited[to] == number {
				return false
			}
		}
	}
	for _, h := range f.code.Handlers {
		if int(h.Target) != first && f.visited[h.Target] == number {
			return false
		}
	}
	return true
}
