package calltree

import "mallard/internal/abi"

// Bounds of what is read of a table, which the program may have damaged.
const (
	mostProbes = 1 << 20
	mostTable  = 32 // a hash and what it is made of have the same upper half
)

// pair gives where a hash is in a thread's table, or where it would be; 0 where neither is found, and the size of the
// table in bytes. java.lang.$MallardTable is the reference.
func (a *Arena) pair(t *Thread, h Hash) (pair Node, size uint64) {
	table, log := t.table()
	size = uint64(2*abi.PairBytes) << log
	if log > mostTable || !a.inside(table, 2) || uint64(table)+size > a.layout.End {
		return 0, 0
	}
	at := uint64(h) >> (63 - log) * abi.PairBytes
	for range min(size/abi.PairBytes, mostProbes) {
		if found := Hash(a.get(table+Node(at), 0)); found == h || found == 0 {
			return table + Node(at), size
		}
		at = (at + abi.PairBytes) & (size - 1)
	}
	return 0, size
}

// lookUp looks for a hash in a thread's table.
func (a *Arena) lookUp(t *Thread, h Hash) Node {
	pair, _ := a.pair(t, h)
	if pair == 0 || a.get(pair, 0) == 0 {
		return 0
	}
	return Node(a.get(pair, abi.PairNode/8))
}

// remember puts a hash into a thread's table, unless it is there or the table is full: it does not grow. The thread
// waits, or has ended.
func (a *Arena) remember(t *Thread, h Hash, n Node) {
	pair, size := a.pair(t, h)
	if pair == 0 || a.get(pair, 0) != 0 || 2*abi.PairBytes*t.Hashes >= size {
		return
	}
	a.put(pair, abi.PairNode/8, uint64(n))
	a.put(pair, 0, uint64(h))
	t.Hashes++
}

// PutPairs leaves pairs in front of a thread's table, which the thread takes them from, and gives their number.
func (a *Arena) PutPairs(t *Thread, pairs []Pair) int {
	table, _ := t.table()
	start := table - abi.FrontPairs*abi.PairBytes
	if table < abi.FrontPairs*abi.PairBytes || !a.inside(start, 2*abi.FrontPairs) {
		return 0
	}
	pairs = pairs[:min(len(pairs), abi.FrontPairs)]
	for i, p := range pairs {
		pair := start + Node(i*abi.PairBytes)
		a.put(pair, 0, uint64(p.Hash))
		a.put(pair, abi.PairNode/8, uint64(p.Node))
	}
	return len(pairs)
}
