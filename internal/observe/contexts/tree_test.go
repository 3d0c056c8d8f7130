package contexts

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/transport"
)

// TestLateAnswer has questions come to the recorder from a thread that waits, and late, when it has gone on: then
// nothing of the thread's is changed.
func TestLateAnswer(t *testing.T) {
	c, memory, file := hashedContexts(t, 1)
	numbers, err := c.Number([]calltree.Method{{Name: "main()V", Words: 1}})
	if err != nil {
		t.Fatal(err)
	}
	transaction, err := c.arena.AddTransaction(instrument.BeginCall)
	if err != nil {
		t.Fatal(err)
	}
	c.grow()
	main := numbers.First
	c.numbered(methodKey{classes.Key{Name: "Main"}, "main()V"}, main)

	whose := func(who uint32) {
		word := binary.NativeEndian.AppendUint32(nil, who)
		if _, err := file.WriteAt(word, abi.MessageRingOffset+abi.RingTree); err != nil {
			t.Fatal(err)
		}
	}
	free := func() uint64 { return memory.Word(0, abi.WordFree) }
	ask := func(method calltree.MethodID) calltree.Node { // as the thread's first frame
		node, _ := c.resolve(&transport.Resolve{Value: uint64(method), Method: uint32(method), Words: ^uint32(0),
			Methods: []transport.StackMethod{{Class: transport.ClassKey{Name: "Main"}, Name: "main",
				Descriptor: "()V"}},
			Frames: []transport.StackFrame{{}}})
		return node
	}
	if node := ask(main); node != 0 || free() != 0 {
		t.Errorf("late: node %d, and the thread's next is at %d", node, free())
	}
	whose(abi.TreeOffered)
	entered := ask(transaction)
	whose(abi.TreeOffered)
	node, first := ask(main), free()
	if node == 0 || first == 0 {
		t.Errorf("waiting: node %d, and the thread's next is at %d", node, first)
	}
	mirror := &transport.Mirror{Node: uint64(node), Transaction: uint64(entered)}
	if late := c.mirror(mirror); late != 0 || free() != first {
		t.Errorf("late: mirror %d, and the thread's next is at %d, not %d", late, free(), first)
	}
	whose(abi.TreeOffered)
	if there := c.mirror(mirror); there == 0 {
		t.Error("waiting: no mirror")
	}
}

// hashedContexts are those of a program that has so many blocks, with its memory, and the file that has this.
func hashedContexts(t *testing.T, blocks uint32) (*Contexts, *counters.Memory, *os.File) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "memory"))
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Truncate(abi.BlocksOffset + int64(blocks)*abi.SmallBlockBytes + leastArena); err != nil {
		t.Fatal(err)
	}
	memory, err := counters.OpenMemory(file, blocks, abi.SmallBlockBytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(memory.Close)
	c, err := Open(Options{Representation: instrument.Hashed},
		&observe.Host{Memory: memory, Arena: leastArena, Fault: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, memory, file
}
