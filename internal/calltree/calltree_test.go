package calltree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mallard/internal/abi"
)

const start = 1 << 20

// newArena makes an arena with methods 1 to 4, each of which has two calls, at 10 and 20, and two counters; 5 has no
// code of ours.
func newArena(t *testing.T, limit uint64) *Arena {
	t.Helper()
	const bytes = 8 << 20
	a := New(make([]byte, bytes), NewLayout(start, bytes), limit, 4096, 8192)
	methods := make([]Method, 5)
	for i := range 4 {
		methods[i] = Method{Words: FirstSlot + 4, Name: fmt.Sprint("m", i), Calls: []string{"m0", ""},
			PCs: []int{10, 20}}
	}
	if first, err := a.Add(methods); err != nil || first != 1 {
		t.Fatal(first, err)
	}
	return a
}

// thread gives a thread its first node, as java.lang.$MallardTree.root does.
func thread(a *Arena) *Thread {
	t := &Thread{}
	n := a.take(t, abi.RootWords)
	a.put(n, 0, uint64(root))
	t.Root = entryOf(n, FirstSlot)
	return t
}

// TestResolve makes the nodes of random stacks, finds them again, and scans what it made: every node once, callers
// first, with the stack that it was made for.
func TestResolve(t *testing.T) {
	a := newArena(t, 1<<20)
	th := thread(a)
	random := rand.New(rand.NewPCG(1, 2))
	stacks := map[Node]string{}
	for range 2000 {
		frames := make([]Frame, 1+random.IntN(6)) // innermost first
		for i := range frames {
			frames[i] = Frame{Method: MethodID(1 + random.IntN(5)), PC: []int{10, 20, 33}[random.IntN(3)]}
			frames[i].Native = frames[i].Method == 5 && random.IntN(2) == 0
		}
		entry := Entry(random.Uint64N(1 << 30))
		n := a.Resolve(th, entry, frames)
		if n == 0 {
			t.Fatal("no node")
		}
		nodes := a.Find(th, frames)
		if nodes[0] != n || slices.Contains(nodes, 0) {
			t.Fatalf("found %v, made %v", nodes, n)
		}
		for i, node := range nodes {
			stack := ""
			for _, f := range slices.Backward(frames[i+1:]) {
				stack += fmt.Sprintf("%d:%d ", f.Method, f.PC)
			}
			stack += fmt.Sprint(frames[i].Method)
			if before, ok := stacks[node]; ok && before != stack {
				t.Fatalf("node %d stands for %s and for %s", node, before, stack)
			}
			stacks[node] = stack
		}
	}
	seen := map[Node]string{}
	err := a.Scan(th, func(c *Context) bool {
		stack := fmt.Sprint(c.Method)
		if c.Parent != 0 {
			pc := c.PC
			if c.Slot >= 0 {
				pc = []int{10, 20}[c.Slot]
			}
			caller, ok := seen[c.Parent]
			if !ok {
				t.Fatalf("node %d before its caller", c.Node)
			}
			stack = fmt.Sprintf("%s:%d %s", caller, pc, stack)
		}
		seen[c.Node] = stack
		if want := stacks[c.Node]; want != stack {
			t.Fatalf("node %d is %s, want %s", c.Node, stack, want)
		}
		return true
	})
	if err != nil || len(seen) != len(stacks) {
		t.Errorf("%v; %d nodes, want %d", err, len(seen), len(stacks))
	}
}

// TestNoMemory: threads without memory for a node get none, and the tree that there is stays whole.
func TestNoMemory(t *testing.T) {
	a := newArena(t, abi.FirstChunkBytes)
	th := thread(a)
	made := 0
	for i := range 1000 {
		frames := []Frame{{Method: 1}}
		for range i {
			frames = append(frames, Frame{Method: 2, PC: 10})
		}
		if a.Resolve(th, 0, frames) == 0 {
			break
		}
		made++
	}
	nodes := 0
	if err := a.Scan(th, func(*Context) bool {
		nodes++
		return true
	}); err != nil || made == 0 || made == 1000 || nodes < made {
		t.Errorf("%v; %d stacks made, %d nodes", err, made, nodes)
	}
}

// TestDamaged: whatever a program has written over its nodes, reading them ends and stays inside.
func TestDamaged(t *testing.T) {
	a := newArena(t, 1<<20)
	th := thread(a)
	for i := range 50 {
		a.Resolve(th, 0, []Frame{{Method: 1}, {Method: MethodID(1 + i%4), PC: 10}, {Method: 2, PC: 20}})
	}
	random := rand.New(rand.NewPCG(3, 4))
	whole := slices.Clone(a.memory)
	for range 2000 {
		copy(a.memory, whole)
		at := a.layout.Chunks - start + 8*random.Uint64N(512)
		a.memory[at+random.Uint64N(8)] = byte(random.Uint32())
		a.Scan(th, func(*Context) bool { return true })
		a.Find(th, []Frame{{Method: 1}, {Method: 3, PC: 10}, {Method: 2, PC: 20}})
	}
}

// TestOverflowNodes finds the words of the nodes that are in threads' blocks.
func TestOverflowNodes(t *testing.T) {
	a := newArena(t, 1<<20)
	at := a.overflowNodes[2].at // of method 2
	for word := range FirstSlot + 4 {
		m, counter, ok := a.OverflowWord(at + 8*uint64(word))
		if ok != (word >= FirstSlot+2) || ok && (m != 2 || counter != word-FirstSlot-2) {
			t.Errorf("word %d: method %d, counter %d, %v", word, m, counter, ok)
		}
	}
}
