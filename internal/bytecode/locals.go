package bytecode

import (
	"fmt"
	"iter"

	"mallard/internal/classfile"
)

// FrameLocals iterates over the frames with all their locals, those that a frame
// takes over from the one before included. entry has the locals at the entry of the
// method (JVMS 4.10.1.6). A long or double is one local. The slice is valid until
// the next step.
func (c *Code) FrameLocals(entry []VerificationType) iter.Seq2[*Frame, []VerificationType] {
	return func(yield func(*Frame, []VerificationType) bool) {
		locals := append([]VerificationType(nil), entry...)
		for i := range c.Frames {
			f := &c.Frames[i]
			switch f.Kind {
			case ChopFrame:
				locals = locals[:max(len(locals)-int(f.Chop), 0)]
			case AppendFrame:
				locals = append(locals, c.Locals(f)...)
			case FullFrame:
				locals = append(locals[:0], c.Locals(f)...)
			}
			if !yield(f, locals) {
				return
			}
		}
	}
}

// A LocalsError says that no frame can be made for a handler in front of others.
type LocalsError struct {
	Handler Label // the target of the handler
	Reason  string
}

func (e *LocalsError) Error() string {
	return fmt.Sprintf("no frame for a handler before that at %d: %s", e.Handler, e.Reason)
}

// A HandlerLocals knows the locals at the handlers of a body, by slot.
type HandlerLocals struct {
	code  *Code
	pool  *classfile.Pool
	slots map[Label][]VerificationType
	twice map[Label]bool // two frames are there
}

// secondHalf is the upper slot of a long or double. No frame has it.
const secondHalf TypeTag = 255

// NewHandlerLocals reads the frames; entry is as for FrameLocals.
func (c *Code) NewHandlerLocals(entry []VerificationType, p *classfile.Pool) *HandlerLocals {
	h := &HandlerLocals{code: c, pool: p, slots: map[Label][]VerificationType{}, twice: map[Label]bool{}}
	targets := map[Label]bool{}
	for _, handler := range c.Handlers {
		targets[handler.Target] = true
	}
	for f, locals := range c.FrameLocals(entry) {
		if !targets[f.At] {
			continue
		}
		if _, found := h.slots[f.At]; found {
			h.twice[f.At] = true
		}
		var slots []VerificationType
		for _, t := range locals {
			slots = append(slots, t)
			if t.Tag == Long || t.Tag == Double {
				slots = append(slots, VerificationType{Tag: secondHalf})
			}
		}
		h.slots[f.At] = slots
	}
	return h
}

// Common returns locals for a frame from which control can go on to each of some
// handlers, and to which it can come from wherever they all cover. That needs one
// type for each slot: handlers may agree on it or not care.
//
// It fails with a LocalsError.
func (h *HandlerLocals) Common(handlers []int32) ([]VerificationType, error) {
	var common []VerificationType
	for _, k := range handlers {
		target := h.code.Handlers[k].Target
		slots, found := h.slots[target]
		if !found {
			return nil, &LocalsError{target, "it has none itself"}
		}
		if h.twice[target] {
			return nil, &LocalsError{target, "it has two itself"}
		}
		for len(common) < len(slots) {
			common = append(common, VerificationType{})
		}
		for i, t := range slots {
			narrower, ok := h.narrower(common[i], t)
			if !ok {
				return nil, &LocalsError{target, fmt.Sprintf("another wants a different type in slot %d", i)}
			}
			common[i] = narrower
		}
	}
	locals := common[:0]
	for _, t := range common {
		if t.Tag != secondHalf {
			locals = append(locals, t)
		}
	}
	for len(locals) > 0 && locals[len(locals)-1].Tag == Top {
		locals = locals[:len(locals)-1]
	}
	return locals, nil
}

// narrower returns the one of two types that is assignable to the other, as far
// as that can be told without knowing the classes.
func (h *HandlerLocals) narrower(a, b VerificationType) (VerificationType, bool) {
	switch {
	case a == b, b.Tag == Top:
		return a, true
	case a.Tag == Top:
		return b, true
	case a.Tag == Null && b.Tag == Object:
		return a, true
	case a.Tag == Object && b.Tag == Null:
		return b, true
	case a.Tag != Object || b.Tag != Object:
		return a, false
	}
	x, err1 := h.pool.ClassName(classfile.PoolIndex(a.Arg))
	y, err2 := h.pool.ClassName(classfile.PoolIndex(b.Arg))
	switch {
	case err1 != nil || err2 != nil:
		return a, false
	case x == y, y == "java/lang/Object":
		return a, true
	case x == "java/lang/Object":
		return b, true
	}
	return a, false
}
