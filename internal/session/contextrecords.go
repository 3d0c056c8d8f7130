package session

import (
	"cmp"
	"fmt"
	"time"

	"mallard/internal/calltree"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

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

// contextTotals records what contexts take of the program.
func (s *Session) contextTotals() {
	m := s.contexts.arena.Memory()
	s.recording.Put(&trace.ContextTotals{Bytes: m.Taken, Pairs: s.contexts.pairs(), Epochs: uint64(m.Epochs), Calls: uint64(m.Calls), GraphBytes: m.Graph, Anchors: m.Anchors, AnchorBytes: m.AnchorBytes, Asked: s.contexts.asked})
}

// pairs counts the pairs of contexts that are in one tree.
func (c *contexts) pairs() (n uint64) {
	for _, recorded := range c.recorded {
		n += uint64(recorded) * uint64(recorded-1) / 2
	}
	return n
}

// contextBlock is how many values a record of contexts has at most.
const contextBlock = 4096

// snapshot records the contexts of a thread and what was counted in them. Where the thread has ended, its tree is given back for the next one that gets the
// block, with counters that are zero; nil without.
func (c *contexts) snapshot(s *Session, block uint32, t *thread, ended bool) *calltree.Thread {
	if c == nil {
		return nil
	}
	tree, err := s.blocks.tree(block)
	if err != nil || tree.Chunk == 0 {
		return nil
	}
	w := contextWriter{session: s, contexts: c, number: trace.ContextID(c.earlier[block]) << contextShift, thread: t.record.ID, ended: ended}
	if w.number != 0 {
		w.recorded = map[calltree.Node]bool{}
	}
	n := 0
	err = c.arena.Scan(tree, func(x *calltree.Context) bool {
		n++
		w.known = n <= c.recorded[block]
		w.add(x)
		if ended {
			c.arena.Clear(x)
		}
		return true
	})
	w.flush()
	w.crossings()
	c.recorded[block] = max(n, c.recorded[block])
	if err != nil {
		s.recording.Loss("contexts", fmt.Sprintf("the contexts of thread %s could not be read: %v", t.record.Name, err))
	}
	if !ended {
		return nil
	}
	c.earlier[block]++
	c.inside[block] = tree.Inside
	tree.Next, tree.Earlier = 0, c.earlier[block]
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
	ended    bool                   // the thread has
	known    bool                   // the next one has been recorded in an earlier round
	crossed  []calltree.Context
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
	if w.contexts.arena.IsCrossing(x) {
		w.crossed = append(w.crossed, *x)
		return
	}
	id := w.id(x.Node)
	before := len(w.counts.Values)
	for i, v := range x.Words { // once: the thread may be counting
		if v != 0 {
			w.counts.Values = append(w.counts.Values, trace.ContextValue{Context: id, Counter: w.contexts.method(x.Method).counters + trace.CounterID(i), Value: int64(v)})
		}
	}
	switch {
	case w.recorded == nil && !w.known:
		w.nodes = append(w.nodes, w.contexts.node(x, w))
	case w.recorded != nil && (x.Entered != 0 || len(w.counts.Values) > before):
		w.name(x)
	}
	if x.Entered != 0 && w.contexts.shape == instrument.Tree {
		w.counts.Invocations = append(w.counts.Invocations, trace.ContextInvocations{Context: id, Count: int64(x.Entered)})
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
		w.session.recording.Put(&trace.Contexts{Nodes: w.nodes})
	}
	if len(w.counts.Values)+len(w.counts.Invocations) > 0 {
		w.counts.Nanos, w.counts.Thread, w.counts.Full = w.session.recording.Elapsed(), w.thread, true
		counts := w.counts
		w.session.recording.Put(&counts)
	}
	w.nodes, w.counts = nil, trace.ContextCounts{}
}

// node says what a context is.
func (c *contexts) node(x *calltree.Context, w *contextWriter) trace.ContextNode {
	called := c.around(x)
	node := trace.ContextNode{ID: w.id(x.Node), Parent: w.id(called.Parent), Method: trace.MethodID(x.Method), BCI: -1, Line: -1}
	if called.Parent == 0 {
		return node
	}
	caller := c.method(c.arena.MethodOf(called.Parent))
	if call := caller.call(&called); call != nil {
		node.BCI, node.Line = call.bci, call.line
	} else {
		node.Line = caller.line(called.PC)
		if m := c.method(x.Method); m.raised || m.version == nil { // the instruction may be the site of an exception, or have called the native method that threw it
			node.BCI = caller.bci(called.PC)
		}
	}
	return node
}
