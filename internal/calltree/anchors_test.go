package calltree

import (
	"encoding/binary"
	"maps"
	"slices"
	"testing"

	"mallard/internal/abi"
)

// knownAnchors is a thread's table of anchors, as java.lang.$MallardCode keeps it.
type knownAnchors struct {
	*Arena
	head, table Node
	size        uint64
}

func (k *knownAnchors) place(number, what uint64) uint64 {
	cells := k.memory[uint64(k.table)-k.layout.Top:][:k.size]
	at := (number*abi.CodeHash + what&^epochMask) * abi.CodeHash >> abi.CodeHashShift << 2 & (k.size - 1)
	for {
		id := uint64(binary.LittleEndian.Uint32(cells[at:]))
		if id == 0 || k.get(k.anchorAt(id), abi.AnchorNumber/8) == number &&
			k.get(k.anchorAt(id), abi.AnchorCall/8)&^epochMask == what&^epochMask {
			return at
		}
		at = (at + 4) & (k.size - 1)
	}
}

// find gives the anchor of a call, 0 without.
func (k *knownAnchors) find(number, what uint64) uint64 {
	cells := k.memory[uint64(k.table)-k.layout.Top:][:k.size]
	return uint64(binary.LittleEndian.Uint32(cells[k.place(number, what):]))
}

func (k *knownAnchors) add(id, number, what uint64, node Node) {
	at := k.anchorAt(id)
	for i, v := range []uint64{number, what, uint64(node), 1} {
		k.put(at, i, v)
	}
	cells := k.memory[uint64(k.table)-k.layout.Top:][:k.size]
	binary.LittleEndian.PutUint32(cells[k.place(number, what):], uint32(id))
}

// TestReclaimCode: a method that lives calls one that is unloaded, which calls back; both calls have anchors and
// numbers in the thread's table, as has another call, which stays. What is behind the dead ones is given back.
func TestReclaimCode(t *testing.T) {
	const bytes = 64 << 20
	const epoch = 1 << abi.NumberEpochShift
	a := New(make([]byte, bytes), NewLayout(start, bytes).WithCode(), bytes, 4<<10, 4<<20)
	method := func(name string) Method {
		return Method{Words: FirstSlot + 3, Name: name, Calls: []string{"", ""}, PCs: []int{10, 20}}
	}
	m, err := a.Add([]Method{method("live"), method("dead"), method("called")})
	if err != nil {
		t.Fatal(err)
	}
	live, gone, called := m, m+1, m+2
	th := thread(a)
	nodes, ok := a.FindOrMake(th, []Frame{{Method: called}, {Method: gone, PC: 10}, {Method: live, PC: 10}})
	other, more := a.FindOrMake(th, []Frame{{Method: called}, {Method: live, PC: 20}})
	if !ok || !more {
		t.Fatal("no memory")
	}
	front := uint64(abi.DecodedCalls + abi.DecodedDepth*abi.DecodedBytes)
	memory := a.share(front + 32*abi.PairBytes*2)
	th.Table = (memory+front+63)&^63 | 4
	k := &knownAnchors{Arena: a, head: Node(th.Table&^63) - Node(front), table: Node(a.share(256)), size: 256}
	a.put(k.head, abi.KnownTable/8, uint64(k.table))
	a.put(k.head, abi.KnownMask/8, k.size-1)
	*a.header(abi.ArenaAnchors) = 2 * abi.AnchorsAtOnce
	what := func(callee MethodID, caller MethodID, slot uint32) uint64 {
		return epoch | uint64(callee)<<abi.NumberAnchorShift | uint64(a.FirstCall(caller)+slot)
	}
	number := func(id uint64) uint64 { return epoch | id<<abi.NumberAnchorShift }
	const first, dead, below, stays, behind, decoded = abi.AnchorsAtOnce, abi.AnchorsAtOnce + 1, abi.AnchorsAtOnce + 2,
		abi.AnchorsAtOnce + 3, abi.AnchorsAtOnce + 4, abi.AnchorsAtOnce + 5
	k.add(first, 0, what(live, live, 0), other[1])
	k.add(dead, number(first), what(gone, live, 0), 0)
	k.add(below, number(dead), what(called, gone, 0), 0)
	k.add(stays, number(first), what(called, live, 1), 0)
	k.add(behind, number(below), what(called, called, 0), 0)    // in no pair
	k.add(decoded, number(first)+7, what(called, called, 0), 0) // 7 says that the dead method was called
	pairs := map[uint64]Node{number(first): other[1], number(dead): nodes[1], number(below): nodes[0],
		number(stays): other[0], number(decoded): nodes[0], number(dead) + 5: other[0]} // of an anchor used again
	for n, node := range pairs {
		put(a, th, n, node)
	}
	a.put(Node(a.layout.Additions), int(a.FirstCall(live)), what(gone, 0, 0))
	a.put(Node(a.layout.Additions), int(a.FirstCall(live))+1, what(called, 0, 0))
	a.put(Node(a.layout.Additions), int(a.FirstCall(gone)), what(called, 0, 0))

	isGone := func(id MethodID) bool { return id == gone }
	a.ForgetCalls(isGone)
	for call, has := range map[uint32]bool{a.FirstCall(live): false, a.FirstCall(live) + 1: true,
		a.FirstCall(gone): false} {
		if got := a.get(Node(a.layout.Additions), int(call)) != 0; got != has {
			t.Errorf("call %d has a constant: %v", call, got)
		}
	}
	if k.find(number(first), what(gone, live, 0)) != 0 || k.find(number(first), what(called, live, 1)) != stays {
		t.Error("calls that are forgotten have anchors, or another one has not")
	}
	if got, ok := a.Reclaim(th, nodes[1], isGone); got != 0 || ok {
		t.Errorf("%d bytes are reclaimed of what was called last", got)
	}
	if got, ok := a.Reclaim(th, other[1], isGone); got != 2*8*(FirstSlot+3) || !ok {
		t.Errorf("%d bytes are reclaimed (%v)", got, ok)
	}
	if k.find(0, what(live, live, 0)) != first || k.find(number(first), what(called, live, 1)) != stays ||
		k.find(number(first), what(gone, live, 0)) != 0 || k.find(number(dead), what(called, gone, 0)) != 0 ||
		a.get(k.head, abi.KnownCount/8) != 2 {
		t.Error("the table of anchors has others than those that are left")
	}
	var used []uint64
	for id := a.get(k.head, abi.UsedAnchors/8); id != 0 && len(used) < 5; id = a.get(a.anchorAt(id),
		abi.AnchorTaken/8) {
		used = append(used, id)
		if a.get(a.anchorAt(id), abi.AnchorNumber/8) != abi.NumberUnknown ||
			a.get(a.anchorAt(id), abi.AnchorCall/8) != 0 {
			t.Errorf("anchor %d stands for something", id)
		}
	}
	if slices.Sort(used); !slices.Equal(used, []uint64{dead, below, behind, decoded}) {
		t.Errorf("anchors %v are used again", used)
	}
	left := map[uint64]Node{}
	r := reclaiming{arena: a, thread: th}
	list, _, _, _ := r.pairsOf(th.Table)
	for _, p := range list {
		left[p.number] = p.node
	}
	if want := map[uint64]Node{number(first): other[1], number(stays): other[0]}; !maps.Equal(left, want) ||
		th.Hashes != 2 {
		t.Errorf("numbers %v (%d), want %v", left, th.Hashes, want)
	}
}

