package contexts

import (
	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/counters"
)

// mostReads is how often a thread's words are read at most, which takes other memory meanwhile.
const mostReads = 100

// tree reads a thread's own words for its tree: those for its memory are of one moment.
func (c *Contexts) tree(b counters.Block) (*calltree.Thread, error) {
	var w, before [abi.WordMade]uint64
	if err := c.memory.Words(b, 0, w[:]); err != nil {
		return nil, err
	}
	for range mostReads {
		before = w
		if err := c.memory.Words(b, 0, w[:]); err != nil {
			return nil, err
		}
		if w[abi.WordEnd] == before[abi.WordEnd] && w[abi.WordChunk] == before[abi.WordChunk] &&
			w[abi.WordSpans] == before[abi.WordSpans] {
			break
		}
	}
	w[abi.WordFree] = before[abi.WordFree]
	return &calltree.Thread{
		Next: calltree.Entry(w[abi.WordNext]), Free: w[abi.WordFree], End: w[abi.WordEnd], Chunk: w[abi.WordChunk],
		Spans: w[abi.WordSpans],
		Root:  calltree.Entry(w[abi.WordOutermost]), Table: w[abi.WordTable], Hashes: w[abi.WordHashes],
		Turn:        w[abi.WordTurn],
		Transaction: calltree.Node(w[abi.WordTransaction]), Inside: calltree.Node(w[abi.WordInside]),
	}, nil
}

// readable is the tree of a thread that may be running, of whose nodes all methods are known: the agent has left notes
// of those out of the class cache before there are nodes of theirs. It is nil where the thread has none.
func (c *Contexts) readable(b counters.Block) *calltree.Thread {
	tree, err := c.tree(b)
	if err != nil || tree.Chunk == 0 {
		return nil
	}
	c.poll()
	return tree
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
