package bytecode

import (
	"errors"
	"slices"
)

// checkGuard reports what no body can have.
func (w *rewriter) checkGuard() error {
	g := &w.prologue.Guard
	switch {
	case len(g.Code) == 0:
		return nil
	case w.prologue.slots() == 0:
		return errors.New("a guard without a prologue")
	case slices.ContainsFunc(g.Code, func(in Instruction) bool { return !in.Op.straight() }):
		return errors.New("guard: not straight-line code")
	case g.This != nil && len(g.This) != len(w.old.Insns):
		return errors.New("guard: another constructor's")
	}
	if n := len(w.old.Insns); n == 0 || w.old.Insns[n-1].Op.FallsThrough() {
		return errors.New("a guard would follow code that falls through")
	}
	return nil
}

// emitGuards appends the bodies behind everything else: for what has `this`
// initialised, and for what has not.
func (w *rewriter) emitGuards() {
	g := &w.prologue.Guard
	w.guards = [2]Label{-1, -1}
	if len(g.Code) == 0 {
		return
	}
	for k, before := range [...]bool{false, true} {
		if k == 0 || slices.Contains(g.This, before) {
			w.guards[k] = w.here()
			w.body.Insns = append(append(w.body.Insns, g.Code...), Instruction{Op: OpAthrow})
		}
	}
}

// guardHandlers appends the entries that lead to the guards.
func (w *rewriter) guardHandlers(all []Handler) []Handler {
	g := &w.prologue.Guard
	if len(g.Code) == 0 {
		return all
	}
	end := len(w.old.Insns)
	for i := 0; i < end; {
		before := g.This != nil && g.This[i]
		next := i
		for next < end && (g.This == nil || g.This[next] == before) && !w.initializes(next) {
			next++
		}
		last := w.maps.start[next]
		if next < end && w.initializes(next) {
			last = w.maps.self[next] // what is inserted before the call is covered
			next++
		}
		all = w.appendGuarded(all, w.maps.start[i], last, before)
		i = next
	}
	for k, b := range w.bodies {
		locals := w.catching.Catchers[k].Locals
		all = w.appendGuarded(all, b[0], b[1], len(locals) > 0 && locals[0].Tag == UninitializedThis)
	}
	return all
}

// initializes reports whether an old instruction is the call after which `this` is
// initialised.
func (w *rewriter) initializes(i int) bool {
	this := w.prologue.Guard.This
	return this != nil && this[i] && w.old.Insns[i].Op == OpInvokespecial && i+1 < len(this) && !this[i+1]
}

// appendGuarded appends an entry, or makes the last one longer.
func (w *rewriter) appendGuarded(all []Handler, start, end Label, before bool) []Handler {
	target := w.guards[0]
	if before {
		target = w.guards[1]
	}
	if start == end {
		return all
	}
	if n := len(all); n > 0 && all[n-1].Target == target && all[n-1].End == start {
		all[n-1].End = end
		return all
	}
	return append(all, Handler{Start: start, End: end, Target: target})
}

// guardFrames appends the frames of the guards, without the prologue's variable.
func (w *rewriter) guardFrames() {
	if w.guards[0] < 0 || !w.old.needsFrames() || len(w.prologue.Guard.Code) == 0 {
		return
	}
	w.body.Types = slices.Clip(w.body.Types)
	stack := []VerificationType{{Object, int32(w.prologue.Guard.Throwable)}}
	w.body.AddFrame(w.guards[0], FullFrame, 0, nil, stack)
	if w.guards[1] >= 0 {
		w.body.AddFrame(w.guards[1], FullFrame, 0, []VerificationType{{Tag: UninitializedThis}}, stack)
	}
}
