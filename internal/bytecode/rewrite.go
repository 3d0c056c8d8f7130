package bytecode

import (
	"fmt"
	"math"
)

// Rewrite returns the body with straight-line code inserted. c stays as it is;
// the result shares what did not change.
//
// Before an instruction A with insertions the new body has
//
//	S:    code FallThrough
//	      goto A               if pads follow and the instruction before falls through
//	pad:  code Taken           with the frame of A
//	      goto A               not after the last pad
//	A:    code Always          frames, branches, handlers come here
//	self: the instruction
//
// so everything stays valid for who comes to A, and nothing in front of it
// needs types that A does not have. Both ends of every range (handlers,
// variables) and the starts of lines move to S; offsets of new instructions in
// frames and of type annotations move to self.
//
// Forms grow where they must: frames and goto to their wide forms, a
// conditional branch to its opposite over a goto_w. Insertions that nobody can
// come to are dropped, as FallThrough after a goto. Several insertions of one
// Where at one place stand in the order given. The operand stack grows by the
// largest Insertion.Stack.
//
// Errors: LengthError, DistanceError where an inverted branch has no frame to
// jump to, FrameError, and insertions that make no sense.
func (c *Code) Rewrite(insertions []Insertion) (*Rewritten, error) {
	return c.RewriteCatching(insertions, Catching{})
}

// RewriteCatching is Rewrite with catchers besides.
func (c *Code) RewriteCatching(insertions []Insertion, catching Catching) (*Rewritten, error) {
	return c.RewriteEntering(insertions, catching, Prologue{})
}

// RewriteEntering is RewriteCatching with a prologue besides.
func (c *Code) RewriteEntering(insertions []Insertion, catching Catching, prologue Prologue) (*Rewritten, error) {
	w := rewriters.Get().(*rewriter)
	defer w.release()
	w.old, w.insertions, w.catching, w.prologue = c, insertions, catching, prologue
	r, err := w.rewrite()
	if err != nil {
		return nil, fmt.Errorf("bytecode: rewrite: %w", err)
	}
	return r, nil
}

// rewrite works in steps: expand the instructions; aim branches; lengthen
// what is too short, which may need another expansion; then the tables, for
// which all offsets are known; and last the bytes.
func (w *rewriter) rewrite() (*Rewritten, error) {
	c := w.old
	if err := w.sortInsertions(); err != nil {
		return nil, err
	}
	if err := w.checkPrologue(); err != nil {
		return nil, err
	}
	stack := max(int(c.MaxStack), w.prologue.Stack)
	for i := range w.insertions {
		stack = max(stack, int(c.MaxStack)+w.insertions[i].Stack)
	}
	if err := w.checkCatchers(); err != nil {
		return nil, err
	}
	for i := range w.catching.Catchers {
		stack = max(stack, 1+w.catching.Catchers[i].Stack)
	}
	if err := w.checkGuard(); err != nil {
		return nil, err
	}
	if g := &w.prologue.Guard; len(g.Code) > 0 {
		stack = max(stack, 1+g.Stack)
	}
	if stack > math.MaxUint16 {
		return nil, fmt.Errorf("max_stack %d", stack)
	}
	w.body = &Code{MaxStack: uint16(stack), MaxLocals: c.MaxLocals + uint16(w.prologue.slots()), Version: c.Version,
		Attributes: c.Attributes}
	w.maps = newOffsetMaps(len(c.Insns) + 1)
	w.ranges = make([][2]Label, len(w.insertions))
	for again := true; again; {
		if err := w.expand(); err != nil {
			return nil, err
		}
		w.aim()
		var err error
		if again, err = w.lengthen(); err != nil {
			return nil, err
		}
	}
	w.fixPadding()
	if err := w.tables(); err != nil {
		return nil, err
	}
	code, err := w.body.encode(w.body.pcs)
	if err != nil {
		return nil, err
	}
	return &Rewritten{Code: code, Body: w.body, maps: w.maps, ranges: w.ranges, bodies: w.bodies}, nil
}
