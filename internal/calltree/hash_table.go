package calltree

import "mallard/internal/abi"

// Bounds of what is read of a table, which the program may have damaged.
const (
	mostProbes = 1 << 20
	mostTable  = 32 // a hash and what it is made of have the same upper half
)

// lookUp looks for a hash in a thread's table. Where it stands java.lang.$MallardTable defines, which is the reference.
func (a *Arena) lookUp(t *Thread, h Hash) Node {
	table, log := t.table()
	size := uint64(2*abi.PairBytes) << log
	if log > mostTable || !a.inside(table, 2) || uint64(table)+size > a.layout.End {
		return 0
	}
	at := uint64(h) >> (63 - log) * abi.PairBytes
	for range min(size/abi.PairBytes, mostProbes) {
		switch Hash(a.get(table+Node(at), 0)) {
		case h:
			return Node(a.get(table+Node(at), abi.PairNode/8))
		case 0:
			return 0
		}
		at = (at + abi.PairBytes) & (size - 1)
	}
	return 0
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
