package calltree

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/jvmtest"
	"mallard/internal/payload"
)

// script is what testdata/Cases.java runs on the runtime classes, and what is to come of it.
type script struct {
	t      *testing.T
	folder string
	files  int
	past   int // stacks with native code that the agent goes past
	lines  strings.Builder
	checks []func(got string)
	dumps  []func()
	after  []func()
}

// call has a method called; check gets its result.
func (s *script) call(check func(got string), method string, arguments ...any) {
	if !strings.HasPrefix(method, "Agent.") {
		method = "$Mallard" + method
	}
	fmt.Fprintln(&s.lines, append([]any{method}, arguments...)...)
	s.checks = append(s.checks, check)
}

// want has a method called that is to give a number.
func (s *script) want(want uint64, method string, arguments ...any) {
	s.call(func(got string) {
		if got != fmt.Sprint(int64(want)) {
			s.t.Errorf("%s%v gives %s in Java, %d in Go", method, arguments, got, int64(want))
		}
	}, method, arguments...)
}

// do has a method called that gives nothing of interest.
func (s *script) do(method string, arguments ...any) { s.call(func(string) {}, method, arguments...) }

func (s *script) file() string {
	s.files++
	return filepath.Join(s.folder, fmt.Sprint(s.files))
}

// agent compiles the part of the agent that takes hashes apart.
func (s *script) agent(jdk jvmtest.JDK) string {
	files := []string{filepath.Join("testdata", "agent.c"), filepath.Join("..", "..", "build", "abi.h")}
	for _, name := range []string{"hashes", "callees", "hash_table", "tree"} {
		source := filepath.Join("..", "..", "agent", name)
		files = append(files, source+".c", source+".h")
	}
	library, err := jdk.Agent(files...)
	if err != nil {
		s.t.Fatal(err)
	}
	return library
}

