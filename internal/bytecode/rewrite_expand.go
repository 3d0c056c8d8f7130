package bytecode

import "fmt"

// expand builds the new instructions and the offset maps. Branches still have
// old labels.
func (w *rewriter) expand() error {
	c := w.old
	size := len(w.prologue.Code) + len(c.Insns)
	for i := range w.insertions {
		size += len(w.insertions[i].Code) + 1 // a goto at most
	}
	for i := range w.catching.Catchers {
		size += len(w.catching.Catchers[i].Code) + 1
	}
	w.body.Insns = append(make([]Instruction, 0, size), w.prologue.Code...)
	w.pads, w.landings, w.redirects, w.jumps = w.pads[:0], w.landings[:0], w.redirects[:0], w.jumps[:0]
	order := w.order
	for i, in := range c.Insns {
		w.maps.start[i], w.maps.arrive[i] = w.here(), w.here()
		n := 0
		for n < len(order) && w.insertions[order[n]].At == i {
			n++
		}
		if n > 0 {
			if err := w.insert(Label(i), order[:n]); err != nil {
				return err
			}
			order = order[n:]
		}
		w.maps.self[i] = w.here()
		if w.isInverted(i) {
			w.body.Insns = append(w.body.Insns, Instruction{Op: in.Op.Negate()})
			in.Op = OpGotoW
		}
		w.body.Insns = append(w.body.Insns, in)
	}
	end := len(c.Insns)
	w.maps.start[end], w.maps.arrive[end], w.maps.self[end] = w.here(), w.here(), w.here()
	w.emitCatchers()
	w.emitGuards()
	return nil
}

// isInverted reports whether old instruction i is a branch over a goto_w now.
func (w *rewriter) isInverted(i int) bool { return w.inverted != nil && i >= 0 && w.inverted[i] }

// insert appends the code of a group of insertions, in their order, before old
// label at.
func (w *rewriter) insert(at Label, group []int32) error {
	pads := 0
	for pads < len(group) && w.insertions[group[pads]].Position == FallThrough {
		pads++
	}
	always := pads
	for always < len(group) && w.insertions[group[always]].Position == Taken {
		always++
	}
	open := w.insertFallThrough(at, group[:pads])
	if err := w.insertPads(at, group[pads:always], open); err != nil {
		return err
	}
	w.maps.arrive[at] = w.here()
	for _, k := range group[always:] {
		w.emit(k)
	}
	return nil
}

// emit appends the code of insertion k.
func (w *rewriter) emit(k int32) {
	start := w.here()
	w.body.Insns = append(w.body.Insns, w.insertions[k].Code...)
	w.ranges[k] = [2]Label{start, w.here()}
}

// drop notes that insertion k has no code in the new body.
func (w *rewriter) drop(k int32) { w.ranges[k] = [2]Label{w.here(), w.here()} }

// insertFallThrough appends the code for those who come from the instruction
// before, and reports whether control comes to the end of it.
func (w *rewriter) insertFallThrough(at Label, group []int32) (open bool) {
	enters := at == 0 || w.old.Insns[at-1].Op.FallsThrough()
	inverted := w.isInverted(int(at) - 1)
	start := w.here()
	for _, k := range group {
		if !enters || len(w.insertions[k].Code) == 0 {
			w.drop(k)
			continue
		}
		if inverted && w.here() == start {
			landing := pad{at, start}
			w.pads = append(w.pads, landing)
			w.landings = append(w.landings, landing)
		}
		w.emit(k)
	}
	// An inverted branch jumps over its goto_w to A itself if there is no
	// code for it on the way.
	return enters && !(inverted && w.here() == start)
}

// insertPads appends the pads before old label at. open says whether control
// comes to where they begin; then it needs a way around.
func (w *rewriter) insertPads(at Label, group []int32, open bool) error {
	first := len(w.redirects)
	for _, k := range group {
		if len(w.insertions[k].Code) == 0 {
			w.drop(k) // its edges go to A
			continue
		}
		if open {
			w.jumps = append(w.jumps, jump{w.here(), at})
			w.body.Insns = append(w.body.Insns, Instruction{Op: OpGoto})
		}
		open = true
		p := pad{at, w.here()}
		w.pads = append(w.pads, p)
		for _, from := range w.insertions[k].From {
			for _, r := range w.redirects[first:] {
				if int(r.from) == from && r.label != p.label {
					return fmt.Errorf("two pads for the edge from %d to %d", from, at)
				}
			}
			w.redirects = append(w.redirects, redirect{int32(from), p})
		}
		w.emit(k)
	}
	return nil
}
