package contexts

import (
	"fmt"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/counters"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// mirror answers where a thread counts in a transaction that it has entered, in a context that no call of ours led to.
func (c *Contexts) mirror(m *transport.Mirror) calltree.Node {
	block := counters.Block(m.Block)
	if c.memory.Check(block) != nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	if !c.memory.Ring().TakeTree() {
		return 0
	}
	defer c.giveTree()
	t, err := c.tree(block)
	if err != nil {
		return 0
	}
	node := c.arena.Mirror(t, calltree.Node(m.Node), calltree.Node(m.Transaction))
	if c.putTree(block, t, 0) != nil {
		return 0
	}
	return node
}

// enter puts the nodes of a thread's frames at the end into the transaction that the thread is in.
func (c *Contexts) enter(t *calltree.Thread, nodes []calltree.Node, b counters.Block, flags uint32) {
	inside := t.Inside
	if flags&abi.ThreadEnded != 0 {
		inside = c.inside[b]
	}
	if inside == 0 {
		return
	}
	for i, n := range nodes {
		nodes[i] = c.arena.Mirror(t, n, inside)
	}
}

// transition finds out what frames under a call that enters or leaves a transaction owe there.
func (c *Contexts) transition(x *calltree.Context) *transition {
	known := c.transitionsAt[x.Node]
	if known != nil {
		return known
	}
	known = &transition{}
	c.transitionsAt[x.Node] = known
	complete := c.arena.FramesUnder(x, func(from, to calltree.Node, pc int) {
		for _, t := range c.phiAt(framePosition{c.arena.MethodOf(from), pc}) {
			known.corrections = append(known.corrections, correction{from, to, t.Site, t.Coefficient})
		}
	})
	if !complete {
		c.out.Loss("transactions", "there was no memory for all contexts in transactions that threads entered: what "+
			"callers have counted before may be on the wrong side")
	}
	return known
}

// phiAt gives φ of a frame that is at a call.
func (c *Contexts) phiAt(at framePosition) []trace.SiteTerm {
	terms, known := c.phis[at]
	m := c.method(at.method)
	if known || m.version == nil {
		return terms
	}
	owned, err := m.version.At(m.index)
	switch {
	case err != nil:
		c.out.Loss("transactions", fmt.Sprintf("what callers had counted when transactions were entered or left is "+
			"not known: %v", err))
	case owned != nil:
		for _, t := range owned.Phi(at.pc) {
			terms = append(terms, trace.SiteTerm{Site: owned.Site + trace.SiteID(t.Site), Coefficient: int64(t.N)})
		}
	}
	c.phis[at] = terms
	return terms
}
