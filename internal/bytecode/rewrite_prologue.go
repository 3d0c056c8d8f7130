package bytecode

import (
	"errors"
	"fmt"
	"math"
)

// checkPrologue reports what no body can have in front.
func (w *rewriter) checkPrologue() error {
	for _, in := range w.prologue.Code {
		if !in.Op.straight() {
			return fmt.Errorf("prologue: %s is not straight-line code", in.Op)
		}
	}
	if n := int(w.old.MaxLocals) + w.prologue.slots(); n > math.MaxUint16 {
		return fmt.Errorf("prologue: max_locals %d", n)
	}
	return nil
}

// errFrameLocals says that the new variable would not be where frames have it.
var errFrameLocals = errors.New("a frame has more locals than max_locals")

// listLocal lists the prologue's variable in all frames: behind padding up to its
// slot. Where locals end with it, forms that take them away or add to them have
// become of no use.
func (w *rewriter) listLocal() error {
	if w.prologue.slots() == 0 || !w.old.needsFrames() {
		return nil
	}
	listed := Code{Frames: make([]Frame, 0, len(w.body.Frames)), Types: make([]VerificationType, 0,
		2*len(w.body.Types)+8*len(w.body.Frames))}
	previous := append([]VerificationType(nil), w.prologue.Entry...)
	var locals []VerificationType
	for f, own := range w.body.FrameLocals(w.prologue.Entry) {
		slots := len(own)
		for _, t := range own {
			if t.Tag == Long || t.Tag == Double {
				slots++
			}
		}
		if slots > int(w.old.MaxLocals) {
			return errFrameLocals
		}
		locals = append(locals[:0], own...)
		for ; slots < int(w.old.MaxLocals); slots++ {
			locals = append(locals, VerificationType{})
		}
		locals = append(locals, w.prologue.Local)
		listed.addShortest(f.At, previous, locals, w.body.Stack(f))
		previous, locals = locals, previous
	}
	w.body.Frames, w.body.Types = listed.Frames, listed.Types
	return nil
}

// addShortest appends a frame in the shortest form, given the locals of the frame
// before. Forms that depend on the offset are short.
func (c *Code) addShortest(at Label, previous, locals, stack []VerificationType) {
	common := 0
	for common < min(len(previous), len(locals)) && previous[common] == locals[common] {
		common++
	}
	more := len(locals) - common
	switch {
	case common == len(previous) && more == 0 && len(stack) == 0:
		c.AddFrame(at, SameFrame, 0, nil, nil)
	case common == len(previous) && more == 0 && len(stack) == 1:
		c.AddFrame(at, Stack1Frame, 0, nil, stack)
	case common == len(previous) && more <= 3 && len(stack) == 0:
		c.AddFrame(at, AppendFrame, 0, locals[common:], nil)
	default:
		c.AddFrame(at, FullFrame, 0, locals, stack)
	}
}
