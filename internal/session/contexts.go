package session

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/calltree"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// contexts keeps the trees of calling contexts of a JVM, nil where none are recorded.
type contexts struct {
	shape    instrument.ContextShape
	arena    *calltree.Arena
	layout   calltree.Layout
	memory   []byte // the whole arena, mapped
	methods  map[methodKey]calltree.MethodID
	known    []contextMethod   // by calltree.MethodID
	earlier  map[uint32]uint64 // by page: how many threads had its tree that have ended
	agents   []agentMethod     // by the number that the agent gives them
	recorded map[uint32]int    // by page: contexts of its tree that are in the recording
	full     bool              // there was no memory for some context
	next     time.Time         // when contexts are recorded again
}

// contextMethod is a method that stands in contexts.
type contextMethod struct {
	context  *instrument.Context // nil without code of ours
	counters trace.CounterID     // of context.First
	lines    []lineEntry         // where the agent has said
}

type methodKey struct {
	class  classKey
	method string // name and descriptor
}

// agentMethod is a method that the agent names in stacks.
type agentMethod struct {
	key    methodKey
	native bool
	silent bool // the JVM prints no such frame, and nobody counts in it
	lines  []lineEntry
}

type lineEntry struct{ pc, line int32 }

// leastArena is room for the contexts of the JVM's start, and some.
const leastArena = 128 << 20

// openContexts maps the arena behind the pages.
func openContexts(p *pages, arenaBytes uint64, limit uint64, shape instrument.ContextShape) (*contexts, error) {
	if arenaBytes < leastArena {
		return nil, errors.New("contexts need more address space than this process may have (ulimit -v); record sites alone")
	}
	start := int64(wire.PagesOffset) + int64(p.count)*p.pageBytes
	memory, err := unix.Mmap(int(p.file.Fd()), start, int(arenaBytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("the memory for contexts: %w", err)
	}
	layout := calltree.NewLayout(uint64(start)-wire.NodesOffset, arenaBytes)
	half := uint64(p.pageBytes) / 2
	return &contexts{shape: shape, arena: calltree.New(memory, layout, limit, half, 2*half), layout: layout, memory: memory, methods: map[methodKey]calltree.MethodID{}, known: make([]contextMethod, 1), earlier: map[uint32]uint64{}, recorded: map[uint32]int{}}, nil
}

// kind says what shape contexts have.
func (c *contexts) kind() instrument.ContextShape {
	if c == nil {
		return instrument.NoContexts
	}
	return c.shape
}

func (c *contexts) close() {
	if c != nil {
		unix.Munmap(c.memory)
	}
}

// numberMethods gives the methods of a class their numbers, and writes them into its new bytes.
func (s *Session) numberMethods(r *instrument.Result) (base calltree.MethodID, err error) {
	if s.contexts == nil || r.Contexts == 0 {
		return 0, nil
	}
	methods := make([]calltree.Method, r.Contexts)
	for i := range r.Methods {
		x := r.Methods[i].Context
		if x == nil {
			continue
		}
		m := calltree.Method{Words: x.Words, Name: x.Name}
		for _, call := range x.Calls {
			m.Calls = append(m.Calls, call.Callee)
			m.PCs = append(m.PCs, call.PC)
		}
		if s.contexts.shape == instrument.Hashed {
			m.Announced = x.Announcements()
		}
		methods[x.Number] = m
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if base, err = s.contexts.arena.Add(methods); err != nil {
		return 0, err
	}
	r.PatchMethods(uint32(base))
	s.contexts.known = append(s.contexts.known, make([]contextMethod, len(methods))...)
	return base, nil
}

// resolve answers where an invocation belongs that was entered in another way than its caller's call says.
func (s *Session) resolve(p *wire.Payload) error {
	node := s.resolved(p)
	if err := p.Err(); err != nil {
		return err
	}
	return s.conn.Answer(wire.OK, binary.LittleEndian.AppendUint64(nil, uint64(node)))
}

func (s *Session) resolved(p *wire.Payload) calltree.Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.contexts == nil {
		return 0
	}
	page, value, method, called := p.Uint32(), p.Uint64(), calltree.MethodID(p.Uint32()), int32(p.Uint32())
	c := s.contexts
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		m := agentMethod{key: methodKey{class: classKey{trace.LoaderID(p.Uint32()), internalName(p.String())}}}
		m.key.method = p.String() + p.String()
		m.native = p.Uint32()&wire.MethodNative != 0
		m.silent = isSilent(m.key.class.name)
		m.lines = readLines(p)
		c.agents = append(c.agents, m)
	}
	var frames []calltree.Frame
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		number, pc := p.Uint32(), int32(p.Uint32())
		if int(number) >= len(c.agents) {
			return 0
		}
		m := &c.agents[number]
		if m.silent {
			if len(frames) > 0 {
				frames[len(frames)-1].Behind = true
			}
			continue
		}
		f := calltree.Frame{Method: s.methodNumber(m), PC: int(pc), Native: m.native}
		if len(frames) == 0 {
			f.Method = method
		}
		frames = append(frames, f)
	}
	if p.Err() != nil || s.pages.check(page) != nil {
		return 0
	}
	t, err := s.pages.tree(page)
	if err != nil {
		return 0
	}
	var node calltree.Node
	var learned int
	if c.shape == instrument.Hashed {
		var pairs []calltree.Pair
		node, pairs = c.arena.ResolveHash(t, calltree.Unknown{Method: method, Hash: calltree.Hash(value), Called: called}, frames)
		learned = c.arena.PutPairs(t, pairs)
	} else {
		node = c.arena.Resolve(t, calltree.Entry(value), frames)
	}
	if err := s.pages.putTree(page, t, learned); err != nil {
		return 0
	}
	return node
}

