package calltree

import (
	"slices"
	"testing"

	"mallard/internal/abi"
)

// TestMirrors finds, in transactions that a thread has entered, what stands for nodes of its own: below calls,
// below those that no call of ours led to, in a transaction of an invocation; and what stands on both sides of the call
// that entered it.
func TestMirrors(t *testing.T) {
	a, th := newHashed(t)
	names := make([]MethodID, 2)
	for i := range names {
		var err error
		if names[i], err = a.AddTransaction("m0"); err != nil {
			t.Fatal(err)
		}
	}
	// 1 calls 2 at 20, the VM calls 1 in there, at no call; and that 2, after it has begun a transaction.
	frames := []Frame{{Method: 2, PC: 10}, {Method: 1, PC: 20}, {Method: 2, PC: 15}, {Method: 1, PC: 20}}
	outside, ok := a.FindOrMake(th, frames)
	if !ok {
		t.Fatal("no memory")
	}
	begin(a, th, names[1], outside[1], 10, 1)
	own, ok := a.FindOrMake(th, frames)
	if !ok || own[1] == outside[1] || own[2] != outside[2] {
		t.Fatal(ok, own, outside)
	}
	outer := a.child(th, th.Root.Node(), 0, Frame{Method: names[0]}, 0)
	inner := a.child(th, outer, 0, Frame{Method: names[1]}, 0)
	for _, inside := range []Node{inner, outer} {
		var other []Node
		for _, n := range own {
			other = append(other, a.Mirror(th, n, inside))
		}
		for _, n := range slices.Concat(own, other) {
			if _, is := a.links[n]; is != (a.get(n, 0)&abi.InNoSlot != 0) {
				t.Errorf("node %d is in no slot: %v, its mark says otherwise", n, is)
			}
		}
		for i, n := range other {
			if n == 0 || slices.Contains(own, n) || a.methodOf(n) != frames[i].Method {
				t.Errorf("node %d is %d in the transaction, of method %d", own[i], n, a.methodOf(n))
			}
			nodes, in := a.path(n)
			if first, _ := a.path(own[i]); len(nodes) != len(first) || in != inside {
				t.Errorf("%d calls in %d, want %d in %d", len(nodes), in, len(first), inside)
			}
			if again := a.Mirror(th, own[i], inside); again != n {
				t.Errorf("again %d, before %d", again, n)
			}
		}
		if _, ok := a.links[other[1]]; ok {
			t.Error("what is in a transaction of its own is not at its call")
		}
		at := a.child(th, own[0], 10, Frame{Method: names[0]}, 0)
		a.put(at, abi.TransactionTo, uint64(inside))
		x := a.Context(at)
		var from, to []Node
		var pcs []int
		if !a.IsTransition(&x) || !a.FramesUnder(&x, func(f, t Node, pc int) {
			from, to, pcs = append(from, f), append(to, t), append(pcs, pc)
		}) {
			t.Fatal("no transition")
		}
		// From outside inwards, the invocation that has begun a transaction twice, and that between.
		if from[0] != own[3] || to[0] != other[3] || from[len(from)-1] != own[0] || to[len(to)-1] != other[0] ||
			!slices.Equal(pcs, []int{20, 15, 10, 0, 20, 10}) {
			t.Errorf("from %v to %v at %v, want %v to %v", from, to, pcs, own, other)
		}
		a.put(at, abi.TransactionTo, 0)
		if x = a.Context(at); a.IsTransition(&x) {
			t.Error("crosses nothing")
		}
	}
	for _, wrong := range [][2]Node{{0, outer}, {own[0], 0}, {own[0], own[1]}, {own[0], th.Root.Node()}, {12345, outer},
		{th.Root.Node(), outer}} {
		if n := a.Mirror(th, wrong[0], wrong[1]); n != 0 {
			t.Errorf("%v: %d", wrong, n)
		}
	}
}
