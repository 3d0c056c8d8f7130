package calltree

import "mallard/internal/abi"

// rebuildTables takes nodes that are gone out of the thread's tables: from hashes, or numbers, and those of transactions
// that it has entered.
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

// A numbered node is a pair of a table: a hash, a number or a node of the thread's own tree, and what it leads to.
type numbered struct {
	number uint64
	node   Node
}

// pairsOf gives what is in a table, and where that begins and ends; false where there is none.
func (r *reclaiming) pairsOf(table uint64) (pairs []numbered, first, end Node, ok bool) {
	a := r.arena
	t := Thread{Table: table}
	first, log := t.table()
	size := uint64(2*abi.PairBytes) << log
	if first == 0 || log > mostTable || !a.inside(first, 2) || uint64(first)+size > a.layout.End {
		return nil, 0, 0, false
	}
	end = first + Node(size)
	for at := first; at < end; at += abi.PairBytes {
		if number := a.get(at, 0); number != 0 {
			pairs = append(pairs, numbered{number, Node(a.get(at, abi.PairNode/8))})
		}
	}
	return pairs, first, end, true
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
