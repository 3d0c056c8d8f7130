package calltree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mallard/internal/abi"
)

// TestReclaim makes nodes of random stacks, has some of the methods die again and again, and reclaims: what is left has
// the nodes and counters that it had, all is scanned once, new nodes are zero, and memory stays bounded.
func TestReclaim(t *testing.T) {
	const rounds, perRound, depth = 300, 40, 6
	random := rand.New(rand.NewPCG(1, 2))
	const bytes = 64 << 20
	a := New(make([]byte, bytes), NewLayout(start, bytes), bytes, 4<<10, 4<<20)
	first, err := a.Add(slices.Repeat([]Method{{Words: FirstSlot + 4, Name: "live", Calls: []string{"", ""},
		PCs: []int{10, 20}}}, 4))
	if err != nil {
		t.Fatal(err)
	}
	th := thread(a)
	live := []MethodID{first, first + 1, first + 2, first + 3}
	dead := map[MethodID]bool{}
	counted := map[string]uint64{} // by stack
	stacks := map[string][]Frame{}
	var taken uint64
	for round := range rounds {
		var loaded []MethodID
		for range 5 {
			calls := random.IntN(4)
			m := Method{Words: FirstSlot + calls + 1 + random.IntN(5), Name: fmt.Sprint("m", random.IntN(3))}
			for i := range calls {
				m.Calls, m.PCs = append(m.Calls, ""), append(m.PCs, 10*(i+1))
			}
			id, err := a.Add([]Method{m})
			if err != nil {
				t.Fatal(err)
			}
			loaded = append(loaded, id)
		}
		all := append(loaded, live...)
		for range perRound {
			frames := make([]Frame, 1+random.IntN(depth))
			for i := range frames {
				frames[i] = Frame{Method: all[random.IntN(len(all))], PC: 10 * random.IntN(5)}
			}
			frames[0].PC = 0 // where it stands does not matter
			n := a.Resolve(th, 0, frames)
			if n == 0 {
				t.Fatalf("no memory in round %d", round)
			}
			x := a.Context(n)
			key := fmt.Sprint(frames)
			if got := x.Words[0]; got != counted[key] {
				t.Fatalf("round %d: a node has %d, want %d", round, got, counted[key])
			}
			x.Words[0]++
			counted[key]++
			stacks[key] = frames
		}
		for _, m := range loaded {
			dead[m] = true
		}
		for key, frames := range stacks {
			for _, f := range frames {
				if dead[f.Method] {
					delete(stacks, key)
					delete(counted, key)
				}
			}
		}
		reclaims := round%3 == 0
		if reclaims {
			if _, ok := a.Reclaim(th, 0, func(m MethodID) bool { return dead[m] }); !ok {
				t.Fatal("the tree is left alone")
			}
		}
		got := map[string]uint64{}
		err := a.Scan(th, func(x *Context) bool {
			frames := framesOf(a, *x)
			isDead := slices.ContainsFunc(frames, func(f Frame) bool { return dead[f.Method] })
			if len(x.Words) > 0 && x.Words[0] > 0 && !isDead {
				got[fmt.Sprint(frames)] += x.Words[0]
			}
			if isDead && reclaims {
				t.Errorf("a node of a dead method: %v", frames)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(counted) {
			t.Fatalf("round %d: %d contexts are scanned, want %d", round, len(got), len(counted))
		}
		for key, n := range counted {
			if got[key] != n {
				t.Fatalf("round %d: %s has %d, want %d", round, key, got[key], n)
			}
		}
		if top := a.get(Node(a.layout.Top), abi.ArenaTop); round < 150 {
			taken = top
		} else if top > taken+abi.LastChunkBytes {
			t.Fatalf("round %d: %d bytes are taken, %d after 150", round, top, taken)
		}
	}
}

// framesOf gives the frames of a context as [TestReclaim] has them.
func framesOf(a *Arena, x Context) (frames []Frame) {
	pc := 0
	for {
		frames = append(frames, Frame{Method: x.Method, PC: pc})
		if x.Parent == 0 {
			return frames
		}
		parent := a.Context(x.Parent)
		if pc = x.PC; x.Slot >= 0 {
			pc = a.methods[parent.Method].PCs[x.Slot]
		}
		x = parent
	}
}

// TestReclaimShared: a dead node below which another thread has made one, in a slot or elsewhere, stays where it is, as
// does the other; without that one its memory is reclaimed.
func TestReclaimShared(t *testing.T) {
	for name, pc := range map[string]int{"in a slot": 10, "elsewhere": 15} {
		t.Run(name, func(t *testing.T) {
			const bytes = 64 << 20
			a := New(make([]byte, bytes), NewLayout(start, bytes), bytes, 4<<10, 4<<20)
			unloaded := Method{Words: FirstSlot + 2, Name: "unloaded", Calls: []string{""}, PCs: []int{10}}
			m, err := a.Add([]Method{unloaded, unloaded, {Words: FirstSlot + 1, Name: "waked"}})
			if err != nil {
				t.Fatal(err)
			}
			own, other := thread(a), thread(a)
			caller := a.Resolve(own, 0, []Frame{{Method: m}})
			alone := a.Resolve(own, 0, []Frame{{Method: m + 1}})
			callee := a.child(other, caller, pc, Frame{Method: m + 2}, placeEntry(caller, pc))
			if x := a.Context(callee); caller == 0 || alone == 0 || x.Parent != caller || (x.Slot < 0) != (pc == 15) {
				t.Fatalf("%+v is to be below %d", x, caller)
			}
			dead := func(MethodID) bool { return true }
			if _, ok := a.Reclaim(other, 0, dead); ok {
				t.Error("a tree is reclaimed whose nodes have callers in another")
			}
			if _, ok := a.Reclaim(own, 0, dead); ok {
				t.Error("a tree is reclaimed whose nodes are callers of another's")
			}
			if x := a.Context(callee); x.Parent != caller || a.methodOf(caller) != m {
				t.Errorf("%+v is below %d, a node of method %d", x, caller, a.methodOf(caller))
			}
			only := func(id MethodID) bool { return id == m+1 }
			if bytes, ok := a.Reclaim(own, 0, only); bytes != 8*(FirstSlot+2) || !ok {
				t.Errorf("%d bytes are reclaimed of the node that is not shared (%v)", bytes, ok)
			}
		})
	}
}

// TestScanOfReclaimed scans a tree whose memory was reclaimed as it was at one moment, while its thread goes on in that
// memory and in more: there are just the nodes that it had then, wherever it makes others.
func TestScanOfReclaimed(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const bytes = 64 << 20
	a := New(make([]byte, bytes), NewLayout(start, bytes), bytes, 4<<10, 32<<20)
	th := thread(a)
	add := func() MethodID {
		id, err := a.Add([]Method{{Words: FirstSlot + 1 + random.IntN(30), Name: "m"}})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	call := func(m MethodID) Node {
		n := a.Resolve(th, 0, []Frame{{Method: m}})
		if n == 0 {
			t.Fatal("no memory")
		}
		return n
	}
	has := map[Node]bool{} // and whether its method is dead
	for range 80 {
		for range 50 {
			has[call(add())] = random.IntN(2) == 0
		}
		taking := random.IntN(3) == 0 && th.Spans != 0
		if taking { // what is left is too little
			th.Free = th.End - 8*uint64(random.IntN(int(th.End-th.Free)/8+1))
		}
		at := *th
		if taking { // it has not said yet where the next span begins
			at.End = a.get(Node(th.Spans), abi.SpanEnd)
			if random.IntN(2) == 0 {
				at.Spans = a.get(Node(th.Spans), abi.SpanNext)
			}
			th.Free = th.End
		}
		scan := a.NewScan(&at)
		var later []Node
		for range random.IntN(200) {
			later = append(later, call(add()))
		}
		scanned := map[Node]bool{}
		for x := scan.Next(); x != nil; x = scan.Next() {
			if scanned[x.Node] {
				t.Errorf("node %d twice", x.Node)
			}
			scanned[x.Node] = true
		}
		if scan.Err() != nil {
			t.Fatal(scan.Err())
		}
		for _, n := range later {
			if scanned[n] {
				t.Errorf("node %d was made later", n)
			}
		}
		for n := range has {
			if !scanned[n] {
				t.Errorf("node %d is missing", n)
			}
		}
		for _, n := range later {
			has[n] = random.IntN(2) == 0
		}
		dead := map[MethodID]bool{}
		for n, isDead := range has {
			if isDead {
				dead[a.methodOf(n)] = true
				delete(has, n)
			}
		}
		if random.IntN(3) == 0 {
			if _, ok := a.Reclaim(th, 0, func(m MethodID) bool { return dead[m] }); !ok {
				t.Fatal("the tree is left alone")
			}
		}
		if t.Failed() {
			return
		}
	}
}
