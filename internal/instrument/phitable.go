package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/placement"
)

// phiTable makes the entries of a method, in the order of its new code.
type phiTable struct {
	plan    *plan
	code    *bytecode.Rewritten
	pending []int32 // insertions still to come, as their code stands
	entries []phiEntry
}

// phiTable tabulates φ over the new code: at an instruction it is what the placement says, and inside an insertion,
// until that is through, less by what it adds. A catcher has φ of its ranges until it has counted.
func (p *plan) phiTable(r *bytecode.Rewritten) []phiEntry {
	t := phiTable{plan: p, code: r, pending: p.layout()}
	var changes []placement.Change
	for b := range p.graph.Blocks[:p.graph.Exit()] {
		changes = p.changes(changes[:0], cfg.BlockID(b))
		t.block(cfg.BlockID(b), changes)
	}
	for k, phi := range p.catcherPhi {
		start, athrow := r.CatcherPC(k)
		t.absolute(start, phi)
		t.absolute(athrow, nil)
	}
	return t.entries
}

// block makes the entries for a block, given the changes of φ inside.
func (t *phiTable) block(b cfg.BlockID, changes []placement.Change) {
	blk := &t.plan.graph.Blocks[b]
	n := changesAt(changes, blk.First)
	phi := t.plan.startPhi(b)
	for _, c := range changes[:n] {
		phi = phi.Add(c.Delta)
	}
	t.enter(blk.First, phi)
	for inside := changes[n:]; ; inside = inside[n:] {
		at := t.next(blk.End)
		if len(inside) > 0 {
			at = min(at, inside[0].At)
		}
		if at == blk.End {
			break
		}
		n = changesAt(inside, at)
		t.pass(at, inside[:n])
	}
}

// changesAt counts the leading changes that are at an instruction.
func changesAt(changes []placement.Change, at int) int {
	n := 0
	for n < len(changes) && changes[n].At == at {
		n++
	}
	return n
}

// next is the instruction that the next insertion stands before, or the end of the block if that comes first.
func (t *phiTable) next(end int) int {
	if len(t.pending) == 0 {
		return end
	}
	return min(end, t.plan.insertions[t.pending[0]].At)
}

// take takes the insertions of one kind before an instruction from the pending ones, and sums up what they add.
func (t *phiTable) take(at int, position bytecode.Position) (group []int32, adds placement.Vector) {
	n := 0
	for ; n < len(t.pending); n++ {
		k := t.pending[n]
		if ins := &t.plan.insertions[k]; ins.At != at || ins.Position != position {
			break
		}
		adds = adds.Add(t.plan.adds[k])
	}
	group, t.pending = t.pending[:n], t.pending[n:]
	return group, adds
}

// enter makes the entries for the first instruction of a block, which has φ, and for what is inserted before it. Who
// falls in and who comes by a pad arrives with what the code for all lacks.
func (t *phiTable) enter(first int, phi placement.Vector) {
	falls, fallsAdd := t.take(first, bytecode.FallThrough)
	pads, _ := t.take(first, bytecode.Taken)
	all, allAdd := t.take(first, bytecode.Always)
	arrival := phi.Sub(allAdd)
	t.absolute(t.code.StartPC(first), arrival.Sub(fallsAdd))
	t.run(falls)
	for i, k := range pads {
		start, _ := t.code.InsertionPC(int(k))
		t.absolute(start, arrival.Sub(t.plan.adds[k]))
		t.run(pads[i : i+1])
	}
	t.absolute(t.code.ArrivalPC(first), arrival)
	t.run(all)
}

// pass makes the entries for an instruction inside a block, where φ changes in all by some deltas, and for what is
// inserted before it.
func (t *phiTable) pass(at int, changes []placement.Change) {
	falls, fallsAdd := t.take(at, bytecode.FallThrough)
	all, allAdd := t.take(at, bytecode.Always)
	delta := placement.Vector(nil).Sub(fallsAdd).Sub(allAdd)
	for _, c := range changes {
		delta = delta.Add(c.Delta)
	}
	t.relative(t.code.StartPC(at), delta)
	t.run(falls)
	t.run(all)
}

// run makes the entries that end insertions.
func (t *phiTable) run(group []int32) {
	for _, k := range group {
		_, end := t.code.InsertionPC(int(k))
		t.relative(end, t.plan.adds[k])
	}
}

// absolute says that φ is phi from pc on, whatever has been said of pc.
func (t *phiTable) absolute(pc int, phi placement.Vector) {
	n := len(t.entries)
	for n > 0 && int(t.entries[n-1].pc) == pc {
		n--
	}
	t.entries = t.entries[:n]
	if n > 0 && !t.entries[n-1].relative && t.entries[n-1].phi.Equal(phi) {
		return
	}
	t.entries = append(t.entries, phiEntry{pc: int32(pc), phi: phi})
}

// relative says that φ is more by delta from pc on.
func (t *phiTable) relative(pc int, delta placement.Vector) {
	if !delta.IsZero() {
		t.entries = append(t.entries, phiEntry{pc: int32(pc), relative: true, phi: delta})
	}
}
