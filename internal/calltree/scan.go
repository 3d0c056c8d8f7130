package calltree

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"sync/atomic"
	"unsafe"

	"mallard/internal/abi"
)

// ErrDamaged says that a tree has something in it that nobody puts there.
var ErrDamaged = errors.New("calltree: a thread's nodes are damaged")

// A Context is a node as a tree has it.
type Context struct {
	Node    Node
	Method  MethodID
	Parent  Node // in this tree or another one; 0: the thread's first frames have none
	Slot    int  // of the call in the parent's method, -1 if it was entered otherwise
	PC      int  // there, in the parent's method, where Slot is -1
	Entered uint64
	// the method's counters, in memory that the program writes to; nil for methods without code of ours
	Words []uint64
}

// Scan calls yield for all nodes of a thread's tree, in the order of memory: callers before callees, until memory has
// been reclaimed. It stops at the first that yield returns false for.
func (a *Arena) Scan(t *Thread, yield func(*Context) bool) error {
	s := a.NewScan(t)
	for c := s.Next(); c != nil; c = s.Next() {
		if !yield(c) {
			return nil
		}
	}
	return s.Err()
}

// A Scan goes through the nodes that a thread's tree had when it was begun. The thread may go on making others, and
// others may use the arena between two calls of Next, but for [Arena.Reclaim].
type Scan struct {
	arena  *Arena
	holes  []hole
	free   []hole  // where there were no nodes yet, once memory has been reclaimed; in the order of memory
	chunks []Chunk // those that are left, the oldest last
	at     uint64  // in the last
	node   Context
	err    error
}

// A Chunk is where nodes of one tree are, from First up to End.
type Chunk struct{ First, End Node }

// Has reports whether a node is there.
func (c Chunk) Has(n Node) bool { return c.First <= n && n < c.End }

// Chunks gives where the nodes are that a thread's tree has, the newest first. Their callers may be in another tree,
// where a thread has run as another one ([Context.Parent]).
func (a *Arena) Chunks(t *Thread) (list []Chunk, err error) {
	newest := t.Free
	if end := a.chunkEnd(t.Chunk); len(a.holes[t.Root.Node()]) > 0 && end != 0 {
		newest = end // what is free may be elsewhere
	}
	for chunk, end := t.Chunk, newest; chunk != 0; {
		if !a.inside(Node(chunk), abi.RootWords+2) || end > a.layout.End || len(list) > 1<<20 {
			return nil, ErrDamaged
		}
		list = append(list, Chunk{Node(chunk + abi.ChunkHeaderBytes), Node(end)})
		chunk = a.get(Node(chunk), abi.ChunkBefore)
		end = a.chunkEnd(chunk)
	}
	return list, nil
}

// chunkEnd gives the end of a chunk; 0 for none.
func (a *Arena) chunkEnd(chunk uint64) uint64 {
	switch {
	case chunk == a.layout.Early:
		return a.layout.Chunks
	case chunk != 0 && a.inside(Node(chunk), 2):
		return a.get(Node(chunk), abi.ChunkEnd)
	}
	return 0
}

// NewScan begins a Scan.
func (a *Arena) NewScan(t *Thread) *Scan {
	s := &Scan{arena: a, holes: a.holes[t.Root.Node()]}
	if len(s.holes) > 0 {
		s.free = a.freeOf(s.holes, t)
	}
	s.chunks, s.err = a.Chunks(t)
	s.begin()
	return s
}

// freeOf gives where a thread had no nodes yet, whose memory has been reclaimed: the rest of the hole or chunk that it
// takes nodes from, and the holes that it comes to after that. Those are listed as they are in memory, so none is in
// front of the first that is left. A thread that is just about to go on elsewhere has said so of the end, not yet of
// the beginning.
func (a *Arena) freeOf(holes []hole, t *Thread) (free []hole) {
	now := hole{t.Chunk + abi.ChunkHeaderBytes, t.End}
	isKnown := t.End != 0 && t.End == a.chunkEnd(t.Chunk)
	for _, h := range holes {
		switch {
		case h.end == t.End:
			now, isKnown = h, true
		case t.Spans != 0 && h.first >= t.Spans:
			free = append(free, h)
		}
	}
	if !isKnown {
		return free
	}
	if now.first < t.Free && t.Free < now.end {
		now.first = t.Free
	}
	free = append(free, now)
	slices.SortFunc(free, func(a, b hole) int { return cmp.Compare(a.first, b.first) })
	return free
}