// put puts a number into a thread's table, as java.lang.$MallardTable.putPair does.
func put(a *Arena, th *Thread, number uint64, node Node) {
	table, log := th.table()
	at := (number + uint64(a.methodOf(node))*abi.CodeHash) * abi.CodeHash >> (63 - log) * abi.PairBytes
	for a.get(table+Node(at), 0) != 0 {
		at = (at + abi.PairBytes) & (2*abi.PairBytes<<log - 1)
	}
	a.put(table+Node(at), 0, number)
	a.put(table+Node(at), abi.PairNode/8, uint64(node))
	th.Hashes++
}

// TestReclaimTransactions: below a transaction that a thread has entered, and in one that an invocation has begun, what
// is dead is reclaimed as elsewhere; not while an invocation that is gone is in its transaction.
func TestReclaimTransactions(t *testing.T) {
	const bytes, live, dead = 64 << 20, 1, 2
	a := New(make([]byte, bytes), NewLayout(start, bytes), bytes, 4<<10, 4<<20)
	method := Method{Words: FirstSlot + 4, Calls: []string{"", ""}, PCs: []int{10, 20}}
	if _, err := a.Add([]Method{method, method}); err != nil {
		t.Fatal(err)
	}
	name, err := a.AddTransaction("m0")
	if err != nil {
		t.Fatal(err)
	}
	th := thread(a)
	outside, ok := a.FindOrMake(th, []Frame{{Method: dead}, {Method: live, PC: 20}})
	if !ok {
		t.Fatal("no memory")
	}
	inside := a.child(th, th.Root.Node(), 0, Frame{Method: name}, 0)
	table := (a.chunk(abi.ChunkUnit) + 63) &^ 63
	a.put(inside, abi.TransactionTable, table|4)
	var mirrors []Node
	for _, n := range outside {
		m := a.Mirror(th, n, inside)
		mirrors = append(mirrors, m)
		entered := Thread{Table: table | 4}
		remember(a, &entered, Pair{anchored(n), m})
	}
	a.put(inside, abi.TransactionPairs, 2)
	begun := begin(a, th, name, outside[0], 10, dead)
	isDead := func(id MethodID) bool { return id == dead }
	if got, ok := a.Reclaim(th, 0, isDead); got != 0 || ok || a.methodOf(begun) != dead {
		t.Errorf("%d bytes are reclaimed below a transaction that has not ended", got)
	}
	th.Transaction = 0
	want := uint64(8 * (3*(FirstSlot+4) + abi.TransactionWords))
	if got, ok := a.Reclaim(th, 0, isDead); got != want || !ok {
		t.Errorf("%d bytes are reclaimed (%v), want %d", got, ok, want)
	}
	entered := Thread{Table: table | 4}
	if a.get(inside, abi.TransactionPairs) != 1 || a.lookUp(&entered, anchored(outside[1])) != mirrors[1] ||
		a.lookUp(&entered, anchored(outside[0])) != 0 {
		t.Error("the transaction's table has not what is left")
	}
	if again, ok := a.FindOrMake(th, []Frame{{Method: dead}, {Method: live, PC: 20}}); !ok || again[1] != outside[1] ||
		a.Mirror(th, again[1], inside) != mirrors[1] {
		t.Error("what lives has another node")
	}
}
