package bytecode

import (
	"errors"

	"mallard/internal/classfile"
)

// errThis says that a constructor does with `this` what compilers do not.
var errThis = errors.New("where this is initialised is not clear")

// UninitializedThis tells for each instruction of a constructor whether `this` is
// uninitialised when it starts: before the call of super() or this(). Frames say it
// where they are; in between the call is found by following the operand stack. entry
// is as for FrameLocals.
//
// It fails where `this` is moved to another slot or shuffled on the stack before
// the call.
func (c *Code) UninitializedThis(entry []VerificationType, p *classfile.Pool) ([]bool, error) {
	frames := map[Label]constructorState{}
	for f, locals := range c.FrameLocals(entry) {
		s, err := c.constructorState(f, locals)
		if err != nil {
			return nil, err
		}
		frames[f.At] = s
	}
	result := make([]bool, len(c.Insns))
	s := constructorState{uninitialized: true}
	for i, in := range c.Insns {
		if framed, found := frames[Label(i)]; found {
			s = framed
		}
		result[i] = s.uninitialized
		if err := s.step(in, p); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// A constructorState says whether `this` is uninitialised, and where on the stack
// it is then.
type constructorState struct {
	uninitialized bool
	depth         int
	this          []int // slots on the stack that hold it, ascending
}

func (c *Code) constructorState(f *Frame, locals []VerificationType) (s constructorState, err error) {
	for i, t := range locals {
		if t.Tag == UninitializedThis {
			if s.uninitialized = true; i != 0 {
				return s, errThis
			}
		}
	}
	for _, t := range c.Stack(f) {
		switch t.Tag {
		case UninitializedThis:
			if !s.uninitialized {
				return s, errThis
			}
			s.this = append(s.this, s.depth)
		case Long, Double:
			s.depth++
		}
		s.depth++
	}
	return s, nil
}

// step follows one instruction.
func (s *constructorState) step(in Instruction, p *classfile.Pool) error {
	if !s.uninitialized {
		return nil // for good, or up to the next frame
	}
	pops, pushes, err := in.StackEffect(p)
	if err != nil {
		return err
	}
	first := s.depth - pops // of the operands
	reached := len(s.this) > 0 && s.this[len(s.this)-1] >= first
	if slot, ok := in.Slot(); ok && in.Op.Stores() && (reached || slot == 0) {
		return errThis
	}
	if reached && in.Op >= OpDup && in.Op <= OpSwap {
		return errThis
	}
	if reached && in.Op == OpInvokespecial {
		_, name, _, err := p.Ref(in.Pool())
		if err != nil {
			return err
		}
		if name == "<init>" && s.this[len(s.this)-1] == first {
			*s = constructorState{}
			return nil
		}
	}
	for len(s.this) > 0 && s.this[len(s.this)-1] >= first {
		s.this = s.this[:len(s.this)-1]
	}
	if slot, ok := in.Slot(); ok && slot == 0 && in.Op.LoadsReference() {
		s.this = append(s.this, first)
	}
	s.depth = first + pushes
	return nil
}

// Stores reports whether op is a store into a local variable.
func (op Opcode) Stores() bool { return op >= OpIstore && op <= OpAstore3 }

// LoadsReference reports whether op is aload in one of its forms.
func (op Opcode) LoadsReference() bool { return op == OpAload || op >= OpAload0 && op <= OpAload3 }
