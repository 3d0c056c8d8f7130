package bytecode

import (
	"fmt"
	"math"
	"slices"
)

// branch returns the instruction of the new body that old branch i has become.
func (w *rewriter) branch(i int) *Instruction {
	at := w.maps.self[i]
	if w.isInverted(i) {
		at++
	}
	return &w.body.Insns[at]
}

// aim gives branches and switches their new labels.
func (w *rewriter) aim() {
	w.aimSwitches()
	for i, in := range w.old.Insns {
		if !in.Op.IsBranch() {
			continue
		}
		w.branch(i).Arg = int32(w.maps.arrive[in.Arg])
		if w.isInverted(i) {
			w.body.Insns[w.maps.self[i]].Arg = int32(w.maps.arrive[i+1])
		}
	}
	for _, l := range w.landings {
		w.body.Insns[w.maps.self[l.at-1]].Arg = int32(l.label)
	}
	for _, j := range w.jumps {
		w.body.Insns[j.index].Arg = int32(w.maps.arrive[j.to])
	}
	for _, r := range w.redirects {
		in := w.old.Insns[r.from]
		if !in.Op.IsSwitch() {
			w.branch(int(r.from)).Arg = int32(r.label)
			continue
		}
		from, to := &w.old.Switches[in.Arg], &w.body.Switches[in.Arg]
		if from.Default == r.at {
			to.Default = r.label
		}
		for k, t := range from.Targets {
			if t == r.at {
				to.Targets[k] = r.label
			}
		}
	}
}

// aimSwitches copies the switches with new labels.
func (w *rewriter) aimSwitches() {
	if len(w.old.Switches) == 0 {
		return
	}
	targets := 0
	for i := range w.old.Switches {
		targets += len(w.old.Switches[i].Targets)
	}
	all := make([]Label, 0, targets)
	w.body.Switches = append(w.body.Switches[:0], w.old.Switches...)
	for i := range w.body.Switches {
		s := &w.body.Switches[i]
		s.Default = w.maps.arrive[s.Default]
		first := len(all)
		for _, t := range s.Targets {
			all = append(all, w.maps.arrive[t])
		}
		s.Targets = all[first:len(all):len(all)]
	}
}

// lengthen lays the new body out and gives jumps a form that reaches. If a
// conditional branch must be inverted, everything has to be expanded again.
// Forms only grow, so this comes to an end.
func (w *rewriter) lengthen() (again bool, err error) {
	w.body.pcs = slices.Grow(w.body.pcs[:0], len(w.body.Insns)+1)
	for grown := true; grown; {
		if w.body.pcs, err = w.body.layout(w.body.pcs[:0]); err != nil {
			return false, err
		}
		if w.body.pcs[len(w.body.Insns)] <= math.MaxInt16 {
			return false, nil
		}
		grown = false
		for at := range w.body.Insns {
			in := &w.body.Insns[at]
			if opcodes[in.Op].operands != Branch || w.reaches(at, in) {
				continue
			}
			switch in.Op {
			case OpGoto:
				in.Op, grown = OpGotoW, true
			case OpJsr:
				in.Op, grown = OpJsrW, true
			}
		}
	}
	for i, in := range w.old.Insns {
		at := int(w.maps.self[i])
		if !in.Op.IsConditional() || w.isInverted(i) || w.reaches(at, &w.body.Insns[at]) {
			continue
		}
		if w.old.needsFrames() && !w.old.hasFrame(Label(i+1)) {
			pc := int(w.body.pcs[at])
			return false, fmt.Errorf("%w, and no frame after it to jump to",
				&DistanceError{pc, in.Op, int(w.body.pcs[w.body.Insns[at].Arg]) - pc})
		}
		if w.inverted == nil {
			w.inverted = make([]bool, len(w.old.Insns))
		}
		w.inverted[i], again = true, true
	}
	return again, nil
}

// reaches reports whether the branch at a new index comes to its target with
// 16 bits.
func (w *rewriter) reaches(at int, in *Instruction) bool {
	d := w.body.pcs[in.Arg] - w.body.pcs[at]
	return d == int32(int16(d))
}

// fixPadding clears the padding of switches whose alignment changed.
func (w *rewriter) fixPadding() {
	for i, in := range w.old.Insns {
		if !in.Op.IsSwitch() {
			continue
		}
		old, pc := w.old.PC(i), int(w.body.pcs[w.maps.self[i]])
		if old < 0 || old&3 != pc&3 {
			w.body.Switches[in.Arg].Padding = [3]byte{}
		}
	}
}
