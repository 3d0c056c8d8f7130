package calltree

import "slices"

// lastPlaced gives what was placed last in a thread's tree; nil where that is not to be used.
func (a *Arena) lastPlaced(t *Thread, use bool) *placed {
	if !use {
		return nil
	}
	root := t.Root.Node()
	p := a.placed[root]
	if p == nil {
		p = new(placed)
		a.placed[root] = p
	}
	return p
}

// common gives the nodes of the outer frames that a stack has in common with this one, and how many these are. The
// frames of both are innermost first.
func (p *placed) common(frames []Frame, nodes []Node) (n int) {
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
func (p *placed) keep(frames []Frame, nodes []Node) {
	if p == nil {
		return
	}
	p.frames, p.nodes = append(p.frames[:0], frames...), append(p.nodes[:0], nodes...)
	slices.Reverse(p.frames)
	slices.Reverse(p.nodes)
}
