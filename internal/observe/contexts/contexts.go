package contexts

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/recording"
	"mallard/internal/trace"
	"mallard/internal/transactions"
	"mallard/internal/transport"
)

// DefaultMemory is what contexts may take in the program, in bytes. What is allocated in contexts beyond it is known by
// its site alone.
const DefaultMemory = 1024 << 20

// Options say how contexts are kept.
type Options struct {
	Representation instrument.Representation
	Memory         uint64        // bytes that contexts may take in the program; 0 for DefaultMemory
	Every          time.Duration // wanted between two records of them; 0 for as rarely as is cheap
	Huge           bool          // the JVM compiles methods over 8,000 bytes
	Transactions   transactions.List
}

// Contexts keeps the trees of calling contexts of a JVM. Any goroutine may use it, but for what Snapshot, Ended and
// Frames say.
type Contexts struct {
	observe.Base
	options Options
	address uint64 // of the shared memory in the JVM
	threads *counters.Threads
	memory  *counters.Memory
	poll    func()       // [observe.Host.Poll]
	fault   func(string) // [observe.Host.Fault]
	out     *recording.Recording
	log     *slog.Logger
	// tests that ask whether they are within their budgets
	budgets  budgets
	counting *counters.Loop
	layout   calltree.Layout
	mapped   []byte // the whole arena
	reader   *counters.Reader

	mu    sync.Mutex // guards all below; held for moments
	arena *calltree.Arena
	// by name and descriptor, of their last versions
	methods map[classes.Key]map[string]*calltree.MethodID
	known   []method // by calltree.MethodID
	lines   map[methodOfEntry][]transport.Line
	agents  agentMethods
	full    bool // methods counted outside contexts, for want of memory or of a stack
	// or the agent had no answer about some, which is a loss already
	unresolved    bool
	asked         uint64 // times that a thread waited for an answer
	transitionsAt map[calltree.Node]*transition
	phis          map[framePosition][]trace.SiteTerm
	unloaded      unloaded
	sizes         []sizes // of transactions

	// For the goroutine that takes snapshots.
	turns     map[counters.Block]uint64        // which turn of the block's tree it is; one ends with its thread
	recorded  map[counters.Block]int           // contexts that the block's tree has
	inside    map[counters.Block]calltree.Node // the transaction that a thread was in when it ended
	schedule  schedule                         // when contexts are recorded again
	last      bool                             // they were recorded for the last time
	forgotten int                              // times that calls of unloaded classes have lost their constants
	scanning  bool                             // trees are being read in batches, between which others have the lock

	reclaimable map[counters.Block]bool // trees of which much is dead

	unchanged unchanged
}

// leastArena is room for the contexts of the JVM's start, and some.
const leastArena = 128 << 20

// Open maps the arena, which is behind the thread counter blocks.
func Open(o Options, h *observe.Host) (*Contexts, error) {
	if h.Arena < leastArena {
		return nil, errors.New("contexts need more address space than this process may have (ulimit -v); record " +
			"sites alone")
	}
	start, mapped, err := h.Memory.MapBehind(h.Arena)
	if err != nil {
		return nil, fmt.Errorf("the memory for contexts: %w", err)
	}
	layout := calltree.NewLayout(start-abi.NodesOffset, h.Arena)
	if o.Representation == instrument.Encoded {
		layout = layout.WithCode()
	}
	half := h.Memory.BlockBytes() / 2
	o.Memory = cmp.Or(o.Memory, DefaultMemory)
	return &Contexts{
		options: o, address: h.MemoryAddress, threads: h.Threads, memory: h.Memory, poll: h.Poll,
		fault: h.Fault, out: h.Recording, log: h.Log, budgets: newBudgets(), counting: h.Counting,
		layout: layout, mapped: mapped, reader: h.Memory.NewReader(),
		arena:   calltree.New(mapped, layout, o.Memory, half, 2*half),
		methods: map[classes.Key]map[string]*calltree.MethodID{}, known: make([]method, 1),
		lines:         map[methodOfEntry][]transport.Line{},
		transitionsAt: map[calltree.Node]*transition{}, phis: map[framePosition][]trace.SiteTerm{},
		turns: map[counters.Block]uint64{}, recorded: map[counters.Block]int{},
		inside: map[counters.Block]calltree.Node{}, reclaimable: map[counters.Block]bool{},
		schedule:  schedule{every: cmp.Or(o.Every, recordEvery)},
		unchanged: newUnchanged(),
	}, nil
}

// Close gives the memory back.
func (c *Contexts) Close() { unix.Munmap(c.mapped) }

// Facts adds where contexts are.
func (c *Contexts) Facts(f *instrument.Facts) {
	nodes := c.address + abi.NodesOffset
	l := c.layout
	var additions uint64
	if c.options.Representation == instrument.Encoded {
		additions = nodes + l.Additions
	}
	f.Contexts = instrument.ContextFacts{
		Nodes: nodes, Early: l.Early, Top: nodes + l.Top, Limit: nodes + l.Limit, Methods: nodes + l.Methods,
		CallNames: nodes + l.Calls, Additions: additions, Anchors: nodes + l.Anchors, MostAnchors: l.MostAnchors(),
		Returns: l.Returns(),
	}
}

// Entered has code look on which node it counts, from the first time on that a thread enters a transaction; false where
// it does so anyway.
func (c *Contexts) Entered(f *instrument.Facts) bool {
	f.Entered = c.options.Representation == instrument.Tree
	return f.Entered
}

