package calltree

import "mallard/internal/abi"

// The hashed shape: invocations have no nodes but hashes, of which the recorder gets to see those that a thread cannot
// find out the node of. See java.lang.$MallardHash for how they are made.
const (
	mostProbes = 1 << 20
	mostTable  = 32 // a hash and what it is made of have the same upper half
)

// A Hash is the hash of an invocation's context.
type Hash uint64

// enter is the step to a callee, given what its caller has announced; java.lang.$MallardHash.step is the reference.
func (h Hash) enter(announced int32, m MethodID) Hash {
	return ((h ^ Hash(uint32(announced))) + 2*Hash(m)) * abi.HashStep
}

// entered is what the callee combined: its caller's hash and the announcement; agent/hashes.c does the same.
func (h Hash) entered(m MethodID) Hash { return h*abi.HashStepBack - 2*Hash(m) }

// anchored is the number of an invocation whose context no hash says.
func anchored(n Node) Hash { return Hash(n) * abi.HashAnchor }

// A Pair is a hash with the node that it stands for whenever it comes up in its thread.
type Pair struct {
	Hash Hash
	Node Node
}

// An Unknown is what a thread asks about: an invocation that begins and was not announced ([Unknown.Entry]), or one
// that counts and whose hash is not in the thread's table.
type Unknown struct {
	Method MethodID
	Hash   Hash  // at an entry the hash that the thread has from its last call or return, else the invocation's own
	Called int32 // at an entry the announcement, which is even, else -1
}

// entered is what an invocation that begins combined.
func (u *Unknown) entered() Hash { return u.Hash ^ Hash(uint32(u.Called)) }

// ResolveHash is the reference for the agent's take_apart (hashes.c). It gives the node of an invocation, given its
// thread's stack, whose first frame it is, and the pairs that are sure. Nodes that are missing on the way are made,
// with memory of the thread, which waits. It is 0 where there is no memory.
func (a *Arena) ResolveHash(t *Thread, u Unknown, frames []Frame) (Node, []Pair) {
	nodes, ok := a.place(t, frames, &u)
	if !ok {
		return 0, nil
	}
	c := chain{arena: a, thread: t, frames: frames, nodes: nodes}
	if u.Called == abi.NotAnnounced {
		return nodes[0], c.pairs(0, u.Hash)
	}
	own := Pair{u.Hash.enter(u.Called, u.Method), nodes[0]}
	caller := c.caller(0)
	switch {
	case !c.mayAnswer(caller):
		return nodes[0], nil
	case caller == len(frames):
		if u.entered() != 0 {
			return nodes[0], nil
		}
		return nodes[0], []Pair{own}
	}
	announced, ok := a.announced(frames[caller])
	if !ok {
		return nodes[0], nil
	}
	pairs, sure := c.sure(caller, u.entered()^Hash(uint32(announced)))
	if !sure {
		return nodes[0], nil
	}
	return nodes[0], append(pairs[:min(len(pairs), abi.FrontPairs-1)], own)
}

// Place gives the nodes of a stack's frames, which are given innermost first. Those that are missing are made, with
// memory of the thread, which waits; it is false where there is none.
func (a *Arena) Place(t *Thread, frames []Frame) ([]Node, bool) { return a.place(t, frames, nil) }

// place is Place for a thread that asks about the first frame.
func (a *Arena) place(t *Thread, frames []Frame, asked *Unknown) ([]Node, bool) {
	if t.Root == 0 {
		a.makeRoot(t)
	}
	at, pc := t.Root.Node(), 0
	if !a.inside(at, abi.RootWords) || len(frames) == 0 {
		return nil, false // without memory for it the first node is in the thread's block
	}
	nodes := make([]Node, len(frames))
	in := a.transactions(t)
	last := a.lastPlaced(t, len(in) == 0)
	known := last.common(frames, nodes)
	if known > 0 {
		i := len(frames) - known
		at, pc = nodes[i], frames[i].PC
	}
	for i := len(frames) - known - 1; i >= 0; i-- {
		f := frames[i]
		if at = a.child(t, at, pc, f, 0); at == 0 {
			return nil, false
		}
		if i == 0 && asked != nil {
			at = in.asked(at, asked)
		} else {
			at = in.inside(at)
		}
		nodes[i], pc = at, f.PC
	}
	last.keep(frames, nodes)
	return nodes, true
}

// makeRoot makes a thread's first node, if there is memory.
func (a *Arena) makeRoot(t *Thread) {
	if n := a.take(t, abi.RootWords); n != 0 {
		a.put(n, abi.NodeMethod, uint64(root))
		a.put(n, abi.NodeEntry, uint64(entryOf(n, FirstSlot)))
		t.Root = entryOf(n, FirstSlot)
	}
}

