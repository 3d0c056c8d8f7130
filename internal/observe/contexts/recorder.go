package contexts

import (
	"slices"
	"time"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// Bounds of what a recorder does while others wait for the lock.
const (
	batchValues = 4096 // in a record
	batchTime   = 500 * time.Microsecond
)

// recorder records the contexts of one thread, in batches.
type recorder struct {
	*Contexts
	scan   *calltree.Scan
	turns  turns // of nodes
	thread trace.ThreadID
	ended  bool // the thread has
	all    bool // what has not changed as well
	seen   int  // contexts

	passed []calltree.Context // transitions
	nodes  []trace.ContextNode
	counts trace.ContextCounts
}

func (w *recorder) begin(tree *calltree.Thread) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scan = w.arena.NewScan(tree)
	w.turns = turns{now: w.turns.now, tree: tree}
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
		if w.seen%64 == 0 && time.Since(started) > batchTime {
			break
		}
	}
	return true
}

// clear ends the turn of a tree whose contexts are recorded.
func (w *recorder) clear(tree *calltree.Thread) {
	w.begin(tree)
	all := func(*calltree.Context) bool { return true }
	for more := true; more; {
		more = w.clearSome(all)
	}
}

// clearSome clears the next batch of those nodes that are wanted; false at the end.
func (w *recorder) clearSome(wanted func(*calltree.Context) bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range batchValues {
		x := w.scan.Next()
		if x == nil {
			return false
		}
		if wanted(x) {
			w.unchanged.forget(x.Node)
			w.arena.Clear(x)
		}
	}
	return true
}

func (w *recorder) id(n calltree.Node) trace.ContextID {
	if n == 0 {
		return 0
	}
	return w.contextID(n, w.turnOf(n, &w.turns))
}

// contextID is the number of a context, given the turn of its node.
func (c *Contexts) contextID(n calltree.Node, turn uint64) trace.ContextID {
	return trace.ContextID(turn<<abi.TurnShift | uint64(n-calltree.Node(c.layout.Early))>>abi.ContextShift)
}

// add takes a context, and what was counted in it, if that has changed. It names only those in which something was,
// and their callers: a tree may be one that other threads had before.
func (w *recorder) add(x *calltree.Context) {
	if w.arena.IsTransition(x) {
		w.passed = append(w.passed, *x)
		return
	}
	id := w.contextID(x.Node, w.turns.now)
	before := len(w.counts.Values)
	for i, v := range x.Words { // once: the thread may be counting
		if v != 0 {
			counter := w.method(x.Method).counters + trace.CounterID(i)
			w.counts.Values = append(w.counts.Values, trace.ContextValue{Context: id, Counter: counter,
				Value: int64(v)})
		}
	}
	w.arena.Made(x, func(first uint32, words []uint64) {
		for i, v := range words {
			if v != 0 {
				w.counts.Values = append(w.counts.Values, trace.ContextValue{Context: id,
					Counter: trace.CounterID(first) + trace.CounterID(i), Value: int64(v)})
			}
		}
	})
	if x.Entered == 0 && len(w.counts.Values) == before {
		return
	}
	hash := mix(uint64(id), x.Entered)
	for _, v := range w.counts.Values[before:] {
		hash = mix(mix(hash, uint64(v.Counter)), uint64(v.Value))
	}
	if w.unchanged.is(x.Node, hash) && !w.all {
		w.counts.Values = w.counts.Values[:before]
		return
	}
	w.name(x.Node)
	if x.Entered != 0 && (w.options.Representation == instrument.Tree || w.arena.IsTransaction(x.Method)) {
		w.counts.Invocations = append(w.counts.Invocations,
			trace.ContextInvocations{Context: id, Count: int64(x.Entered)})
	}
}

// name says what a context is, if that was not said, after its callers.
func (w *recorder) name(n calltree.Node) {
	var unnamed []calltree.Context
	for n != 0 && w.arena.Name(n) {
		x := w.arena.Context(n)
		unnamed = append(unnamed, x)
		n = x.Parent
	}
	for i := range slices.Backward(unnamed) {
		w.nodes = append(w.nodes, w.node(&unnamed[i]))
	}
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
	node.Line = w.line(caller, called.PC)
	// the instruction may be the site of an exception, or have called the native method that threw it
	if m := w.method(x.Method); m.raised || m.version == nil {
		node.BCI = caller.bci(called.PC)
	}
	return node
}

// recorded gives the number of a context, which it names if that was not done.
func (w *recorder) recorded(n calltree.Node) trace.ContextID {
	w.name(n)
	return w.id(n)
}