// Flags tell the agent that contexts are recorded.
func (c *Contexts) Flags() uint32 { return abi.Contexts }

// Code has methods keep their contexts.
func (c *Contexts) Code(_ trace.LoaderID, o *instrument.Options) {
	o.Contexts, o.Huge = c.options.Representation, c.options.Huge
	if len(c.options.Transactions) > 0 {
		o.Transactions = c.options.Transactions.Of
	}
}

// Methods describes the methods of a class that have contexts, by their relative numbers.
func (c *Contexts) Methods(r *instrument.Result) []calltree.Method {
	methods := make([]calltree.Method, r.Contexts)
	for i := range r.Methods {
		x := r.Methods[i].Context
		if x == nil {
			continue
		}
		m := calltree.Method{Words: x.Words, Name: x.Name, Raised: x.Raised(), Calls: make([]string, len(x.Calls)),
			PCs: make([]int, len(x.Calls))}
		for k, call := range x.Calls {
			m.Calls[k], m.PCs[k] = call.Callee, call.PC
		}
		if c.options.Representation == instrument.Hashed {
			m.Announced = x.Announcements()
		}
		methods[x.Number] = m
	}
	return methods
}

// Describe takes methods to which the agent has given numbers.
func (c *Contexts) Describe(first calltree.MethodID, methods []calltree.Method) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.arena.Describe(first, methods)
	c.grow()
	return err
}

// grow makes room for what is known of the methods that have numbers.
func (c *Contexts) grow() {
	if n := c.arena.Methods(); n > len(c.known) {
		c.known = append(c.known, make([]method, n-len(c.known))...)
	}
}

// Named gives names numbers that they have in the class cache.
func (c *Contexts) Named(n int, names func() []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arena.Named(n, names)
}

// FirstCall is the number of the first call in a method.
func (c *Contexts) FirstCall(id calltree.MethodID) uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.arena.FirstCall(id)
}

// Define remembers what the numbered methods of a class are.
func (c *Contexts) Define(key classes.Key, v *classes.Version, r *instrument.Result) {
	c.define(v, r, func(m *instrument.Method, id calltree.MethodID) {
		c.numbered(methodKey{key, m.Name + m.Descriptor}, id)
	})
}

// DefineHidden does so for a hidden class, whose methods stacks do not name.
func (c *Contexts) DefineHidden(v *classes.Version, r *instrument.Result) {
	c.define(v, r, func(*instrument.Method, calltree.MethodID) {})
}

func (c *Contexts) define(v *classes.Version, r *instrument.Result,
	name func(m *instrument.Method, id calltree.MethodID)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range r.Methods {
		m := &r.Methods[i]
		if m.Context == nil {
			continue
		}
		id := v.MethodNumbers().Of(m.Context.Number)
		known := method{counts: true, counters: v.FirstCounter() + trace.CounterID(m.Context.First),
			raised: m.Context.Raised(), version: v, index: i}
		for _, call := range m.Context.Calls {
			known.calls = append(known.calls, methodCall{int32(call.PC), int32(call.BCI), int32(call.Line)})
		}
		c.known[id] = known
		name(m, id)
	}
}

// numbered notes the number of a method's last version.
func (c *Contexts) numbered(key methodKey, id calltree.MethodID) {
	if known := c.methods[key.class][key.method]; known != nil {
		*known = id
		return
	}
	if c.methods[key.class] == nil {
		c.methods[key.class] = map[string]*calltree.MethodID{}
	}
	c.methods[key.class][key.method] = &id
}

// Counters calls yield for what a thread counted in contexts that there was no memory for, as if it had been counted in
// no context.
func (c *Contexts) Counters(b counters.Block, yield func(trace.CounterID, int64)) error {
	end := trace.CounterID(c.memory.BlockBytes() / 8)
	type word struct {
		at    trace.CounterID
		value int64
	}
	var words []word
	err := c.reader.Read(b, counters.Range{First: end / 2, End: end}, func(at trace.CounterID, v int64) {
		words = append(words, word{at, v})
	})
	if len(words) == 0 {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range words {
		if m, counter, ok := c.arena.OverflowWord(8 * uint64(w.at)); ok {
			if v := c.method(m).version; v == nil || v.Gone() {
				continue
			}
			c.full = true
			yield(c.method(m).counters+trace.CounterID(counter), w.value)
		}
	}
	return err
}

// Finish notes what the contexts lack at the end.
func (c *Contexts) Finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.full && c.arena.Short():
		c.out.Loss("contexts", fmt.Sprintf("there was no memory for more contexts than %d MB have room for: "+
			"what was allocated in others is known by its site alone, and by the type that the code takes it for; "+
			"--context-memory MB takes more", c.options.Memory>>20))
	case c.arena.Untold():
		c.out.Loss("contexts", fmt.Sprintf("there was no memory for all classes of what calls make, in contexts that "+
			"%d MB have room for: some is reported as what the code takes it for; --context-memory MB takes more",
			c.options.Memory>>20))
	case c.full && !c.unresolved:
		c.out.Loss("contexts", "the JVM does not tell a thread's stack while a virtual thread is mounted or "+
			"unmounted: what was new there is known by its site alone")
	}
}

// method gives what is known of a method; nothing of one that no memory of the program can name unless it is damaged.
func (c *Contexts) method(id calltree.MethodID) *method {
	if int(id) >= len(c.known) {
		return &method{}
	}
	return &c.known[id]
}
