package bytecode

import (
	"errors"
	"fmt"
	"slices"
)

// Where says who runs an Insertion.
type Position uint8

const (
	Always      Position = iota // everybody who comes to the instruction, by exception too
	FallThrough                 // who comes from the instruction before; at 0, who enters the method
	Taken                       // who comes by the branches in Insertion.From
)

var positionNames = [...]string{"always", "fall-through", "taken"}

// String returns the name in lower case.
func (p Position) String() string {
	if int(p) < len(positionNames) {
		return positionNames[p]
	}
	return fmt.Sprintf("position %d", uint8(p))
}

// An Insertion is straight-line code that is put before instruction At.
//
// A jsr has no Taken edge of its own: a pad would be the entry of another
// subroutine, and to the verifier return addresses of different subroutines are
// different types. Code before the jsr does the same.
type Insertion struct {
	At       int
	Position Position
	From     []int         // Taken: the branches and switches whose edges to At run it; all cases of a switch together
	Code     []Instruction // no branches, switches, returns or athrow
	Stack    int           // operand slots it needs above those in use at At
}

// check reports what no body can have inserted.
func (c *Code) check(ins *Insertion) error {
	if ins.At < 0 || ins.At >= len(c.Insns) {
		return errors.New("no such instruction")
	}
	if ins.Stack < 0 {
		return fmt.Errorf("stack %d", ins.Stack)
	}
	for _, in := range ins.Code {
		if !in.Op.straight() {
			return fmt.Errorf("%s is not straight-line code", in.Op)
		}
	}
	switch ins.Position {
	case Always, FallThrough:
		if len(ins.From) != 0 {
			return errors.New("has branches it comes from")
		}
	case Taken:
		if len(ins.From) == 0 {
			return errors.New("has no branches to come from")
		}
		for _, from := range ins.From {
			if from < 0 || from >= len(c.Insns) || !c.branchesTo(from, Label(ins.At)) {
				return fmt.Errorf("instruction %d does not branch there", from)
			}
			if c.Insns[from].Op.IsSubroutineCall() {
				return fmt.Errorf("instruction %d is a jsr", from)
			}
		}
	default:
		return errors.New("unknown place")
	}
	return nil
}

// branchesTo reports whether instruction i has a branch to l.
func (c *Code) branchesTo(i int, l Label) bool {
	in := c.Insns[i]
	if in.Op.IsBranch() {
		return in.Target() == l
	}
	if !in.Op.IsSwitch() {
		return false
	}
	s := &c.Switches[in.Arg]
	return s.Default == l || slices.Contains(s.Targets, l)
}
