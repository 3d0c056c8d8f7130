package symbols

import (
	"math/rand/v2"
	"testing"

	"mallard/internal/trace"
)

// TestNodes: nodes are found by their numbers, near each other or not, and those that took another one's number.
func TestNodes(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	c, want := newContexts(), map[trace.ContextID]int32{}
	for number := range trace.MethodID(3) {
		c.define(number+1, ContextMethod{})
	}
	id := trace.ContextID(1)
	for range 20_000 {
		switch random.IntN(20) {
		case 0:
			id = trace.ContextID(random.Uint64N(1 << 50)) // another thread's memory
		case 1:
			id -= min(id-1, trace.ContextID(random.Uint64N(300)))
		default:
			id += trace.ContextID(1 + random.Uint64N(12))
		}
		id = max(id, 1)
		before, nodes := c.Node(id), len(c.Nodes)
		if index, known := want[id]; known && before != index || !known && before != Lost {
			t.Fatalf("%d is node %d, want %d", id, before, index)
		}
		c.grow([]trace.ContextNode{{ID: id, Method: trace.MethodID(1 + random.IntN(3)), BCI: 1}})
		if len(c.Nodes) > nodes {
			want[id] = int32(nodes)
		}
	}
	taken := 0
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.ID == 0 {
			taken++
		} else if c.Node(n.ID) != int32(i) || want[n.ID] != int32(i) {
			t.Errorf("node %d with number %d is found at %d", i, n.ID, c.Node(n.ID))
		}
	}
	if taken == 0 || len(want) != len(c.Nodes)-taken {
		t.Errorf("%d of %d nodes have no number, %d numbers", taken, len(c.Nodes), len(want))
	}
	for _, id := range []trace.ContextID{0, 1 << 51, 1<<64 - 1} {
		if c.Node(id) != Lost {
			t.Errorf("%d is a node", id)
		}
	}
}
