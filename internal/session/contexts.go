package session

import (
	"errors"
	"fmt"
	"slices"
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
	known    []contextMethod          // by calltree.MethodID
	earlier  map[uint32]uint64        // by block: how many threads had its tree that have ended
	agents   []agentMethod            // by the number that the agent gives them
	recorded map[uint32]int           // by block: contexts of its tree that are in the recording
	inside   map[uint32]calltree.Node // by block: the transaction that a thread was in when it ended
	crossed  map[calltree.Node]*crossing
	owes     map[standing][]trace.SiteTerm
	full     bool      // there was no memory for some context
	asked    uint64    // times that a thread waited for an answer
	next     time.Time // when contexts are recorded again
}

// contextMethod is a method that stands in contexts.
type contextMethod struct {
	counts   bool            // it has code of ours
	counters trace.CounterID // number of the first counter in its nodes
	calls    []methodCall    // by slot
	lines    []lineEntry     // where the agent has said
	raised   bool            // it is the constructor of an exception
	version  *classVersion   // that it is of, nil without code of ours
	index    int             // in the version's methods
}

// methodCall is where a call is: in the code as the JVM has it and as it was in the class file, and in the source.
type methodCall struct{ pc, bci, line int32 }

// method gives what is known of a method; nothing of one that no memory of the program can name unless it is damaged.
func (c *contexts) method(id calltree.MethodID) *contextMethod {
	if int(id) >= len(c.known) {
		return &contextMethod{}
	}
	return &c.known[id]
}

// call gives the caller's call that led to a context, nil where it was no call of ours.
func (m *contextMethod) call(x *calltree.Context) *methodCall {
	i, ok := x.Slot, x.Slot >= 0 && x.Slot < len(m.calls)
	if x.Slot < 0 {
		i, ok = slices.BinarySearchFunc(m.calls, x.PC, func(c methodCall, pc int) int { return int(c.pc) - pc })
	}
	if !ok {
		return nil
	}
	return &m.calls[i]
}

// bci gives the place in the class file, as it was, of an instruction at pc of the code that the JVM has, -1 unknown.
func (m *contextMethod) bci(pc int) int32 {
	if m.version == nil {
		return int32(pc)
	}
	methods, err := m.version.methods()
	if err != nil || m.index >= len(methods) {
		return -1
	}
	return int32(methods[m.index].BCIAt(pc))
}

type methodKey struct {
	class  classKey
	method string // name and descriptor
}

// leastArena is room for the contexts of the JVM's start, and some.
const leastArena = 128 << 20

// openContexts maps the arena behind the blocks.
func openContexts(p *blocks, arenaBytes uint64, limit uint64, shape instrument.ContextShape) (*contexts, error) {
	if arenaBytes < leastArena {
		return nil, errors.New("contexts need more address space than this process may have (ulimit -v); record sites alone")
	}
	start := int64(wire.BlocksOffset) + int64(p.count)*p.blockBytes
	memory, err := unix.Mmap(int(p.file.Fd()), start, int(arenaBytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("the memory for contexts: %w", err)
	}
	layout := calltree.NewLayout(uint64(start)-wire.NodesOffset, arenaBytes)
	if shape == instrument.Encoded {
		layout = layout.WithCode()
	}
	half := uint64(p.blockBytes) / 2
	return &contexts{shape: shape, arena: calltree.New(memory, layout, limit, half, 2*half), layout: layout, memory: memory, methods: map[methodKey]calltree.MethodID{}, known: make([]contextMethod, 1), earlier: map[uint32]uint64{}, recorded: map[uint32]int{}, inside: map[uint32]calltree.Node{}, crossed: map[calltree.Node]*crossing{}, owes: map[standing][]trace.SiteTerm{}}, nil
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

// numberMethods gives the methods of a class their numbers.
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
		m := calltree.Method{Words: x.Words, Name: x.Name, Raised: x.Raised()}
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
	s.contexts.known = append(s.contexts.known, make([]contextMethod, len(methods))...)
	return base, nil
}

// flat calls yield for what a thread counted in contexts that there was no memory for, as if it had been counted in no context.
func (c *contexts) flat(p *blocks, block uint32, yield func(trace.CounterID, int64)) error {
	if c == nil {
		return nil
	}
	end := trace.CounterID(p.blockBytes / 8)
	return p.read(block, counterRange{end / 2, end}, func(word trace.CounterID, v int64) {
		if m, counter, ok := c.arena.FlatWord(8 * uint64(word)); ok {
			c.full = true
			yield(c.method(m).counters+trace.CounterID(counter), v)
		}
	})
}

// facts are what the runtime class has to know, whose memory begins at an address.
func (c *contexts) facts(address uint64) instrument.ContextFacts {
	nodes := address + wire.NodesOffset
	l := c.layout
	var additions uint64
	if c.shape == instrument.Encoded {
		additions = nodes + l.Additions
	}
	return instrument.ContextFacts{Nodes: nodes, Early: l.Early, Top: nodes + l.Top, Limit: nodes + l.Limit, Methods: nodes + l.Methods, CallNames: nodes + l.Calls,
		Additions: additions, Anchors: nodes + l.Anchors, MostAnchors: l.MostAnchors(), Returns: l.Returns()}
}

// define remembers what the methods of a class mean that is being recorded.
func (c *contexts) define(key classKey, v *classVersion, r *instrument.Result) {
	for i := range r.Methods {
		m := &r.Methods[i]
		if m.Context == nil {
			continue
		}
		id := v.contexts + calltree.MethodID(m.Context.Number)
		known := contextMethod{counts: true, counters: v.counters.first + trace.CounterID(m.Context.First), raised: m.Context.Raised(), version: v, index: i}
		for _, call := range m.Context.Calls {
			known.calls = append(known.calls, methodCall{int32(call.PC), int32(call.BCI), int32(call.Line)})
		}
		c.known[id] = known
		c.methods[methodKey{key, m.Name + m.Descriptor}] = id
	}
}
