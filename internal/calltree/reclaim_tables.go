package calltree

import "mallard/internal/abi"

// rebuildTables takes nodes that are gone out of the thread's tables: that of hashes, or numbers, and those of
// transactions that it has entered.
func (r *reclaiming) rebuildTables() {
	a, t := r.arena, r.thread
	used := map[uint64]bool{}
	if a.layout.Additions != 0 {
		used = r.takeAnchors()
	}
	if n, ok := r.rebuildTable(t.Table, used); ok {
		t.Hashes = n
	}
	for _, n := range r.nodes {
		if r.gone[n.at] || !a.isEntered(n.at) {
			continue
		}
		if pairs, ok := r.rebuildTable(a.get(n.at, abi.TransactionTable), used); ok {
			a.put(n.at, abi.TransactionPairs, pairs)
		}
	}
}

// rebuildTable leaves in a table what leads to nodes that are left, by none of the anchors that are used again, and
// gives how many pairs that are.
func (r *reclaiming) rebuildTable(table uint64, used map[uint64]bool) (left uint64, ok bool) {
	a := r.arena
	pairs, first, end, ok := r.pairsOf(table)
	for at := first; at < end; at += abi.PairBytes {
		a.put(at, 0, 0)
		a.put(at, abi.PairNode/8, 0)
	}
	log := table & abi.TableLogMask
	for _, p := range pairs {
		if r.gone[p.node] || used[anchorOf(p.number)] || !a.inside(p.node, FirstSlot) {
			continue
		}
		home := p.number
		if a.layout.Additions != 0 {
			home = (p.number + uint64(a.methodOf(p.node))*abi.CodeHash) * abi.CodeHash
		}
		at := first + Node(home>>(63-log)*abi.PairBytes)
		for a.get(at, 0) != 0 {
			if at += abi.PairBytes; at == end {
				at = first
			}
		}
		a.put(at, abi.PairNode/8, uint64(p.node))
		a.put(at, 0, p.number)
		left++
	}
	return left, ok
}
