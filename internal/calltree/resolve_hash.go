package calltree

import "mallard/internal/abi"

// ResolveHash is the reference for the agent's take_apart (hashes.c). It gives the node of an invocation, given its
// thread's stack, whose first frame it is, and the pairs that are sure. Nodes that are missing on the way are made,
// with memory of the thread, which waits. It is 0 where there is no memory.
func (a *Arena) ResolveHash(t *Thread, u Unknown, frames []Frame) (Node, []Pair) {
	nodes, ok := a.findOrMake(t, frames, &u)
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
