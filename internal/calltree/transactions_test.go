package calltree

import (
	"slices"
	"testing"

	"mallard/internal/abi"
)

// begin does what java.lang.$MallardTransactions does for an invocation with a node, by the call at a pc.
func begin(a *Arena, th *Thread, transaction MethodID, owner Node, pc int, method MethodID) Node {
	n := a.child(th, owner, pc, Frame{Method: transaction}, 0)
	inner := a.child(th, n, 0, Frame{Method: method}, 0)
	a.put(n, abi.TransactionAround, uint64(th.Transaction))
	th.Transaction = n
	return inner
}

// TestTransactions resolves stacks with invocations in transactions, one of them in two, and in one that has been left
// behind.
func TestTransactions(t *testing.T) {
	a, th := newHashed(t)
	order, err := a.AddTransaction("m0")
	if err != nil || !a.IsTransaction(order) || a.IsTransaction(1) || a.IsTransaction(root) {
		t.Fatal(order, err)
	}
	item, err := a.AddTransaction("m0")
	if err != nil {
		t.Fatal(err)
	}
	stack := []Frame{{Method: 2, PC: 20}, {Method: 1, PC: 20}}
	outside, ok := a.FindOrMake(th, stack)
	if !ok {
		t.Fatal("no memory")
	}
	outer := begin(a, th, order, outside[1], 10, 1)
	inner := begin(a, th, item, outer, 10, 1)
	nodes, ok := a.FindOrMake(th, stack)
	if !ok || nodes[1] != inner || nodes[0] == outside[0] {
		t.Fatalf("%v, in transactions %v, inner %d", outside, nodes, inner)
	}
	if found := a.Find(th, stack); !slices.Equal(found, nodes) {
		t.Errorf("found %v, made %v", found, nodes)
	}
	if n := a.Resolve(th, 0, stack); n != nodes[0] {
		t.Errorf("resolved to %d, want %d", n, nodes[0])
	}
	var path []MethodID
	for n := nodes[0]; n != 0; {
		c := a.Context(n)
		if c.Words != nil && a.IsTransaction(c.Method) {
			t.Errorf("transaction %d counts", c.Method)
		}
		path, n = append(path, c.Method), c.Parent
	}
	if want := []MethodID{2, 1, item, 1, order, 1}; !slices.Equal(path, want) {
		t.Errorf("path %v, want %v", path, want)
	}

	// One that begins anew is in no transaction, and one that counts may be.
	if n, _ := a.ResolveHash(th, Unknown{1, 0, 0}, stack[1:]); n != outside[1] {
		t.Errorf("begins in %d, want %d", n, outside[1])
	}
	for _, want := range []Node{outside[1], outer, inner} {
		if n, _ := a.ResolveHash(th, Unknown{1, anchored(want), -1}, stack[1:]); n != want {
			t.Errorf("counts in %d, want %d", n, want)
		}
	}

	// The hash of a callee is sure, because the caller's is made of its node.
	h := anchored(inner).enter(announces[1], 2)
	if n, pairs := a.ResolveHash(th, Unknown{2, h, -1}, stack); n != nodes[0] || !slices.Equal(pairs, []Pair{{h, n}}) {
		t.Errorf("node %d, pairs %v", n, pairs)
	}

	// A list that is a ring ends.
	a.put(th.Transaction, abi.TransactionAround, uint64(th.Transaction))
	if nodes, ok := a.FindOrMake(th, stack); !ok || nodes[1] != outside[1] && nodes[1] != inner {
		t.Errorf("in a ring %v", nodes)
	}
	th.Transaction = 12345
	if nodes, ok := a.FindOrMake(th, stack); !ok || !slices.Equal(nodes, outside) {
		t.Errorf("without a list %v, want %v", nodes, outside)
	}
}