// contextFrame is what contexts have to know of a frame's method.
type contextFrame struct {
	id     calltree.MethodID // 0: in no context
	native bool
	silent bool
	counts bool // in its contexts
}

// contextFrame says what a method is that the agent names at the end.
func (s *Session) contextFrame(key methodKey, native bool, lines []lineEntry) contextFrame {
	c := s.contexts
	if c == nil {
		return contextFrame{}
	}
	m := agentMethod{key: key, native: native, silent: isSilent(key.class.name), lines: lines}
	id := c.methods[key]
	if c.shape == instrument.Hashed && !m.silent { // whose contexts may not have come up yet
		id = s.methodNumber(&m)
	}
	return contextFrame{id: id, native: native, silent: m.silent, counts: c.known[id].context != nil}
}

func readLines(p *wire.Payload) []lineEntry {
	var lines []lineEntry
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		lines = append(lines, lineEntry{int32(p.Uint32()), int32(p.Uint32())})
	}
	return lines
}

// ofFrames finds the contexts of a thread's frames, innermost first; 0 for those that have none.
func (c *contexts) ofFrames(p *pages, page, flags uint32, frames []liveFrame) []trace.ContextID {
	if c == nil || page == wire.OverflowPage {
		return nil
	}
	tree, err := p.tree(page)
	if err != nil {
		return nil
	}
	var stack []calltree.Frame
	var at []int
	for i, f := range frames {
		if !f.silent {
			stack = append(stack, calltree.Frame{Method: f.id, PC: f.pc, Native: f.native})
			at = append(at, i)
		}
	}
	earlier := c.earlier[page]
	if flags&wire.ThreadEnded != 0 {
		earlier-- // than it
	}
	ids := make([]trace.ContextID, len(frames))
	nodes := c.arena.Find(tree, stack)
	if placed, ok := c.arena.Place(tree, stack); ok && c.shape == instrument.Hashed && p.putTree(page, tree, 0) == nil {
		nodes = placed // invocations that have not counted yet have no node
	}
	for i, n := range nodes {
		if n != 0 {
			ids[at[i]] = trace.ContextID(earlier)<<contextShift | trace.ContextID(n/8)
		}
	}
	return ids
}

// isSilent reports whether the JVM prints no frames of a class: those of hidden classes, which have a name that no other can have, those of the runtime class, and
// what virtual threads stand on.
func isSilent(class string) bool {
	return class == instrument.RuntimeName || strings.ContainsRune(class, '.') || class == "jdk/internal/vm/Continuation" || strings.HasPrefix(class, "java/lang/VirtualThread$")
}

// methodNumber gives the number of a method in a stack: of its last version, or, where it has no code of ours, one of its own.
func (s *Session) methodNumber(m *agentMethod) calltree.MethodID {
	c := s.contexts
	id, ok := c.methods[m.key]
	if !ok {
		var err error
		if id, err = c.arena.Add(make([]calltree.Method, 1)); err != nil {
			return 0
		}
		c.known = append(c.known, contextMethod{})
		c.methods[m.key] = id
		name, descriptor, _ := strings.Cut(m.key.method, "(")
		s.write(&trace.MethodName{Number: trace.MethodID(id), Loader: m.key.class.loader, Class: m.key.class.name, Name: name, Descriptor: "(" + descriptor, Native: m.native})
	}
	if c.known[id].lines == nil {
		c.known[id].lines = m.lines
	}
	return id
}

