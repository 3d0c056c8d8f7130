package bytecode

import (
	"errors"
	"fmt"
	"slices"

	"mallard/internal/classfile"
)

// A scheme chooses insertions that must not change what a body does.
type scheme struct {
	name   string
	insert func(c *Code) []Insertion
}

var nop = []Instruction{Insn(OpNop)}

// schemes are the ways in which corpus tests rewrite.
var schemes = []scheme{
	{"always", nopBeforeAll},
	{"edges", nopOnEdges},
	{"everywhere", func(c *Code) []Insertion { return append(nopOnEdges(c), nopBeforeAll(c)...) }},
}

// nopBeforeAll puts a nop before every instruction.
func nopBeforeAll(c *Code) []Insertion {
	all := make([]Insertion, len(c.Insns))
	for i := range all {
		all[i] = Insertion{At: i, Code: nop}
	}
	return all
}

// nopOnEdges puts a nop on every edge from an instruction to the next, and a
// pad with a nop on every edge of a branch or switch.
func nopOnEdges(c *Code) []Insertion {
	var all []Insertion
	for i := range c.Insns {
		all = append(all, Insertion{At: i, Position: FallThrough, Code: nop})
		var targets []Label
		for l := range c.Targets(i) {
			if !slices.Contains(targets, l) && !c.Insns[i].Op.IsSubroutineCall() {
				targets = append(targets, l)
				all = append(all, Insertion{At: int(l), Position: Taken, From: []int{i}, Code: nop, Stack: 1})
			}
		}
	}
	return all
}

// A tally counts bodies that were rewritten and those that could not be.
type tally struct{ rewritten, tooLong, tooFar int }

// rewriteClass returns a class with all its bodies rewritten. Bodies that
// exceed a limit of the format stay as they are.
func rewriteClass(b []byte, s scheme, t *tally) ([]byte, error) {
	class, err := classfile.Parse(b)
	if err != nil {
		return nil, err
	}
	if err := eachCode(class, func(m *classfile.Member, a *classfile.Attribute) error {
		_, code, err := decodeMethod(class, a)
		if err != nil {
			return err
		}
		if name, _ := class.Pool.Utf8(m.Name); name == "finalize" && len(code.Insns) == 1 {
			return nil // HotSpot calls a finalizer unless its body is a bare return; Object has one
		}
		rewritten, err := code.Rewrite(s.insert(code))
		var length *LengthError
		var distance *DistanceError
		switch {
		case errors.As(err, &length):
			t.tooLong++
			return nil
		case errors.As(err, &distance):
			t.tooFar++
			return nil
		case err != nil:
			return err
		}
		t.rewritten++
		if err := sameAsDecoded(rewritten, class); err != nil {
			return err
		}
		if err := sameLines(rewritten, code); err != nil {
			return err
		}
		a.Info, err = rewritten.Code.AppendTo(nil)
		return err
	}); err != nil {
		return nil, err
	}
	return class.AppendTo(nil)
}

// sameAsDecoded checks a rewritten body, and that its labels and bytes agree.
func sameAsDecoded(r *Rewritten, class *classfile.Class) error {
	if err := r.Body.Check(class.Pool); err != nil {
		return err
	}
	decoded, err := Decode(r.Code, class.Pool)
	if err != nil {
		return err
	}
	if !slices.Equal(decoded.Insns, r.Body.Insns) || !slices.Equal(decoded.pcs, r.Body.pcs) {
		return fmt.Errorf("labels and bytes of the new body differ")
	}
	return nil
}

// sameLines checks that instructions are on the lines where they were: those where lines start, and those behind them.
func sameLines(r *Rewritten, old *Code) error {
	for _, l := range old.Lines {
		if _, stray := l.Start.Stray(); stray {
			continue
		}
		for i := int(l.Start); i < len(old.Insns) && i < int(l.Start)+2; i++ {
			if was, is := old.Line(i), r.Body.Line(int(r.maps.self[i])); was != is {
				return fmt.Errorf("instruction %d was on line %d, and is on %d", i, was, is)
			}
		}
	}
	return nil
}
