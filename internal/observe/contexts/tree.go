package contexts

import (
	"mallard/internal/calltree"
	"mallard/internal/counters"
	"mallard/internal/wire"
)

// A thread's own words for its tree, from wire.TreeWord on.
const (
	treeWords = 14
	tableWord = 7

	transactionWord = wire.TransactionWord - wire.TreeWord
	insideWord      = wire.InsideWord - wire.TreeWord
)

// tree reads a thread's own words for its tree.
func (c *Contexts) tree(b counters.Block) (*calltree.Thread, error) {
	var w [treeWords]uint64
	if err := c.memory.Words(b, wire.TreeWord, w[:]); err != nil {
		return nil, err
	}
	return &calltree.Thread{
		Next: calltree.Entry(w[0]), Free: w[1], End: w[2], Chunk: w[3], Root: calltree.Entry(w[4]),
		Table: w[tableWord], Hashes: w[8], Earlier: w[10],
		Transaction: calltree.Node(w[transactionWord]), Inside: calltree.Node(w[insideWord]),
	}, nil
}

// putTree changes them, while the thread waits or has ended, and says how many pairs there are for it.
func (c *Contexts) putTree(b counters.Block, t *calltree.Thread, learned int) error {
	err := c.memory.PutWords(b, wire.TreeWord, uint64(t.Next), t.Free, t.End, t.Chunk, uint64(t.Root))
	if err == nil {
		err = c.memory.PutWords(b, wire.TreeWord+tableWord, t.Table, t.Hashes, uint64(learned), t.Earlier)
	}
	if err != nil || t.Transaction == 0 {
		return err
	}
	return c.memory.PutWords(b, wire.TransactionWord, uint64(t.Transaction)) // for the stack of a thread that ends the JVM
}
