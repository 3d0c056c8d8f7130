package contexts

import (
	"slices"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/counters"
)

// Classes that were unloaded leave nodes, which later ones of the same shape use again. Where much of a tree is dead
// all the same, its thread asks when it makes the next node, and gets that memory for others
// ([calltree.Arena.Reclaim]) while it waits. Its tables, which never become smaller, have room again, too.

// Of a tree so many bytes, and so large a part, are dead before it is gone through.
const (
	leastDead     = 128 << 10
	leastDeadPart = 2
)

// mostFrames bounds the callers that are looked at, which a damaged tree may have in a ring.
const mostFrames = 1 << 20

// taken is what nodes of a tree take, in bytes.
type taken struct{ all, dead uint64 }

// What becomes of a node: it is of a method that is ending, or below one; if not, it is of one that is unloaded, or
// below one, and was cleared before.
type fate int

const (
	alive fate = iota
	cleared
	ended
)

// fates says what becomes of nodes.
type fates struct {
	*Contexts
	anyOrder bool                   // nodes may come before their callers
	nodes    map[calltree.Node]fate // with anyOrder of all, else of those that are not alive
}

func (f *fates) of(x *calltree.Context) fate {
	own := func(m *method) fate {
		switch {
		case m.ending:
			return ended
		case m.unloaded:
			return cleared
		}
		return alive
	}
	if !f.anyOrder {
		fate := max(own(f.method(x.Method)), f.nodes[x.Parent])
		if fate != alive {
			f.nodes[x.Node] = fate
		}
		return fate
	}
	var way []calltree.Context
	fate := alive
	for n := *x; ; n = f.arena.Context(n.Parent) {
		known, is := f.nodes[n.Node]
		if is {
			fate = known
			break
		}
		if way = append(way, n); n.Parent == 0 || len(way) == mostFrames {
			break
		}
	}
	for i := range slices.Backward(way) {
		fate = max(fate, own(f.method(way[i].Method)))
		f.nodes[way[i].Node] = fate
	}
	return fate
}

// noteDead has a thread ask for memory, when trees are not read any more, where much of its tree is dead.
func (c *Contexts) noteDead(b counters.Block, t taken) {
	if t.dead < leastDead || t.dead < t.all/leastDeadPart {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reclaimable[b] = true
}

// putReclaim says whether a thread is to ask.
func (c *Contexts) putReclaim(b counters.Block, asks bool) error {
	w := counters.Word{Number: abi.WordReclaim}
	if asks {
		w.Value = 1
	}
	return c.memory.PutWords(b, []counters.Word{w})
}

// reclaim gives a thread that waits memory of its tree, if much of that is dead. What was called last, as far as the
// thread knows, was called in that node.
func (c *Contexts) reclaim(b counters.Block, t *calltree.Thread, last calltree.Node) {
	if !c.reclaimable[b] || c.scanning {
		return
	}
	delete(c.reclaimable, b)
	if c.putReclaim(b, false) == nil {
		c.arena.Reclaim(t, last, func(m calltree.MethodID) bool { return c.method(m).unloaded })
	}
}

// scan says that trees are being read, until what it returns is called. Meanwhile no thread asks for memory of its
// tree, for nodes must not go.
func (c *Contexts) scan() (end func()) {
	set := func(scanning bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.scanning = scanning
		for b := range c.reclaimable {
			c.putReclaim(b, !scanning) // else the thread takes other memory
		}
	}
	set(true)
	return func() { set(false) }
}
