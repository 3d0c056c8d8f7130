package calltree

import "mallard/internal/abi"

// Where contexts are encoded, calls of methods that are no more have constants and anchors, and what stands behind
// those has numbers, which threads remember. [Arena.ForgetCalls] and [Arena.Reclaim] take them back.

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

// ForgetCalls has no call lead to methods that were unloaded, or from them, by a constant or an anchor: methods that
// get their numbers call others. Threads may run meanwhile, but those methods are on no stack. Before that their rows
// are not written over.
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
