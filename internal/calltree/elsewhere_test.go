package calltree

import (
	"testing"

	"mallard/internal/abi"
)

// TestElsewhere: of a node in no slot the thread is told, and what says its place in memory is enough to find it.
func TestElsewhere(t *testing.T) {
	a, th := newHashed(t)
	frames := []Frame{{Method: 1}, {Method: 2, PC: 15}, {Method: 3, PC: 65535}, {Method: 1, PC: 20}}
	nodes, ok := a.FindOrMake(th, frames)
	if !ok {
		t.Fatal("no memory")
	}
	if n := a.PutPairs(th, nil); n != 2 {
		t.Fatalf("%d pairs, want those of the first and the second frame", n)
	}
	for _, p := range th.untold {
		remember(a, th, p)
	}
	th.untold = nil
	links, known := a.links, a.known
	a.links, a.known = map[Node]Link{}, map[calleeKey]Node{}
	for i, n := range a.Find(th, frames) {
		if n != nodes[i] {
			t.Errorf("frame %d has node %v, want %v", i, n, nodes[i])
		}
	}
	for n, link := range links {
		if got, ok := a.elsewhere(n); !ok || got != link {
			t.Errorf("node %v is at %v, want %v", n, got, link)
		}
		if c := a.Context(n); c.Parent != link.Parent || c.PC != link.PC || c.Slot != -1 {
			t.Errorf("node %v is %+v, want at %v", n, c, link)
		}
	}
	a.links, a.known = links, known
	a.Find(th, frames)
	if len(th.untold) != 0 {
		t.Errorf("the thread is told of %v again", th.untold)
	}
}

// TestElsewhereEncoded: where contexts are encoded nothing enters such a node.
func TestElsewhereEncoded(t *testing.T) {
	a := New(make([]byte, 8<<20), NewLayout(start, 8<<20).WithCode(), 1<<20, 4096, 8192)
	if _, err := a.Add([]Method{{Words: FirstSlot + 1, Name: "m", Calls: []string{"m"}, PCs: []int{10}}}); err != nil {
		t.Fatal(err)
	}
	th := thread(a)
	nodes, ok := a.FindOrMake(th, []Frame{{Method: 1}, {Method: 1, PC: 15}})
	if !ok || a.get(nodes[0], abi.NodeMethod)&abi.InNoSlot == 0 || a.get(nodes[0], abi.NodeEntry) != 0 {
		t.Errorf("nodes %v, entered by %x", nodes, a.get(nodes[0], abi.NodeEntry))
	}
}
