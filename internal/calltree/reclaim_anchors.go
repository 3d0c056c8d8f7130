package calltree

import (
	"encoding/binary"

	"mallard/internal/abi"
)

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
