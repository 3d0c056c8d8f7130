package calltree

import (
	"maps"
	"slices"
	"testing"

	"mallard/internal/abi"
)

// TestElsewhere: the thread is told of a node in no slot; and of one that the thread has made the recorder comes to
// know by what the node says, when it is asked about a stack with it or scans the tree.
func TestElsewhere(t *testing.T) {
	a, other := newHashed(t)
	th := thread(a) // with the other's table, which does not stand among its nodes
	table := other.Table
	th.Table = table
	frames := []Frame{{Method: 1}, {Method: 2, PC: 15}, {Method: 3, PC: 65535}, {Method: 1, PC: 20}}
	nodes, ok := a.FindOrMake(th, frames)
	if !ok {
		t.Fatal("no memory")
	}
	links, known := a.links, a.known
	if len(links) != 2 {
		t.Fatalf("links %v, want those of the first and the second frame", links)
	}
	for n, link := range links {
		if got := a.lookUp(th, placeHash(placeEntry(link.Parent, link.PC), a.methodOf(n))); got != n {
			t.Errorf("the thread finds %v for %v", got, n)
		}
	}
	ways := map[string]func(){
		"asked":   func() { a.Find(th, frames) },
		"scanned": func() { a.Scan(th, func(*Context) bool { return true }) },
	}
	for way, learn := range ways {
		th.Table = table
		a.links, a.known = map[Node]Link{}, map[calleeKey]Node{} // as if the thread had made them
		for n, link := range links {
			if got, ok := a.elsewhere(n); !ok || got != link {
				t.Errorf("node %v is at %v, want %v", n, got, link)
			}
			if c := a.Context(n); c.Parent != link.Parent || c.PC != link.PC || c.Slot != -1 {
				t.Errorf("node %v is %+v, want at %v", n, c, link)
			}
		}
		learn()
		if !maps.Equal(a.links, links) || !maps.Equal(a.known, known) {
			t.Errorf("%s: %v %v, want %v %v", way, a.links, a.known, links, known)
		}
		th.Table = 0 // a thread that runs may be changing it
		var found []Node
		at, pc := th.Root.Node(), 0
		for _, f := range slices.Backward(frames) {
			at = a.find(at, pc, f.Method)
			found, pc = append(found, at), f.PC
		}
		if slices.Reverse(found); !slices.Equal(found, nodes) {
			t.Errorf("%s: nodes %v, want %v", way, found, nodes)
		}
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
