package profiletest

import (
	"fmt"
	"io"
	"math/rand/v2"

	"mallard/internal/trace"
)

// Large describes a recording of a program with many contexts, which nobody ran.
type Large struct {
	Contexts int
	Threads  int
	Rounds   int // full rounds of counts
}

const (
	largeMethods   = 4000 // in classes of ten
	largeDepth     = 60   // calls of a thread at most
	largePerRecord = 8000 // nodes or values of one record
)

// Write writes the recording; it is the same each time. Every other method
// allocates, and each context counts in all counters of its method.
func (l Large) Write(w io.Writer) error {
	g := &generator{large: l, random: rand.New(rand.NewPCG(1, 2)), writer: trace.NewWriter(w)}
	g.write(&trace.Process{JVMVersion: "17", Command: []string{"java", "large.Program"},
		Track:     []string{"sites", "contexts"},
		ArrayBase: [4]uint32{16, 16, 16, 16}, RefBytes: 4, ObjectAlignment: 8})
	g.methods()
	g.tree()
	for round := range l.Rounds {
		g.counts(round + 1)
	}
	g.write(&trace.End{Complete: true})
	if g.err == nil {
		g.err = g.writer.Flush()
	}
	return g.err
}

type generator struct {
	large    Large
	random   *rand.Rand
	writer   *trace.Writer
	err      error
	counters []largeMethod // by trace.MethodID - 1
	nodes    [][]largeNode // by thread
}

// largeMethod is the counters of a method.
type largeMethod struct {
	first trace.CounterID
	count int
}

type largeNode struct {
	id     trace.ContextID
	method trace.MethodID
	depth  int
}

func (g *generator) write(r trace.Record) {
	if g.err == nil {
		g.err = g.writer.Write(r)
	}
}

// methods defines the classes.
func (g *generator) methods() {
	packages := []string{"java/util/", "java/util/stream/", "java/lang/", "org/example/web/", "org/example/store/",
		"com/library/json/", "net/transport/http/"}
	types := []string{"java/lang/String", "[B", "java/util/HashMap$Node", "java/util/ArrayList",
		"org/example/store/Row", "[Ljava/lang/Object;", "com/library/json/Token"}
	var site trace.SiteID
	var counter trace.CounterID
	for class := range largeMethods / 10 {
		def := &trace.ClassDef{ID: trace.ClassID(class), Name: fmt.Sprintf("%sClass%d", packages[class%len(packages)],
			class), Source: "Class.java", SiteBase: site, CounterBase: counter}
		for i := range 10 {
			m := trace.MethodDef{Name: fmt.Sprintf("method%d", i), Descriptor: "()V",
				Number: trace.MethodID(len(g.counters) + 1)}
			first := def.Counters
			for s := range uint32(i % 4) {
				kind := trace.Instance
				name := types[g.random.IntN(len(types))]
				if name[0] == '[' {
					kind = trace.ArrayConst
				}
				m.Sites = append(m.Sites, trace.SiteDef{BCI: int32(s * 10), Line: int32(i*20) + int32(s), Type: name,
					Kind: kind, Length: 16})
				m.Counters = append(m.Counters,
					trace.CounterDef{Counter: def.Counters, Semantics: []trace.Term{{Site: s, Coefficient: 1}}})
				def.Counters++
			}
			g.counters = append(g.counters, largeMethod{counter + trace.CounterID(first), len(m.Counters)})
			def.Methods = append(def.Methods, m)
			site += trace.SiteID(len(m.Sites))
		}
		counter += trace.CounterID(def.Counters)
		g.write(def)
	}
	for _, name := range types {
		g.write(&trace.ClassSize{Name: name, Bytes: 24})
	}
}

// tree defines the contexts: most calls go on from the last one, so that the
// threads have deep stacks.
func (g *generator) tree() {
	g.nodes = make([][]largeNode, g.large.Threads)
	pending := &trace.Contexts{}
	id := trace.ContextID(0)
	for n := range g.large.Contexts {
		thread := n * g.large.Threads / g.large.Contexts
		nodes := &g.nodes[thread]
		id += trace.ContextID(8 + g.random.IntN(8))
		method := trace.MethodID(g.random.IntN(largeMethods) + 1)
		node := trace.ContextNode{ID: id, Method: method, BCI: int32(g.random.IntN(100)),
			Line: int32(g.random.IntN(200))}
		depth := 0
		if k := len(*nodes); k > 0 {
			parent := (*nodes)[k-1]
			if parent.depth >= largeDepth || g.random.IntN(4) == 0 {
				parent = (*nodes)[g.random.IntN(k)]
			}
			if parent.depth < largeDepth {
				node.Parent, depth = parent.id, parent.depth+1
			}
		}
		*nodes = append(*nodes, largeNode{id, method, depth})
		if pending.Nodes = append(pending.Nodes, node); len(pending.Nodes) == largePerRecord {
			g.write(pending)
			pending = &trace.Contexts{}
		}
	}
	g.write(pending)
	for i := range g.large.Threads {
		g.write(&trace.Thread{ID: trace.ThreadID(i + 1), Name: fmt.Sprintf("thread-%d", i+1)})
	}
}

// counts writes a full round, with values that grow from round to round and do
// not compress.
func (g *generator) counts(round int) {
	for thread, nodes := range g.nodes {
		record := &trace.ContextCounts{Nanos: int64(round) * 1e9, Thread: trace.ThreadID(thread + 1), Full: true}
		for i, n := range nodes {
			record.Invocations = append(record.Invocations,
				trace.ContextInvocations{Context: n.id, Count: g.amount(round)})
			m := g.counters[n.method-1]
			for k := range m.count {
				record.Values = append(record.Values,
					trace.ContextValue{Context: n.id, Counter: m.first + trace.CounterID(k), Value: g.amount(round)})
			}
			if len(record.Values) >= largePerRecord || i == len(nodes)-1 {
				g.write(record)
				record = &trace.ContextCounts{Nanos: record.Nanos, Thread: record.Thread, Full: true}
			}
		}
		g.write(&trace.Mark{Nanos: int64(round) * 1e9, Contexts: thread == len(g.nodes)-1})
	}
}

// amount is a number of any magnitude up to a million times the round.
func (g *generator) amount(round int) int64 {
	return int64(round) * (1 + g.random.Int64N(1<<g.random.IntN(21)))
}
