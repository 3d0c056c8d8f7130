package contexts

import (
	"testing"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/counters"
)

// TestTurnsOfTrees has the recorder tell of which turn nodes are, where one tree may have callers in another.
func TestTurnsOfTrees(t *testing.T) {
	c, _, file := hashedContexts(t, 3)
	method, err := c.Number([]calltree.Method{{Name: "run()V", Words: calltree.FirstSlot}})
	if err != nil {
		t.Fatal(err)
	}

	nodes := map[counters.Block]calltree.Node{}
	for _, b := range []counters.Block{1, 2} {
		var tree calltree.Thread
		nodes[b], _ = c.arena.ResolveHash(&tree, calltree.Unknown{Method: method.First},
			[]calltree.Frame{{Method: method.First}})
		if err := c.putTree(b, &tree, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteAt([]byte{abi.BlockLive}, abi.StateBytes*int64(b)); err != nil {
			t.Fatal(err)
		}
		c.turns[b] = uint64(10 * b)
	}
	tree, err := c.tree(1)
	if err != nil {
		t.Fatal(err)
	}
	w := recorder{Contexts: c, turns: turns{now: 9}} // of a thread that has ended
	w.begin(tree)
	for n, want := range map[calltree.Node]uint64{nodes[1]: 9, nodes[2]: 20, nodes[2] + 1<<20: 9} {
		if got := w.turnOf(n, &w.turns); got != want {
			t.Errorf("node %d is of turn %d, want %d", n, got, want)
		}
	}
}
