package contexts

import (
	"cmp"
	"fmt"
	"time"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// Contexts are recorded now and then while the program runs, for the case that mallard is killed, or as often as is
// asked for: so rarely that it takes a small share of a processor.
const (
	recordEvery = 5 * time.Second
	recordShare = 50
)

// slack is how much earlier than planned contexts may be recorded.
const slack = time.Millisecond / 2

// Snapshot records the contexts of all threads, and what was counted in them, if it is time to, the last time, or if
// the mark says that contexts are wanted. Then the mark says that it did.
func (c *Contexts) Snapshot(mark *trace.Mark, last bool) {
	started := time.Now()
	if !last && !mark.Contexts && started.Before(c.next) {
		return
	}
	mark.Contexts = true
	for _, b := range c.memory.Used() {
		c.record(b, c.threads.At(b), false)
	}
	c.out.Put(c.totals())
	c.next = started.Add(max(cmp.Or(c.options.Every, recordEvery)-slack, recordShare*time.Since(started)))
}

// totals says what contexts take of the program.
func (c *Contexts) totals() *trace.ContextTotals {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.arena.Memory()
	return &trace.ContextTotals{
		Bytes: m.Taken, Pairs: c.pairs(), Epochs: uint64(m.Epochs), Calls: uint64(m.Calls), GraphBytes: m.Graph,
		Anchors: m.Anchors, AnchorBytes: m.AnchorBytes, Asked: c.asked,
	}
}

// pairs counts the pairs of contexts that are in one tree.
func (c *Contexts) pairs() (n uint64) {
	for _, recorded := range c.recorded {
		n += uint64(recorded) * uint64(recorded-1) / 2
	}
	return n
}

// Ended records the contexts of a thread that has ended, for the last time. Its tree, with counters that are zero, is
// the next thread's that gets the block. It is for the goroutine that takes snapshots.
func (c *Contexts) Ended(b counters.Block, t *counters.Thread) (restore func() error) {
	tree := c.record(b, t, true)
	if tree == nil {
		return nil
	}
	c.earlier[b]++
	c.inside[b] = tree.Inside
	tree.Next, tree.Earlier = 0, c.earlier[b]
	return func() error { return c.putTree(b, tree, 0) }
}

// record records the contexts of a thread and what was counted in them. The tree is nil where there is none.
func (c *Contexts) record(b counters.Block, t *counters.Thread, ended bool) *calltree.Thread {
	tree, err := c.tree(b)
	if err != nil || tree.Chunk == 0 {
		return nil
	}
	c.poll() // methods of its nodes may be out of the class cache, of which the agent has left a note before
	w := recorder{Contexts: c, number: trace.ContextID(c.earlier[b]) << earlierShift, thread: t.ID(), ended: ended,
		before: c.recorded[b]}
	if w.number != 0 {
		w.named = map[calltree.Node]bool{}
	}
	w.begin(tree)
	for more := true; more; {
		more = w.fill()
		w.flush()
	}
	w.transitions()
	c.recorded[b] = max(w.seen, c.recorded[b])
	if err := w.scan.Err(); err != nil {
		c.out.Loss("contexts", fmt.Sprintf("the contexts of thread %s could not be read: %v", t.Name(), err))
	}
	return tree
}

// earlierShift is where in a context's number stands how many threads had its tree before.
const earlierShift = abi.SlotShift

// Bounds of what a recorder does while others wait for the lock.
const (
	batchValues = 4096 // in a record
	batchTime   = 500 * time.Microsecond
)

// recorder records the contexts of one thread, in batches.
type recorder struct {
	*Contexts
	scan   *calltree.Scan
	number trace.ContextID // of the contexts of this thread, above those of nodes
	thread trace.ThreadID
	named  map[calltree.Node]bool // those that are recorded; nil: all there are
	ended  bool                   // the thread has
	before int                    // contexts that were recorded in earlier rounds
	seen   int

	crossed []calltree.Context
	nodes   []trace.ContextNode
	counts  trace.ContextCounts
}

func (w *recorder) begin(tree *calltree.Thread) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scan = w.arena.NewScan(tree)
}

// fill takes the next batch of contexts; false at the end.
func (w *recorder) fill() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	started := time.Now()
	for len(w.nodes) < batchValues && len(w.counts.Values)+len(w.counts.Invocations) < batchValues {
		x := w.scan.Next()
		if x == nil {
			return false
		}
		w.seen++
		w.add(x)
		if w.ended {
			w.arena.Clear(x)
		}
		if w.seen%64 == 0 && time.Since(started) > batchTime {
			break
		}
	}
	return true
}

func (w *recorder) id(n calltree.Node) trace.ContextID {
	if n == 0 {
		return 0
	}
	return w.number | trace.ContextID(n>>abi.ContextShift)
}

// add takes a context, and what was counted in it. Of a tree that other threads had before it names only what this one
// has come to.
func (w *recorder) add(x *calltree.Context) {
	if w.arena.IsTransition(x) {
		w.crossed = append(w.crossed, *x)
		return
	}
	id := w.id(x.Node)
	before := len(w.counts.Values)
	for i, v := range x.Words { // once: the thread may be counting
		if v != 0 {
			counter := w.method(x.Method).counters + trace.CounterID(i)
			w.counts.Values = append(w.counts.Values, trace.ContextValue{Context: id, Counter: counter,
				Value: int64(v)})
		}
	}
	switch {
	case w.named == nil && w.seen > w.before:
		w.nodes = append(w.nodes, w.node(x))
	case w.named != nil && (x.Entered != 0 || len(w.counts.Values) > before):
		w.name(x)
	}
	if x.Entered != 0 && w.options.Representation == instrument.Tree {
		w.counts.Invocations = append(w.counts.Invocations,
			trace.ContextInvocations{Context: id, Count: int64(x.Entered)})
	}
}

// name takes a context after its callers.
func (w *recorder) name(x *calltree.Context) {
	if w.named[x.Node] {
		return
	}
	w.named[x.Node] = true
	if x.Parent != 0 {
		parent := w.arena.Context(x.Parent)
		w.name(&parent)
	}
	w.nodes = append(w.nodes, w.node(x))
}

// flush puts the batch into the recording.
func (w *recorder) flush() {
	if len(w.nodes) > 0 {
		w.out.PutDetail(&trace.Contexts{Nodes: w.nodes})
	}
	if len(w.counts.Values)+len(w.counts.Invocations) > 0 {
		counts := w.counts
		counts.Nanos, counts.Thread, counts.Full = w.out.Elapsed(), w.thread, true
		w.out.PutDetail(&counts)
	}
	w.nodes, w.counts = nil, trace.ContextCounts{}
}

// node says what a context is.
func (w *recorder) node(x *calltree.Context) trace.ContextNode {
	called := w.around(x)
	node := trace.ContextNode{ID: w.id(x.Node), Parent: w.id(called.Parent), Method: trace.MethodID(x.Method), BCI: -1,
		Line: -1}
	if called.Parent == 0 {
		return node
	}
	caller := w.method(w.arena.MethodOf(called.Parent))
	if call := caller.call(&called); call != nil {
		node.BCI, node.Line = call.bci, call.line
		return node
	}
	node.Line = caller.line(called.PC)
	// the instruction may be the site of an exception, or have called the native method that threw it
	if m := w.method(x.Method); m.raised || m.version == nil {
		node.BCI = caller.bci(called.PC)
	}
	return node
}