// announced is what the call says at which a frame stands.
func (a *Arena) announced(f Frame) (int32, bool) {
	word, ok := a.slot(f.Method, f.PC)
	if !ok || f.Method == root || word-FirstSlot >= len(a.methods[f.Method].Announced) {
		return 0, false
	}
	return a.methods[f.Method].Announced[word-FirstSlot], true
}

// chain takes hashes apart along a stack.
type chain struct {
	arena  *Arena
	thread *Thread
	frames []Frame
	nodes  []Node
}

// mayAnswer reports whether the first frame may have been called by the call at which its caller stands, and not by the
// VM, which would call the same method elsewhere while that call is still the last one that was announced.
func (c *chain) mayAnswer(caller int) bool {
	first := c.frames[0]
	name := c.arena.nameOf(first.Method)
	if name == 0 || caller != 1 || caller == len(c.frames) || first.Gap {
		return name != 0
	}
	word, ok := c.arena.slot(c.frames[1].Method, c.frames[1].PC)
	if !ok {
		return true
	}
	said := c.arena.said(c.frames[1].Method, word)
	return said == 0 || said == name
}

// caller gives the frame that called a frame, past native ones; len(frames) for the VM.
func (c *chain) caller(i int) int {
	for i++; i < len(c.frames) && c.frames[i].Native; i++ {
	}
	return i
}

func (c *chain) pairs(i int, h Hash) []Pair {
	pairs, sure := c.sure(i, h)
	if !sure {
		return nil
	}
	return pairs
}

// sure gives the hashes of a frame and its callers, as far as they are not in the thread's table, given the frame's.
// They are sure if they come from one that is, each by the call at which its caller stands.
func (c *chain) sure(i int, h Hash) (pairs []Pair, ok bool) {
	for {
		if h == anchored(c.nodes[i]) {
			return pairs, true
		}
		if known := c.arena.lookUp(c.thread, h); known != 0 {
			return pairs, known == c.nodes[i]
		}
		if len(pairs) < abi.FrontPairs-1 {
			pairs = append(pairs, Pair{h, c.nodes[i]})
		}
		callee := c.frames[i].Method
		h = h.entered(callee)
		if i++; i == len(c.frames) {
			return pairs, h == 0
		}
		announced, ok := c.arena.announced(c.frames[i])
		if !ok || !c.arena.answers(callee, c.frames[i]) {
			return nil, false
		}
		h ^= Hash(uint32(announced))
	}
}

// answers reports whether a method has the name that the call says at which a frame stands.
func (a *Arena) answers(callee MethodID, caller Frame) bool {
	word, ok := a.slot(caller.Method, caller.PC)
	if !ok || int(callee) >= len(a.methods) {
		return false
	}
	name, called := a.nameOf(callee), a.said(caller.Method, word)
	return name == abi.LambdaName || called == 0 || called == name
}

// table gives the offset of a thread's table, and the binary logarithm of half the number of its pairs.
func (t *Thread) table() (Node, uint64) {
	return Node(t.Table &^ abi.TableLogMask), t.Table & abi.TableLogMask
}

// lookUp looks for a hash in a thread's table. Where it stands java.lang.$MallardTable defines, which is the reference.
func (a *Arena) lookUp(t *Thread, h Hash) Node {
	table, log := t.table()
	size := uint64(2*abi.PairBytes) << log
	if log > mostTable || !a.inside(table, 2) || uint64(table)+size > a.layout.End {
		return 0
	}
	at := uint64(h) >> (63 - log) * abi.PairBytes
	for range min(size/abi.PairBytes, mostProbes) {
		switch Hash(a.get(table+Node(at), 0)) {
		case h:
			return Node(a.get(table+Node(at), abi.PairNode/8))
		case 0:
			return 0
		}
		at = (at + abi.PairBytes) & (size - 1)
	}
	return 0
}

// PutPairs leaves pairs in front of a thread's table, which the thread takes them from, and gives their number.
func (a *Arena) PutPairs(t *Thread, pairs []Pair) int {
	table, _ := t.table()
	start := table - abi.FrontPairs*abi.PairBytes
	if table < abi.FrontPairs*abi.PairBytes || !a.inside(start, 2*abi.FrontPairs) {
		return 0
	}
	pairs = pairs[:min(len(pairs), abi.FrontPairs)]
	for i, p := range pairs {
		pair := start + Node(i*abi.PairBytes)
		a.put(pair, 0, uint64(p.Hash))
		a.put(pair, abi.PairNode/8, uint64(p.Node))
	}
	return len(pairs)
}
