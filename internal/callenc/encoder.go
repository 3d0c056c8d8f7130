package callenc

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Encoder encodes contexts of a program whose call graph becomes known while it runs. What an invocation keeps is its
// [Context]; a call makes the callee's from it. On the fast path that reads the epoch and adds a constant, takes no
// lock and writes nothing that others read:
//
//	epoch is current, and has the edge:    value + Add(edge), same anchor
//	else:                                  an anchor for (context, edge), and the value that begins there
//
// So an anchor stands at recursive calls, at calls that are not known yet, where native code calls back, and where an
// invocation that was entered in an earlier epoch calls. Anchors are interned: the same call in the same context has
// the same anchor. Nothing happens at returns, whichever way.
//
// Memory is the graph, once for each epoch, and the anchors; it does not depend on how many contexts there are
// between anchors. All methods may be called by several goroutines.
type Encoder struct {
	limit   uint64
	current atomic.Pointer[Epoch]

	mu      sync.Mutex // of what the slow path uses
	epochs  []*Epoch
	taken   map[Edge]uint64 // edges that have no addition values in the current epoch, and how often
	edges   map[Edge]uint64 // all that were known when it began
	anchors []anchor
	ids     map[anchor]Anchor
}

// Anchor numbers a chain of calls; 0 is the empty one, in which threads begin.
type Anchor uint32

// anchor is the last of its calls, and the context of its caller.
type anchor struct {
	caller Context
	edge   Edge
}

// Context is a chain of calls, together with its last method. One chain has several where epochs changed.
type Context struct {
	Epoch  uint32
	Anchor Anchor
	Value  uint64
}

// NewEncoder makes an encoder that knows no edges. Values stay below limit, which is not 0; 0 stands for what fits
// into 64 bits.
func NewEncoder(limit uint64) *Encoder {
	if limit == 0 {
		limit = largest
	}
	x := &Encoder{limit: limit, taken: map[Edge]uint64{}, edges: map[Edge]uint64{}, anchors: make([]anchor, 1),
		ids: map[anchor]Anchor{}}
	x.epochs = []*Epoch{newEpoch(0, nil, limit)}
	x.current.Store(x.epochs[0])
	return x
}

// Call gives the context of e.Callee, called by e.Caller in a context. A thread begins with the zero Context and a
// call by Root.
func (x *Encoder) Call(e Edge, c Context) Context {
	epoch := x.current.Load()
	if add, known := epoch.Add(e); known && c.Epoch == epoch.number {
		c.Value += add
		return c
	}
	return x.drop(c, e)
}

// drop takes or makes the anchor of a call.
func (x *Encoder) drop(c Context, e Edge) Context {
	x.mu.Lock()
	defer x.mu.Unlock()
	epoch := x.current.Load()
	if _, known := epoch.Add(e); !known {
		x.taken[e]++
	}
	key := anchor{c, e}
	id, known := x.ids[key]
	if !known {
		id = Anchor(len(x.anchors))
		x.anchors = append(x.anchors, key)
		x.ids[key] = id
	}
	return Context{epoch.number, id, epoch.base(e.Callee)}
}

// Advance begins an epoch with all edges that are known by now. hot says how often edges were taken, as far as that
// is known otherwise than by anchors.
func (x *Encoder) Advance(hot map[Edge]uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for e, n := range x.taken {
		x.edges[e] += n
	}
	for e, n := range hot {
		x.edges[e] += n
	}
	clear(x.taken)
	epoch := newEpoch(uint32(len(x.epochs)), x.edges, x.limit)
	x.epochs = append(x.epochs, epoch)
	x.current.Store(epoch)
}

// Decode gives the calls that led to an invocation of n in a context, the outermost first.
func (x *Encoder) Decode(n Method, c Context) ([]Edge, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	var calls []Edge
	for n != Root {
		if int(c.Epoch) >= len(x.epochs) || int(c.Anchor) >= len(x.anchors) {
			return nil, fmt.Errorf("callenc: no context %+v", c)
		}
		epoch := x.epochs[c.Epoch]
		e, inside := epoch.previous(n, c.Value)
		switch {
		case inside:
			calls = append(calls, e.Edge)
			n, c.Value = e.Caller, c.Value-e.add
		case c.Value == epoch.base(n) && c.Anchor != 0 && x.anchors[c.Anchor].edge.Callee == n:
			a := x.anchors[c.Anchor]
			calls = append(calls, a.edge)
			n, c = a.edge.Caller, a.caller
		default:
			return nil, fmt.Errorf("callenc: method %d has no context %+v", n, c)
		}
	}
	slices.Reverse(calls)
	return calls, nil
}

// Stats is what an encoder keeps.
type Stats struct {
	Epochs  int
	Edges   int // of all epochs
	Anchors int
	Largest uint64 // value that the current epoch can hold
}

// Bytes is what an implementation needs for it: 24 bytes for each edge (method numbers and addition value) and 32 for
// each anchor (caller's value, epoch and anchor; edge), the table that interns them not included.
func (s Stats) Bytes() int { return 24*s.Edges + 32*s.Anchors }

// Stats looks at the encoder.
func (x *Encoder) Stats() Stats {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := Stats{Epochs: len(x.epochs), Anchors: len(x.anchors) - 1}
	for _, e := range x.epochs {
		s.Edges += e.Edges()
	}
	for _, n := range x.current.Load().methods {
		s.Largest = max(s.Largest, n.base)
	}
	return s
}
