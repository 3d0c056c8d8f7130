package contexts

import (
	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/counters"
)

// tree reads a thread's own words for its tree.
func (c *Contexts) tree(b counters.Block) (*calltree.Thread, error) {
	var w [abi.WordMade]uint64
	if err := c.memory.Words(b, 0, w[:]); err != nil {
		return nil, err
	}
	return &calltree.Thread{
		Next: calltree.Entry(w[abi.WordNext]), Free: w[abi.WordFree], End: w[abi.WordEnd], Chunk: w[abi.WordChunk],
		Spans: w[abi.WordSpans],
		Root:  calltree.Entry(w[abi.WordOutermost]), Table: w[abi.WordTable], Hashes: w[abi.WordHashes],
		Turn:        w[abi.WordTurn],
		Transaction: calltree.Node(w[abi.WordTransaction]), Inside: calltree.Node(w[abi.WordInside]),
	}, nil
}

// putTree changes them, while the thread waits or has ended, and says how many pairs there are for it.
func (c *Contexts) putTree(b counters.Block, t *calltree.Thread, learned int) error {
	words := []counters.Word{
		{Number: abi.WordNext, Value: uint64(t.Next)}, {Number: abi.WordFree, Value: t.Free},
		{Number: abi.WordEnd, Value: t.End},
		{Number: abi.WordChunk, Value: t.Chunk}, {Number: abi.WordOutermost, Value: uint64(t.Root)},
		{Number: abi.WordTable, Value: t.Table}, {Number: abi.WordHashes, Value: t.Hashes},
		{Number: abi.WordLearned, Value: uint64(learned)},
		{Number: abi.WordTurn, Value: t.Turn}, {Number: abi.WordSpans, Value: t.Spans},
	}
	if t.Transaction != 0 { // for the stack of a thread that ends the JVM
		words = append(words, counters.Word{Number: abi.WordTransaction, Value: uint64(t.Transaction)})
	}
	return c.memory.PutWords(b, words)
}

// giveTree gives the tree of the thread that asked back to it. One that has left it is a loss.
func (c *Contexts) giveTree() {
	if !c.memory.Ring().GiveTree() {
		c.out.Loss("contexts", "threads waited no longer while the recorder was looking for their contexts, and count "+
			"outside contexts from then on")
	}
}
