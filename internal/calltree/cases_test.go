package calltree

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/jvmtest"
)

// TestJava runs what exists in Go and in Java on the same random cases: the runtime classes' methods as they are handed
// to JVMs, in one JVM, and this package's.
func TestJava(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		s := &script{t: t, folder: t.TempDir()}
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, 14))
			s.arrays(r)
			s.hashes(r)
			s.tables(r)
			s.nodes(r)
			s.manyCallees(rand.New(rand.NewPCG(seed, 15)))
			s.stacks(r)
			s.mirrors(r)
			s.codes(r)
			s.constants(r)
		}
		s.run(jdk)
		if s.past < 8 {
			t.Errorf("native code is below %d invocations that begin", s.past)
		}
	})
}

const (
	caseCalls   = 3 // calls in a method
	caseCallees = 6 // methods that each leads to where contexts are encoded
)

// caseMethods have calls at 10, 20 and 30; some name a method, or are called by any name.
func caseMethods(r *rand.Rand) []Method {
	methods := make([]Method, 12)
	for i := range methods {
		m := Method{Words: FirstSlot + caseCalls + r.IntN(4), Name: fmt.Sprint("m", i), PCs: []int{10, 20, 30}}
		if r.IntN(4) == 0 {
			m.Name = Lambda
		}
		for k := range caseCalls {
			m.Calls = append(m.Calls, []string{"", fmt.Sprint("m", r.IntN(len(methods)))}[r.IntN(2)])
			m.Announced = append(m.Announced,
				int32(FirstSlot+k)<<abi.AnnounceWordShift|r.Int32N(100)<<abi.AnnounceNameShift)
		}
		methods[i] = m
	}
	return methods
}

// arrays: sums of arrays have what was added.
func (s *script) arrays(r *rand.Rand) {
	w := s.newWorld(nil, 256<<10, 0, false)
	w.copy()
	widths := []struct {
		method string
		bytes  int64
	}{{"array1", 1}, {"array2", 2}, {"array4", 4}, {"array8", 8}, {"arrayRef", 4}}
	for i, width := range widths {
		counter := abi.FirstCounter + 3*i
		var arrays, elements, bytes int64
		for range 3000 {
			length := r.Int64N(1 << r.IntN(31))
			s.do("."+width.method, length, counter)
			arrays, elements, bytes = arrays+1, elements+length, bytes+(16+length*width.bytes+7)&^7
		}
		s.after = append(s.after, func() {
			at := func(offset int) int64 {
				return int64(binary.LittleEndian.Uint64(w.java.image[worldBlock+8*counter+offset:]))
			}
			if n, of, size := at(0), at(abi.ArraysElements), at(abi.ArraysBytes); n != arrays || of != elements ||
				size != bytes {
				s.t.Errorf("%s: %d arrays, %d elements, %d bytes; added were %d, %d, %d", width.method, n, of, size,
					arrays, elements, bytes)
			}
		})
	}
	w.back()
}

// hashes: the step, and numbers of nodes.
func (s *script) hashes(r *rand.Rand) {
	s.newWorld(nil, 64<<10, 0, false).copy()
	for range 200 {
		h, announced, m := Hash(r.Uint64()), int32(r.Uint32()), MethodID(r.Uint32N(maxMethods))
		s.want(uint64(h.enter(announced, m)), "Hash.step", int64(h), announced, int32(m))
		s.want(uint64(anchored(Node(h))), "Hash.anchored", int64(h))
	}
}

// tables: pairs whose places are taken by others, around the table's end, until one call is left.
func (s *script) tables(r *rand.Rand) {
	w := s.newWorld(nil, 256<<10, 128<<10, false)
	var tables []*Thread
	for log := range uint64(6) {
		tables = append(tables, &Thread{Table: uint64(aligned(uint64(w.take(w.thread, 4<<log+8)))) | log})
	}
	w.copy()
	for _, t := range tables {
		_, log := t.table()
		pairs := map[Hash]Node{}
		number := func() Hash { return Hash(r.Uint64() | uint64(r.IntN(2))*(7<<61) | 1) } // the last places more often
		for i := range 2<<log - 1 {
			h, n := number(), Node(worldArena+8*i)
			pairs[h] = n
			s.do("Table.putPair", int64(t.Table), int64(h), n)
		}
		looked := []Hash{number(), number(), number()} // which are missing
		for h := range pairs {
			looked = append(looked, h, h)
		}
		slices.Sort(looked)
		r.Shuffle(len(looked), func(i, k int) { looked[i], looked[k] = looked[k], looked[i] })
		for _, h := range looked {
			s.want(uint64(pairs[h]), "Table.known", int64(t.Table), int64(h), 0)
		}
		s.after = append(s.after, func() {
			for _, h := range looked {
				if got := w.java.lookUp(t, h); got != pairs[h] {
					s.t.Errorf("Go finds %d for %x in Java's table, which has %d", got, h, pairs[h])
				}
			}
			table, _ := t.table()
			for i := range Node(2 << log) { // now it is full
				if w.java.get(table+i*abi.PairBytes, 0) == 0 {
					w.java.put(table+i*abi.PairBytes, 0, 1)
				}
			}
			if got := w.java.lookUp(t, 2); got != 0 {
				s.t.Errorf("Go finds %d in a full table without it", got)
			}
		})
	}
	w.back()
}

