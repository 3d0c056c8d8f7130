package contexts

import (
	"os"
	"path/filepath"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/observe"
)

// TestTurnsOfTrees has the recorder tell of which turn nodes are, where one tree may have callers in another.
func TestTurnsOfTrees(t *testing.T) {
	const blocks = 3
	file, err := os.Create(filepath.Join(t.TempDir(), "memory"))
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Truncate(abi.BlocksOffset + blocks*abi.SmallBlockBytes + leastArena); err != nil {
		t.Fatal(err)
	}
	memory, err := counters.OpenMemory(file, blocks, abi.SmallBlockBytes)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	c, err := Open(Options{Representation: instrument.Hashed},
		&observe.Host{Memory: memory, Arena: leastArena, Fault: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	method, err := c.Number([]calltree.Method{{Name: "run()V", Words: calltree.FirstSlot}})
	if err != nil {
		t.Fatal(err)
	}

	nodes := map[counters.Block]calltree.Node{}
	for _, b := range []counters.Block{1, 2} {
		var tree calltree.Thread
		nodes[b], _ = c.arena.ResolveHash(&tree, calltree.Unknown{Method: method},
			[]calltree.Frame{{Method: method}})
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
