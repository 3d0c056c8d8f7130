package contexts

import (
	"cmp"
	"slices"

	"mallard/internal/calltree"
)

// turns says of which turn of its tree a node is, which is a part of its context's number. A node's caller is mostly in
// the same tree. Not so where a virtual thread lets its carrier run in its place, with its own frames on the stack (JDK
// 21 to 23 do, where one wakes another): what is called then the carrier makes in its tree, below the virtual thread's
// node.
type turns struct {
	now  uint64           // of the tree that is recorded
	tree *calltree.Thread // that one

	own, others []turnOfChunk // of its chunks, and of those of all trees; nil before a node is looked for in them
}

// turnOfChunk is the turn of the nodes in a chunk; lists of them are in the order of memory.
type turnOfChunk struct {
	calltree.Chunk
	turn uint64
}

// chunks adds a tree's; none where it is damaged, which its scan says.
func (c *Contexts) chunks(list []turnOfChunk, tree *calltree.Thread, turn uint64) []turnOfChunk {
	chunks, _ := c.arena.Chunks(tree)
	for _, chunk := range chunks {
		list = append(list, turnOfChunk{chunk, turn})
	}
	return list
}

// sorted puts chunks into the order of memory.
func sorted(list []turnOfChunk) []turnOfChunk {
	slices.SortFunc(list, func(a, b turnOfChunk) int { return cmp.Compare(a.First, b.First) })
	return list
}

// turnOf gives the turn of a node.
func (c *Contexts) turnOf(n calltree.Node, t *turns) uint64 {
	if t.own == nil {
		t.own = sorted(c.chunks([]turnOfChunk{}, t.tree, t.now))
	}
	if turn, ok := findTurn(t.own, n); ok {
		return turn
	}
	if t.others == nil {
		t.others = c.turnsOfAll()
	}
	if turn, ok := findTurn(t.others, n); ok {
		return turn
	}
	return t.now
}

func findTurn(list []turnOfChunk, n calltree.Node) (turn uint64, ok bool) {
	i, _ := slices.BinarySearchFunc(list, n+1, func(c turnOfChunk, end calltree.Node) int {
		return cmp.Compare(c.End, end)
	})
	if i == len(list) || !list[i].Has(n) {
		return 0, false
	}
	return list[i].turn, true
}

func (c *Contexts) turnsOfAll() []turnOfChunk {
	list := []turnOfChunk{}
	for _, b := range c.memory.Used() {
		if tree, err := c.tree(b); err == nil {
			list = c.chunks(list, tree, c.turns[b])
		}
	}
	return sorted(list)
}