// begin goes to the first node of the oldest chunk that is left.
func (s *Scan) begin() {
	if n := len(s.chunks); n > 0 {
		s.at = uint64(s.chunks[n-1].First)
	}
}

// Next gives the next node, in memory that is used again; nil at the end.
func (s *Scan) Next() *Context {
	for len(s.chunks) > 0 {
		if s.step() {
			return &s.node
		}
		if s.err != nil {
			s.chunks = nil
			return nil
		}
	}
	return nil
}

// step reads the next node of the chunk; false at its end, for what is no context, and where the chunk is damaged.
func (s *Scan) step() bool {
	a, end := s.arena, uint64(s.chunks[len(s.chunks)-1].End)
	var id MethodID
	if behind := holeEnd(s.free, s.at); behind != 0 {
		s.at = behind
		return false
	}
	if s.at+8*FirstSlot <= end {
		id = a.methodOf(Node(s.at))
	}
	if id == 0 {
		if s.at = holeEnd(s.holes, s.at); s.at == 0 || s.at >= end {
			s.chunks = s.chunks[:len(s.chunks)-1]
			s.begin()
		}
		return false
	}
	words, err := a.words(id)
	if err != nil || s.at+8*uint64(words) > end {
		s.err = ErrDamaged
		return false
	}
	n := Node(s.at)
	s.at += 8 * uint64(words)
	if id == root || id == made {
		return false
	}
	link, elsewhere := a.note(n)
	a.read(&s.node, n, id, words)
	a.place(&s.node, link, elsewhere)
	return true
}

// Err is what ended the Scan early, nil if nothing did.
func (s *Scan) Err() error { return s.err }

func (a *Arena) read(c *Context, n Node, id MethodID, words int) {
	*c = Context{Node: n, Method: id, Slot: -1, Entered: a.get(n, abi.NodeEntered)}
	if id != root && a.methods[id].Words > 0 && !a.methods[id].transaction {
		first := FirstSlot + len(a.methods[id].PCs)
		c.Words = a.slice(n, first, words)
	}
}

// place says where a context belongs, given its link if it is elsewhere.
func (a *Arena) place(c *Context, link Link, elsewhere bool) {
	if elsewhere {
		c.Parent, c.PC = link.Parent, link.PC
	} else if e := Entry(a.get(c.Node, abi.NodeEntry)); c.Method != root && a.inside(e.Node(), FirstSlot) {
		c.Parent, c.Slot = e.Node(), e.Word()-FirstSlot
	}
	if c.Parent != 0 && a.methodOf(c.Parent) == root {
		c.Parent, c.Slot = 0, -1
	}
}

// Context gives a node that [Arena.Scan] named.
func (a *Arena) Context(n Node) (c Context) {
	id := a.methodOf(n)
	if words, err := a.words(id); err == nil {
		a.read(&c, n, id, words)
		link, elsewhere := a.elsewhere(n)
		a.place(&c, link, elsewhere)
	}
	return c
}

// Name takes note that the recording says which context a node is of; false if it did before. Unlike all else that is
// written here, this may be while the thread runs.
func (a *Arena) Name(n Node) bool {
	return atomic.OrUint64(a.word(uint64(n)), abi.Named)&abi.Named == 0
}

// slice gives words of a node, in memory that the program writes to.
func (a *Arena) slice(n Node, first, end int) []uint64 {
	if first >= end {
		return nil
	}
	return unsafe.Slice(a.word(uint64(n)+8*uint64(first)), end-first)
}

// OverflowWord says of which method and which counter of it a word is that is so many bytes behind the beginning of a
// thread's block: one of the node that all contexts share which there was no memory for. It is false for the words of a
// node that are no counters.
func (a *Arena) OverflowWord(offset uint64) (m MethodID, counter int, ok bool) {
	i := sort.Search(len(a.overflowNodes), func(i int) bool { return a.overflowNodes[i].at > offset }) - 1
	if i < 0 {
		return 0, 0, false
	}
	f := a.overflowNodes[i]
	word := int(offset-f.at) / 8
	counter = word - FirstSlot - len(a.methods[f.method].PCs)
	return f.method, counter, counter >= 0 && word < a.methods[f.method].Words
}
