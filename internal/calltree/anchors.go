package calltree

import (
	"encoding/binary"

	"mallard/internal/abi"
)

// Where contexts are encoded, calls of methods that are no more have constants and anchors, and what stands behind those
// has numbers, which threads remember. [Arena.ForgetCalls] and [Arena.Reclaim] take them back.

const epochMask = uint64(maxEpoch) << abi.NumberEpochShift

// anchorOf gives the anchor that a number is behind; 0 for none.
func anchorOf(number uint64) uint64 {
	if number&epochMask == 0 {
		return 0
	}
	return number << abi.NumberEpochBits >> (abi.NumberAnchorShift + abi.NumberEpochBits)
}

// anchorAt is where an anchor is.
func (a *Arena) anchorAt(id uint64) Node { return Node(a.layout.Anchors + abi.AnchorBytes*id) }

// splitCall gives the callee and the call of what an anchor stands for, or of a call's constant.
func splitCall(what uint64) (callee MethodID, call uint64) {
	return MethodID(what &^ epochMask >> abi.NumberAnchorShift), what & (ValueLimit - 1)
}

// ForgetCalls has no call lead to methods that were unloaded, or from them, by a constant or an anchor: methods that get
// their numbers call others. Threads may run meanwhile, but those methods are on no stack. Before that their rows are
// not written over.
func (a *Arena) ForgetCalls(dead func(MethodID) bool) {
	calls := uint64(a.taken(abi.ArenaCalls))
	isDead := func(callee MethodID, call uint64) bool {
		return dead(callee) || call != 0 && call < calls && dead(a.caller(call))
	}
	for call := range calls {
		at := Node(a.layout.Additions)
		if constant := a.get(at, int(call)); constant != 0 {
			if callee, _ := splitCall(constant); isDead(callee, call) {
				a.put(at, int(call), 0)
			}
		}
	}
	a.forgetSeveral(isDead)
	end := min(*a.header(abi.ArenaAnchors), a.layout.anchors)
	for id := uint64(abi.AnchorsAtOnce); id < end; id++ {
		if callee, call := splitCall(a.get(a.anchorAt(id), abi.AnchorCall/8)); callee != 0 && isDead(callee, call) {
			a.forgetAnchor(id, 0)
		}
	}
}

// forgetSeveral does so where calls lead to several methods.
func (a *Arena) forgetSeveral(isDead func(MethodID, uint64) bool) {
	several := *a.header(abi.ArenaSeveral)
	table := several & (1<<abi.SeveralShift - 1)
	if table == 0 {
		return
	}
	for i := range uint64(1) << (several >> abi.SeveralShift) {
		entry := severalEntry(table, i)
		key := a.get(entry, abi.SeveralKey/8)
		if callee := MethodID(uint32(key)); key != 0 && isDead(callee, key>>abi.SeveralCallShift) {
			a.put(entry, abi.SeveralConstant/8, 0)
		}
	}
}

// forgetAnchor makes an anchor stand for nothing, and lead to another one that does.
func (a *Arena) forgetAnchor(id, next uint64) {
	at := a.anchorAt(id)
	a.put(at, abi.AnchorCall/8, 0) // first: whoever reads it stops here
	a.put(at, abi.AnchorNumber/8, abi.NumberUnknown)
	a.put(at, abi.AnchorNode/8, 0)
	a.put(at, abi.AnchorTaken/8, next)
}

// takeAnchors takes anchors out of the thread's table behind which no context is left, lets the thread use them again,
// and gives them.
func (r *reclaiming) takeAnchors() (used map[uint64]bool) {
	a := r.arena
	first, _ := r.thread.table()
	head := first - abi.DecodedCalls - abi.DecodedDepth*abi.DecodedBytes
	if head > first || !a.inside(head, abi.DecodedCalls/8) {
		return nil
	}
	table, size := Node(a.get(head, abi.KnownTable/8)), a.get(head, abi.KnownMask/8)+1
	if size == 0 || size&(size-1) != 0 || size > a.layout.End || !a.inside(table, int(size/8)) {
		return nil
	}
	cells := a.memory[uint64(table)-a.layout.Top:][:size]
	known := map[uint64]bool{} // whether each is dead
	r.noteDeadAnchors(known)
	var left []uint64
	used = map[uint64]bool{}
	le := binary.LittleEndian
	for at := uint64(0); at < size; at += 4 {
		id := uint64(le.Uint32(cells[at:]))
		switch {
		case id == 0 || id >= a.layout.anchors:
		case r.isDeadAnchor(id, known):
			used[id] = true
		default:
			left = append(left, id)
		}
	}
	clear(cells)
	for _, id := range left {
		number, what := a.get(a.anchorAt(id), abi.AnchorNumber/8), a.get(a.anchorAt(id), abi.AnchorCall/8)&^epochMask
		at := (number*abi.CodeHash + what) * abi.CodeHash >> abi.CodeHashShift << 2 & (size - 1)
		for le.Uint32(cells[at:]) != 0 {
			at = (at + 4) & (size - 1)
		}
		le.PutUint32(cells[at:], uint32(id))
	}
	a.put(head, abi.KnownCount/8, uint64(len(left)))
	for id := range used {
		a.forgetAnchor(id, a.get(head, abi.UsedAnchors/8))
		a.put(head, abi.UsedAnchors/8, id)
	}
	return used
}

// noteDeadAnchors says of anchors that they are dead that led to nodes that are gone.
func (r *reclaiming) noteDeadAnchors(known map[uint64]bool) {
	pairs, _, _, _ := r.pairsOf(r.thread.Table)
	for _, p := range pairs {
		if r.gone[p.node] && p.number&(ValueLimit-1) == 0 {
			known[anchorOf(p.number)] = true
		}
	}
}

// isDeadAnchor reports whether an anchor stands for nothing, for a node that is gone, or for a call of what is behind
// such an anchor.
func (r *reclaiming) isDeadAnchor(id uint64, known map[uint64]bool) (dead bool) {
	a := r.arena
	var way []uint64
	for id != 0 && id < a.layout.anchors {
		is, ok := known[id]
		if ok {
			dead = is
			break
		}
		known[id] = false // where damage has made a ring
		way = append(way, id)
		at := a.anchorAt(id)
		number := a.get(at, abi.AnchorNumber/8)
		if a.get(at, abi.AnchorCall/8) == 0 || r.gone[Node(a.get(at, abi.AnchorNode/8))] ||
			number&epochMask == 0 && r.gone[Node(number)] {
			dead = true
			break
		}
		id = anchorOf(number)
	}
	for _, id := range way {
		known[id] = dead
	}
	return dead
}