// nodes: callees are found or made at the same offsets, until there is no memory.
func (s *script) nodes(r *rand.Rand) {
	methods := caseMethods(r)
	for i := range methods {
		methods[i].Calls = make([]string, caseCalls)
	}
	methods[0].Words = 600 // no chunk has room for it that others have
	w := s.newWorld(methods, 256<<10, 64<<10, false)
	w.putSpans(256, 48, 1024, 512, 2048) // one is too small for most
	w.copy()
	w.makeRoot(w.thread)
	s.want(uint64(w.thread.Root), "Tree.root")
	nodes := []Node{w.thread.Root.Node()}
	full := 0
	for range 1200 {
		caller, callee, call := nodes[r.IntN(len(nodes))], MethodID(1+r.IntN(len(methods))), r.IntN(caseCalls)
		if w.methodOf(caller) == root {
			call = 0
		}
		n := w.child(w.thread, caller, 10*(1+call), Frame{Method: callee}, 0)
		entry := entryOf(caller, FirstSlot+call)
		if n != 0 {
			nodes = append(nodes, n)
			s.want(uint64(n), "Hash.calleeOrChild", entry, callee)
			continue
		}
		full++
		overflow := worldBlock + w.overflowNodes[callee].at
		s.want(overflow, "Hash.calleeOrChild", entry, callee)
	}
	if full == 0 {
		s.t.Error("there is memory for all nodes")
	}
	w.back()
	s.after = append(s.after, func() {
		if got, want := *w.java.thread, *w.thread; got != want {
			s.t.Errorf("the thread's memory is %+v in Java, %+v in Go", got, want)
		}
		if got, want := w.java.header(abi.ArenaTop), w.header(abi.ArenaTop); *got != *want {
			s.t.Errorf("taken is memory up to %d in Java, %d in Go", *got, *want)
		}
		for at := Node(w.thread.Chunk); at != 0; at = Node(w.get(at, abi.ChunkBefore)) {
			w.same(at, abi.ChunkBefore)
			w.same(at, abi.ChunkEnd)
		}
		for _, n := range nodes {
			w.same(n, abi.NodeMethod)
			w.same(n, abi.NodeEntry)
			for word := FirstSlot; word < FirstSlot+caseCalls && (word == FirstSlot || w.methodOf(n) != root); word++ {
				if got, want := w.java.callees(n, word), w.callees(n, word); !slices.Equal(got, want) {
					s.t.Errorf("word %d of node %d leads to %v in Java, %v in Go", word, n, got, want)
				}
			}
		}
	})
}

// manyCallees: the agent finds the nodes of a slot that leads to many methods by its table, however Java orders their
// list.
func (s *script) manyCallees(r *rand.Rand) {
	methods := make([]Method, 150)
	for i := range methods {
		methods[i] = Method{Words: FirstSlot + 1, Name: Lambda}
	}
	w := s.newWorld(methods, 1<<20, 512<<10, false)
	w.makeRoot(w.thread)
	w.putSpans(512, 24, 48, 1024)
	const log = 2
	const front = abi.FrontPairs * abi.PairBytes
	w.thread.Table = aligned(uint64(w.take(w.thread, (front+2*abi.PairBytes<<log+64)/8))) + front | log
	w.copy()
	nodes := map[MethodID]string{}
	address := func(offset uint64) string { return fmt.Sprint("@", offset) }
	check := func(m MethodID) func(string) {
		return func(got string) {
			if before, ok := nodes[m]; ok && got != before {
				s.t.Errorf("the node of method %d is %s, and was %s", m, got, before)
			}
			nodes[m] = got
		}
	}
	java := func(m MethodID) { s.call(check(m), "Hash.calleeOrChild", w.thread.Root, m) }
	agent := func(m MethodID) {
		s.call(check(m), "Agent.callee", address(0), address(worldBlock), address(w.layout.Methods),
			address(w.layout.Calls), address(w.layout.Top), address(0), w.layout.Early, int64(w.thread.Root), 0, m, 0)
	}
	made := 0
	random := func() MethodID { return MethodID(1 + r.IntN(made)) }
	for made < len(methods) {
		for range min(1+r.IntN(40), len(methods)-made) {
			made++
			[]func(MethodID){java, agent}[r.IntN(2)](MethodID(made))
		}
		first := MethodID(made) // in the list, and in the table once the agent has looked far
		for range 20 {
			agent(random())
		}
		for range min(20, len(methods)-made) {
			made++
			java(MethodID(made))
		}
		for range r.IntN(3) {
			java([]MethodID{first, random()}[r.IntN(2)])
		}
		for range 60 {
			agent(random())
		}
	}
	w.back()
	s.after = append(s.after, func() {
		if n := len(w.java.callees(w.java.thread.Root.Node(), FirstSlot)); n != len(methods) {
			s.t.Errorf("the slot has %d nodes, of %d methods", n, len(methods))
		}
	})
}

func (w *world) same(n Node, word int) {
	if got, want := w.java.get(n, word), w.get(n, word); got != want {
		w.t.Errorf("word %d at %d is %x in Java, %x in Go", word, n, got, want)
	}
}

// callees gives the nodes of a slot; Java has the last one that was found in front.
func (w *world) callees(n Node, word int) (nodes []Node) {
	for n = Node(w.get(n, word)); n != 0 && len(nodes) < 10_000; n = Node(w.get(n, abi.NodeSibling)) {
		nodes = append(nodes, n)
	}
	slices.Sort(nodes)
	return nodes
}
