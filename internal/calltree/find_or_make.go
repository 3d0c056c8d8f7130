package calltree

import (
	"slices"

	"mallard/internal/abi"
)

// lastStackOf gives the stack that was looked for last in a thread's tree; nil where that is not to be used.
func (a *Arena) lastStackOf(t *Thread, use bool) *lastStack {
	if !use {
		return nil
	}
	root := t.Root.Node()
	p := a.lastStacks[root]
	if p == nil {
		p = new(lastStack)
		a.lastStacks[root] = p
	}
	return p
}

// common gives the nodes of the outer frames that a stack has in common with this one, and how many these are. The
// frames of both are innermost first.
func (p *lastStack) common(frames []Frame, nodes []Node) (n int) {
	if p == nil {
		return 0
	}
	for n < len(frames)-1 && n < len(p.frames) && frames[len(frames)-1-n] == p.frames[n] {
		nodes[len(nodes)-1-n] = p.nodes[n]
		n++
	}
	return n
}

// keep remembers a stack.
func (p *lastStack) keep(frames []Frame, nodes []Node) {
	if p == nil {
		return
	}
	p.frames, p.nodes = append(p.frames[:0], frames...), append(p.nodes[:0], nodes...)
	slices.Reverse(p.frames)
	slices.Reverse(p.nodes)
}

// FindOrMake gives the nodes of a stack's frames, which are given innermost first. Those that are missing are made,
// with memory of the thread, which waits; it is false where there is none.
func (a *Arena) FindOrMake(t *Thread, frames []Frame) ([]Node, bool) {
	return a.findOrMake(t, frames, nil)
}

// findOrMake is FindOrMake for a thread that asks about the first frame.
func (a *Arena) findOrMake(t *Thread, frames []Frame, asked *Unknown) ([]Node, bool) {
	if t.Root == 0 {
		a.makeRoot(t)
	}
	at, pc := t.Root.Node(), 0
	if !a.inside(at, abi.RootWords) || len(frames) == 0 {
		return nil, false // without memory for it the first node is in the thread's block
	}
	nodes := make([]Node, len(frames))
	in := a.transactions(t)
	last := a.lastStackOf(t, len(in) == 0)
	known := last.common(frames, nodes)
	if known > 0 {
		i := len(frames) - known
		at, pc = nodes[i], frames[i].PC
	}
	for i := len(frames) - known - 1; i >= 0; i-- {
		f := frames[i]
		if at = a.child(t, at, pc, f, a.elsewhereEntry(at, pc)); at == 0 {
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
