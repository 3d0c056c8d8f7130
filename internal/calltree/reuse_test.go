package calltree

import (
	"errors"
	"testing"
)

// TestReuse gives methods the numbers of unloaded ones: they have their nodes, emptied, and rows of their own.
func TestReuse(t *testing.T) {
	a := newArena(t, 1<<20)
	th := thread(a)
	old := []Method{{Words: FirstSlot + 2, Name: "old", Calls: []string{"m0"}, PCs: []int{7}}, {}}
	first, err := a.Add(old)
	if err != nil {
		t.Fatal(err)
	}
	stack := []Frame{{Method: first, PC: 7}, {Method: 1, PC: 20}} // as calls at 20 say nothing
	n := a.Resolve(th, 0, stack)
	a.put(n, FirstSlot+1, 42)
	if !a.Name(n) {
		t.Error("a new node has a name")
	}
	shape, bit := a.Unload(first, len(old))
	x := a.Context(n)
	a.Clear(&x)

	other := []Method{{Words: FirstSlot + 2, Name: "other", Calls: []string{"m2"}, PCs: []int{9}}, {}}
	if s, b := a.ShapeOf(other); s != shape || b != bit {
		t.Errorf("shapes %x in bit %d, and %x in bit %d", shape, bit, s, b)
	}
	larger := []Method{{Words: FirstSlot + 3, Name: "old", Calls: []string{"m0"}, PCs: []int{7}}, {}}
	if s, _ := a.ShapeOf(larger); s == shape {
		t.Error("more words are the same shape")
	}
	if err := a.Reuse(first, other); err != nil {
		t.Fatal(err)
	}
	if again := a.Resolve(th, 0, stack); again != n {
		t.Errorf("node %d, want %d", again, n)
	}
	if x := a.Context(n); x.Words[0] != 0 || !a.Name(n) {
		t.Errorf("the node has %d, and its name", x.Words[0])
	}
	if a.nameOf(first) != a.names.number("other") || a.said(first, FirstSlot) != a.names.number("m2") {
		t.Error("the rows are those of before")
	}
	if err := a.Reuse(first, old[:1]); err != nil {
		t.Error(err)
	}
	if err := a.Reuse(1, other); err == nil {
		t.Error("methods of another shape get the numbers")
	}
	if err := a.Reuse(MethodID(a.Methods()), other); err == nil {
		t.Error("numbers are used again that nobody had")
	}
}

// TestShapesOfCode: where contexts are encoded, what methods call is a part of their shape.
func TestShapesOfCode(t *testing.T) {
	const bytes = 64 << 20
	a := New(make([]byte, bytes), NewLayout(start, bytes).WithCode(), bytes, 4096, 8192)
	method := func(callee string) []Method {
		return []Method{{Words: FirstSlot + 1, Name: "m", Calls: []string{callee}, PCs: []int{3}}}
	}
	first, err := a.Add(method("n"))
	second, more := a.Add(method("n"))
	if err := errors.Join(err, more); err != nil {
		t.Fatal(err)
	}
	shape, _ := a.Unload(first, 1)
	if again, _ := a.Unload(second, 1); again != shape {
		t.Errorf("the same methods have the shapes %x and %x", shape, again)
	}
	if same, _ := a.ShapeOf(method("n")); same != shape {
		t.Errorf("a shape is %x, and %x out of the tables", same, shape)
	}
	if other, _ := a.ShapeOf(method("o")); other == shape {
		t.Error("what a method calls is not in its shape")
	}
}
