package cfg

import "mallard/internal/bytecode"

// markSuperCalls forces a zero at the call of super() or this() in a constructor.
// An invokespecial of <init> is that call, or it initialises an object that a new
// made. It is surely the latter if its class is neither the constructor's nor the
// superclass, or if the receiver is seen to come from a new: on an operand stack
// that is followed through straight-line code and forgotten where blocks start.
// Whatever is not sure is marked.
func (b *builder) markSuperCalls() {
	var stack freshness
	for i, in := range b.code.Insns {
		if b.marks[i]&leader != 0 {
			stack = stack[:0]
		}
		pops, pushes, err := in.StackEffect(b.pool)
		if err != nil {
			stack, pops, pushes = stack[:0], 0, 0 // nothing is known any more
		}
		switch {
		case in.Op == bytecode.OpNew:
			stack = append(stack, true)
			continue
		case duplicates[in.Op] != nil:
			stack.rearrange(pops, duplicates[in.Op])
			continue
		case in.Op == bytecode.OpInvokespecial && b.isSuperclassInit(i) && !stack.at(pops-1):
			b.marks[i] |= zero
		}
		stack.drop(pops)
		for range pushes {
			stack = append(stack, false)
		}
	}
}

// isSuperclassInit reports whether the invokespecial at i calls a constructor of
// the method's class or of its superclass.
func (b *builder) isSuperclassInit(i int) bool {
	class, name, _, err := b.pool.Ref(b.code.Insns[i].Pool())
	return err != nil || name == "<init>" && (class == b.method.Class || class == b.method.Super)
}

// freshness is the upper part of an operand stack, as far as it is known: whether
// each slot holds what a new has put there.
type freshness []bool

// at returns the slot depth slots below the top.
func (s freshness) at(depth int) bool {
	i := len(s) - 1 - depth
	return i >= 0 && i < len(s) && s[i]
}

func (s *freshness) drop(n int) { *s = (*s)[:max(len(*s)-n, 0)] }

// rearrange replaces the n slots at the top by copies of them, given by depth.
func (s *freshness) rearrange(n int, depths []int) {
	var moved [6]bool
	for k, depth := range depths {
		moved[k] = s.at(depth)
	}
	s.drop(n)
	*s = append(*s, moved[:len(depths)]...)
}

// duplicates lists for dup and its like what the slots are copies of, the deepest
// first (JVMS 6.5).
var duplicates = [256][]int{
	bytecode.OpDup:    {0, 0},
	bytecode.OpDupX1:  {0, 1, 0},
	bytecode.OpDupX2:  {0, 2, 1, 0},
	bytecode.OpDup2:   {1, 0, 1, 0},
	bytecode.OpDup2X1: {1, 0, 2, 1, 0},
	bytecode.OpDup2X2: {1, 0, 3, 2, 1, 0},
	bytecode.OpSwap:   {0, 1},
}
