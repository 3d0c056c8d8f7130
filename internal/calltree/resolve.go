package calltree

import (
	"slices"

	"mallard/internal/abi"
)

// slot gives the word of a node's method whose call is at pc.
func (a *Arena) slot(m MethodID, pc int) (word int, ok bool) {
	if m == root {
		return FirstSlot, true
	}
	if int(m) >= len(a.methods) {
		return FirstSlot, false // not what we or the runtime class wrote
	}
	i, ok := slices.BinarySearch(a.methods[m].PCs, pc)
	return FirstSlot + i, ok
}

// findOwn gives the node of a callee in a thread's own tree, 0 if it was never made. The caller's position is pc.
func (a *Arena) findOwn(t *Thread, caller Node, pc int, callee MethodID) Node {
	a.agree(t, caller, pc, callee)
	return a.find(caller, pc, callee)
}

// find is findOwn for any tree, given that the recorder knows what is elsewhere there.
func (a *Arena) find(caller Node, pc int, callee MethodID) Node {
	if n, ok := a.known[calleeKey{Link{caller, pc}, callee}]; ok {
		return n
	}
	word, ok := a.slot(a.methodOf(caller), pc)
	if !ok {
		return 0
	}
	steps := 0
	for n := Node(a.get(caller, word)); n != 0 && a.inside(n, FirstSlot) &&
		steps < len(a.methods); n = Node(a.get(n, abi.NodeSibling)) {
		if a.methodOf(n) == callee && !a.isElsewhere(n) {
			return n
		}
		steps++
	}
	return 0
}

// Find gives the nodes of a stack's frames, which are given innermost first; 0 from the first frame on, seen from
// outside, that has none.
func (a *Arena) Find(t *Thread, frames []Frame) []Node {
	nodes := make([]Node, len(frames))
	at, pc := t.Root.Node(), 0
	in := a.transactions(t)
	for i := len(frames) - 1; i >= 0 && a.inside(at, FirstSlot); i-- {
		at = in.inside(a.findOwn(t, at, pc, frames[i].Method))
		nodes[i], pc = at, frames[i].PC
	}
	return nodes
}

// Resolve is the reference for the node of a stack. It gives the node of an invocation that begins, given its thread's
// stack, whose first frame it is. Nodes that are missing on the way are made, with memory of the thread, which waits.
// Where entry is the call in the innermost caller that has a node, and what is between was native, the node is put into
// that slot, and is found there the next time. It is 0 where there is no memory.
func (a *Arena) Resolve(t *Thread, entry Entry, frames []Frame) Node {
	at, pc := t.Root.Node(), 0
	if !a.inside(at, abi.RootWords) || len(frames) == 0 {
		return 0 // without memory for it the first node is in the thread's block
	}
	caller, callerPC := at, 0 // the innermost with a node of its own
	nodeless := false
	in := a.transactions(t)
	for i := len(frames) - 1; i > 0; i-- {
		f := frames[i]
		if at = a.child(t, at, pc, f, 0); at == 0 {
			return 0
		}
		at, pc = in.inside(at), f.PC
		if f.Native {
			continue
		}
		nodeless = a.methods[f.Method].Words == 0
		if !nodeless {
			caller, callerPC = at, pc
		}
	}
	method := frames[0].Method
	if n := a.find(at, pc, method); n != 0 {
		return n
	}
	n := a.child(t, at, pc, frames[0], entry)
	word, ok := a.slot(a.methodOf(caller), callerPC)
	if n != 0 && ok && !nodeless && a.nameOf(method) != 0 && !a.methods[method].Raised && at != caller &&
		entryOf(caller, word) == entry {
		a.link(caller, word, n)
	}
	return n
}

// link puts a node into a slot.
func (a *Arena) link(caller Node, word int, n Node) {
	a.put(n, abi.NodeSibling, a.get(caller, word))
	a.put(caller, word, uint64(n))
}

// child is, where the call may be what called, $MallardHash.calleeOrChild in Java, which is the reference for what is
// written. It finds or makes a frame's node, given its caller's. It is put into the slot of a call that may be what
// called. Otherwise the VM called while the call was being made or linked, and may call the same method again behind
// it, when the slot is still the last one.
func (a *Arena) child(t *Thread, caller Node, pc int, frame Frame, entry Entry) Node {
	if n := a.findOwn(t, caller, pc, frame.Method); n != 0 {
		return n
	}
	return a.grow(t, caller, pc, frame.Method, a.mayCall(caller, pc, frame), entry)
}

// mayCall reports whether the call at pc in a node's method may have called a frame: it names the method, or does not
// say, or hidden classes did.
func (a *Arena) mayCall(caller Node, pc int, f Frame) bool {
	method := a.methodOf(caller)
	word, ok := a.slot(method, pc)
	if !ok || int(f.Method) >= len(a.methods) {
		return false
	}
	name, said := a.nameOf(f.Method), a.said(method, word)
	return name != 0 && (said == name || !a.methods[f.Method].Raised && (f.Gap || said == 0))
}

// grow makes a callee's node, in the slot of the call at pc if that has called; elsewhere if not, and what enters it is
// as is said.
func (a *Arena) grow(t *Thread, caller Node, pc int, callee MethodID, called bool, entry Entry) Node {
	words, err := a.words(callee)
	if err != nil {
		return 0
	}
	n := a.take(t, words)
	if n == 0 {
		return 0
	}
	a.put(n, abi.NodeMethod, uint64(callee))
	if word, ok := a.slot(a.methodOf(caller), pc); ok && called {
		a.put(n, abi.NodeEntry, uint64(entryOf(caller, word)))
		a.link(caller, word, n)
	} else {
		a.put(n, abi.NodeEntry, uint64(entry))
		a.linkElsewhere(t, caller, pc, callee, n)
	}
	return n
}

// take gives memory for a node; java.lang.$MallardTree.make is the reference.
func (a *Arena) take(t *Thread, words int) Node {
	size := 8 * uint64(words)
	if t.Free+size > t.End && !a.takeSpan(t, size) {
		bytes := uint64(abi.FirstChunkBytes)
		if t.Chunk != 0 {
			bytes = min(2*(t.End-t.Chunk), abi.LastChunkBytes)
		}
		if bytes < size+abi.ChunkHeaderBytes {
			bytes = (size + abi.ChunkHeaderBytes + abi.ChunkUnit - 1) &^ (abi.ChunkUnit - 1)
		}
		chunk := a.chunk(bytes)
		if chunk == 0 {
			return 0
		}
		a.put(Node(chunk), abi.ChunkBefore, t.Chunk)
		a.put(Node(chunk), abi.ChunkEnd, chunk+bytes)
		t.Chunk, t.Free, t.End = chunk, chunk+abi.ChunkHeaderBytes, chunk+bytes
	}
	n := Node(t.Free)
	t.Free += size
	return n
}

// takeSpan has a thread go on in memory that nodes have had before; java.lang.$MallardTree.span is the reference.
func (a *Arena) takeSpan(t *Thread, size uint64) bool {
	for t.Spans != 0 && a.inside(Node(t.Spans), leastSpan/8) {
		span := Node(t.Spans)
		end := a.get(span, abi.SpanEnd)
		t.Spans = a.get(span, abi.SpanNext)
		a.put(span, abi.SpanNext, 0)
		a.put(span, abi.SpanEnd, 0)
		if uint64(span)+size <= end {
			t.Free, t.End = uint64(span), end
			return true
		}
	}
	return false
}