// run runs all cases in one JVM.
func (s *script) run(jdk jvmtest.JDK) {
	classes, err := payload.Runtime()
	if err != nil {
		s.t.Fatal(err)
	}
	for name, class := range classes {
		if err := os.WriteFile(filepath.Join(s.folder, filepath.Base(name)+".class"), class, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	input := s.file()
	if err := os.WriteFile(input, []byte(s.lines.String()), 0o600); err != nil {
		s.t.Fatal(err)
	}
	export := []string{"--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"}
	compiled := jdk.MustJavac(s.t, export, filepath.Join("testdata", "Cases.java"),
		filepath.Join("testdata", "mallardca", "Thread.java"))
	output := jdk.MustRun(s.t, jvmtest.Command{Options: append(export, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
		Classpath: []string{compiled}, Main: "Cases", Args: []string{s.folder, input, s.agent(jdk)}})
	results := strings.Split(strings.TrimSuffix(output.Stdout, "\n"), "\n")
	if output.ExitCode != 0 || len(results) != len(s.checks) {
		s.t.Fatalf("exit code %d, %d results of %d\n%s", output.ExitCode, len(results), len(s.checks), output.Stderr)
	}
	for i, check := range s.checks {
		check(results[i])
	}
	for _, read := range s.dumps {
		read()
	}
	for _, check := range s.after {
		check()
	}
}

// Where things are in a world's memory.
const (
	worldBlocks     = 16 << 10 // block 0
	worldBlockBytes = 16 << 10
	worldBlock      = worldBlocks + worldBlockBytes // that of the thread
	worldArena      = worldBlock + worldBlockBytes
	worldCounters   = 1 << 10 // words of a block in front of overflow nodes
)

// A world is a thread's memory, of which Go and Java have a copy each.
type world struct {
	*Arena
	*script
	thread *Thread
	image  []byte
	links  map[Node]Link // when Java got its copy
	java   *world        // what Java has made of its copy, in the end
}

// newWorld makes memory with an arena, in which the thread has nothing yet.
func (s *script) newWorld(methods []Method, bytes, limit uint64, code bool) *world {
	w := &world{script: s, thread: &Thread{}, image: make([]byte, worldArena+bytes)}
	layout := NewLayout(worldArena, bytes)
	if code {
		layout = layout.WithCode()
	}
	w.Arena = New(w.image[worldArena:], layout, limit, 8*worldCounters, worldBlockBytes)
	if first, err := w.Add(methods); err != nil || first != 1 {
		s.t.Fatal(first, err)
	}
	return w
}

// blockWords are those of the thread's block that are a Thread's fields.
func (w *world) blockWords() map[int]*uint64 {
	return map[int]*uint64{abi.WordFree: &w.thread.Free, abi.WordEnd: &w.thread.End, abi.WordChunk: &w.thread.Chunk,
		abi.WordOutermost: (*uint64)(&w.thread.Root), abi.WordTable: &w.thread.Table,
		abi.WordSpans: &w.thread.Spans}
}

// putSpans lists spans of so many bytes for the thread.
func (w *world) putSpans(sizes ...uint64) {
	at := w.chunk(abi.FirstChunkBytes)
	for _, size := range sizes {
		w.put(Node(at), abi.SpanNext, w.thread.Spans)
		w.put(Node(at), abi.SpanEnd, at+size)
		w.thread.Spans = at
		at += size
	}
}

// copy gives Java its copy.
func (w *world) copy() {
	for word, v := range w.blockWords() {
		binary.LittleEndian.PutUint64(w.image[worldBlock+8*word:], *v)
	}
	w.links = maps.Clone(w.Arena.links)
	l, file := w.layout, w.file()
	if err := os.WriteFile(file, w.image, 0o600); err != nil {
		w.t.Fatal(err)
	}
	fmt.Fprintf(&w.lines, "world %s", file)
	for fact, v := range map[uint64]uint64{
		abi.FactOverflow: worldBlocks, abi.FactShared: worldBlocks, abi.FactStates: 0, abi.FactNodes: 0,
		abi.FactTop:   l.Top,
		abi.FactLimit: l.Limit, abi.FactMethods: l.Methods, abi.FactCalls: l.Calls, abi.FactAdditions: l.Additions,
		abi.FactAnchors: l.Anchors,
	} {
		if fact != abi.FactAdditions || v != 0 {
			fmt.Fprintf(&w.lines, " %d=@%d", uint32(fact), v)
		}
	}
	for fact, v := range map[uint64]uint64{
		abi.FactBlocks: 2, abi.FactBlockBytes: worldBlockBytes, abi.FactEarlyNodes: l.Early, abi.FactEarly: 64,
		abi.FactMostAnchors: l.MostAnchors(), abi.FactReturns: uint64(l.Returns()), abi.FactArrayBase: 16,
		abi.FactArrayBase8: 16, abi.FactArrayBaseRef: 16, abi.FactReference: 4, abi.FactAlignmentMask: 7,
	} {
		fmt.Fprintf(&w.lines, " %d=%d", uint32(fact), v)
	}
	fmt.Fprintf(&w.lines, "\nset $Mallard.U 0\nset $MallardTree.resolves 1\nset $MallardHash.eager %d\n", l.Early)
	fmt.Fprintf(&w.lines, "Thread.block %d\n", worldBlock-worldBlocks)
	w.checks = append(w.checks, func(string) {})
}

// back takes what Java has made of its copy.
func (w *world) back() {
	file := w.file()
	fmt.Fprintf(&w.lines, "dump %s\n", file)
	w.dumps = append(w.dumps, func() {
		image, err := os.ReadFile(file)
		if err != nil {
			w.t.Fatal(err)
		}
		arena := *w.Arena
		arena.memory, arena.links = image[worldArena:], w.links
		w.java = &world{Arena: &arena, script: w.script, thread: &Thread{}, image: image}
		for word, v := range w.java.blockWords() {
			*v = binary.LittleEndian.Uint64(image[worldBlock+8*word:])
		}
	})
}

// context says what a node stands for: methods and positions, innermost first, and the node in front of them.
func (w *world) context(n Node) string {
	if !w.inside(n, FirstSlot) {
		return "none"
	}
	var b strings.Builder
	nodes, in := w.path(n)
	for _, n := range nodes {
		link, _ := w.edge(n)
		fmt.Fprintf(&b, "%d@%d ", w.methodOf(n), link.PC)
	}
	return b.String() + fmt.Sprint("in method ", int32(w.methodOf(in)))
}

// wantContext has a method called that gives a node for the same context as one of Go's; asked reports whether it is to
// ask the agent instead.
func (w *world) wantContext(want Node, asks bool, method string, arguments ...any) {
	of := w.context(want)
	w.call(func(got string) {
		if (got == "asks") != asks {
			w.t.Errorf("%s%v gives %s in Java, asks: %v in Go", method, arguments, got, asks)
		}
		var n Node
		if _, err := fmt.Sscan(got, &n); err != nil {
			return
		}
		w.after = append(w.after, func() {
			if is := w.java.context(n); is != of {
				w.t.Errorf("%s%v gives %s in Java, %s in Go", method, arguments, is, of)
			}
		})
	}, method, arguments...)
}