// line gives the source line of a position in the code as the JVM has it, -1 unknown: as stack traces do, of the first entry that starts just there, else of
// the last of those that start closest before.
func (m *contextMethod) line(pc int) int32 {
	line := int32(-1)
	best := int32(-1)
	for _, e := range m.lines {
		if int(e.pc) == pc {
			return e.line
		}
		if int(e.pc) < pc && e.pc >= best {
			line, best = e.line, e.pc
		}
	}
	return line
}

// tree reads a thread's own words for its tree.
func (p *pages) tree(page uint32) (*calltree.Thread, error) {
	var b [treeWords * 8]byte
	if _, err := unix.Pread(int(p.file.Fd()), b[:], p.offset(page, wire.TreeWord)); err != nil {
		return nil, err
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return &calltree.Thread{Next: calltree.Entry(word(0)), Free: word(1), End: word(2), Chunk: word(3), Root: calltree.Entry(word(4)), Table: word(7), Mask: word(8), Hashes: word(9)}, nil
}

// The thread's words from wire.TreeWord on.
const (
	treeWords = 11
	nodeWords = 5 // for its nodes
	tableWord = 7
)

// putTree changes them, while the thread waits or has ended, and says how many pairs there are for it.
func (p *pages) putTree(page uint32, t *calltree.Thread, learned int) error {
	b := make([]byte, 0, 8*nodeWords)
	for _, w := range [nodeWords]uint64{uint64(t.Next), t.Free, t.End, t.Chunk, uint64(t.Root)} {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	if _, err := unix.Pwrite(int(p.file.Fd()), b, p.offset(page, wire.TreeWord)); err != nil {
		return err
	}
	b = b[:0]
	for _, w := range [...]uint64{t.Table, t.Mask, t.Hashes, uint64(learned)} {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	_, err := unix.Pwrite(int(p.file.Fd()), b, p.offset(page, wire.TreeWord+tableWord))
	return err
}

// Contexts are recorded now and then while the program runs, for the case that mallard is killed, or as often as is asked for: so rarely that it takes a small share of a
// processor.
const (
	contextsEvery = 5 * time.Second
	contextsShare = 50
)

// due reports whether contexts are to be recorded; done says that they have been, and how often that is wanted, 0 for no wish.
func (c *contexts) due() bool { return !time.Now().Before(c.next) }

func (c *contexts) done(started time.Time, wanted time.Duration) {
	c.next = started.Add(max(cmp.Or(wanted, contextsEvery)-snapshotSlack, contextsShare*time.Since(started)))
}

// snapshotSlack is how much earlier than planned a snapshot may be.
const snapshotSlack = time.Millisecond / 2

// contextBlock is how many values a record of contexts has at most.
const contextBlock = 4096

// snapshot records the contexts of a thread and what was counted in them. Where the thread has ended, its tree is given back for the next one that gets the
// page, with counters that are zero; nil without.
func (c *contexts) snapshot(s *Session, page uint32, t *thread, ended bool) *calltree.Thread {
	if c == nil {
		return nil
	}
	tree, err := s.pages.tree(page)
	if err != nil || tree.Chunk == 0 {
		return nil
	}
	w := contextWriter{session: s, contexts: c, number: trace.ContextID(c.earlier[page]) << contextShift, thread: t.record.ID}
	if w.number != 0 {
		w.recorded = map[calltree.Node]bool{}
	}
	n := 0
	err = c.arena.Scan(tree, func(x *calltree.Context) bool {
		n++
		w.known = n <= c.recorded[page]
		w.add(x)
		if ended {
			c.arena.Clear(x)
		}
		return true
	})
	w.flush()
	c.recorded[page] = max(n, c.recorded[page])
	if err != nil {
		s.trouble("contexts", fmt.Sprintf("the contexts of thread %s could not be read: %v", t.record.Name, err))
	}
	if !ended {
		return nil
	}
	c.earlier[page]++
	tree.Next = 0
	return tree
}

// contextShift is where in a context's number stands how many threads had its tree before.
const contextShift = 44

// contextWriter records contexts, in blocks.
type contextWriter struct {
	session  *Session
	contexts *contexts
	number   trace.ContextID // of the contexts of this thread, above those of nodes
	thread   trace.ThreadID
	recorded map[calltree.Node]bool // nil: all there are
	known    bool                   // the next one has been recorded in an earlier round
	nodes    []trace.ContextNode
	counts   trace.ContextCounts
}

func (w *contextWriter) id(n calltree.Node) trace.ContextID {
	if n == 0 {
		return 0
	}
	return w.number | trace.ContextID(n/8)
}

// add records a context, and what was counted in it. Of a tree that other threads had before it names only what this one has come to.
func (w *contextWriter) add(x *calltree.Context) {
	switch {
	case w.recorded == nil && !w.known:
		w.nodes = append(w.nodes, w.contexts.node(x, w))
	case w.recorded != nil && (x.Entered != 0 || slices.ContainsFunc(x.Words, func(v uint64) bool { return v != 0 })):
		w.name(x)
	}
	id := w.id(x.Node)
	if x.Entered != 0 {
		w.counts.Invocations = append(w.counts.Invocations, trace.ContextInvocations{Context: id, Count: int64(x.Entered)})
	}
	for i, v := range x.Words {
		if v != 0 {
			w.counts.Values = append(w.counts.Values, trace.ContextValue{Context: id, Counter: w.contexts.known[x.Method].counters + trace.CounterID(i), Value: int64(v)})
		}
	}
	if len(w.nodes) >= contextBlock || len(w.counts.Values)+len(w.counts.Invocations) >= contextBlock {
		w.flush()
	}
}

// name records a context after its callers.
func (w *contextWriter) name(x *calltree.Context) {
	if w.recorded[x.Node] {
		return
	}
	w.recorded[x.Node] = true
	if x.Parent != 0 {
		parent := w.contexts.arena.Context(x.Parent)
		w.name(&parent)
	}
	w.nodes = append(w.nodes, w.contexts.node(x, w))
}

func (w *contextWriter) flush() {
	if len(w.nodes) > 0 {
		w.session.write(&trace.Contexts{Nodes: w.nodes})
	}
	if len(w.counts.Values)+len(w.counts.Invocations) > 0 {
		w.counts.Nanos, w.counts.Thread, w.counts.Full = w.session.elapsed(), w.thread, true
		w.session.write(&w.counts)
	}
	w.nodes, w.counts = nil, trace.ContextCounts{}
}

// flat calls yield for what a thread counted in contexts that there was no memory for, as if it had been counted in no context.
func (c *contexts) flat(p *pages, page uint32, yield func(trace.CounterID, int64)) error {
	if c == nil {
		return nil
	}
	end := trace.CounterID(p.pageBytes / 8)
	return p.read(page, counterRange{end / 2, end}, func(word trace.CounterID, v int64) {
		if m, counter, ok := c.arena.FlatWord(8 * uint64(word)); ok {
			c.full = true
			yield(c.known[m].counters+trace.CounterID(counter), v)
		}
	})
}

// facts are what the runtime class has to know, whose memory begins at an address.
func (c *contexts) facts(address uint64) instrument.ContextFacts {
	nodes := address + wire.NodesOffset
	l := c.layout
	return instrument.ContextFacts{Nodes: nodes, Early: l.Early, Top: nodes + l.Top, Limit: nodes + l.Limit, Methods: nodes + l.Methods, CallNames: nodes + l.Calls}
}

// node says what a context is.
func (c *contexts) node(x *calltree.Context, w *contextWriter) trace.ContextNode {
	node := trace.ContextNode{ID: w.id(x.Node), Parent: w.id(x.Parent), Method: trace.MethodID(x.Method), BCI: -1, Line: -1}
	if x.Parent == 0 {
		return node
	}
	caller := &c.known[c.arena.MethodOf(x.Parent)]
	if x.Slot >= 0 && caller.context != nil && x.Slot < len(caller.context.Calls) {
		call := &caller.context.Calls[x.Slot]
		node.BCI, node.Line = int32(call.BCI), int32(call.Line)
		return node
	}
	if caller.context != nil {
		if i, ok := slices.BinarySearchFunc(caller.context.Calls, x.PC, func(c instrument.Call, pc int) int { return c.PC - pc }); ok {
			node.BCI, node.Line = int32(caller.context.Calls[i].BCI), int32(caller.context.Calls[i].Line)
			return node
		}
	}
	node.Line = caller.line(x.PC)
	return node
}

// define remembers what the methods of a class mean that is being recorded.
func (c *contexts) define(key classKey, v *classVersion, r *instrument.Result) {
	for i := range r.Methods {
		m := &r.Methods[i]
		if m.Context == nil {
			continue
		}
		id := v.contexts + calltree.MethodID(m.Context.Number)
		c.known[id] = contextMethod{context: m.Context, counters: v.counters.first + trace.CounterID(m.Context.First)}
		c.methods[methodKey{key, m.Name + m.Descriptor}] = id
	}
}
