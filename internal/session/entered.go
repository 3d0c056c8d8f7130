package session

import (
	"encoding/binary"
	"fmt"

	"mallard/internal/calltree"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// mirror answers where a thread counts in a transaction that it has entered, in a context that no call of ours led to.
func (s *Session) mirror(p *wire.Payload) error {
	block, own, inside := p.Uint32(), calltree.Node(p.Uint64()), calltree.Node(p.Uint64())
	if err := p.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	node := s.mirrorOf(block, own, inside)
	s.mu.Unlock()
	return s.conn.Answer(wire.OK, binary.LittleEndian.AppendUint64(nil, uint64(node)))
}

func (s *Session) mirrorOf(block uint32, own, inside calltree.Node) calltree.Node {
	if s.contexts == nil || s.blocks.check(block) != nil {
		return 0
	}
	s.contexts.asked++
	t, err := s.blocks.tree(block)
	if err != nil {
		return 0
	}
	node := s.contexts.arena.Mirror(t, own, inside)
	if s.blocks.putTree(block, t, 0) != nil {
		return 0
	}
	return node
}

// look answers for a runtime class that is changed in the JVM: where contexts are a tree, because a thread enters a transaction, and code has to look from then on which node it counts in.
func (s *Session) look(name string) error {
	if s.contexts.kind() != instrument.Tree {
		return s.conn.Answer(wire.OK, nil)
	}
	facts := s.facts
	facts.Entered = true
	class, err := instrument.RuntimeClass(s.runtime, name, facts)
	if err != nil {
		return err
	}
	return s.conn.Answer(wire.OK, class)
}

// enter puts the nodes of a thread's frames at the end into the transaction that the thread is in.
func (c *contexts) enter(t *calltree.Thread, nodes []calltree.Node, block, flags uint32) {
	inside := t.Inside
	if flags&wire.ThreadEnded != 0 {
		inside = c.inside[block]
	}
	for i, n := range nodes {
		if inside != 0 {
			nodes[i] = c.arena.Mirror(t, n, inside)
		}
	}
}

// A crossing is a call by which a transaction was entered or left. Frames under it have counted before what they make in it, or have yet to count what they have
// made. How much that is follows from where they stand, so it is the same each time.
type crossing struct {
	moved []moved
	times uint64 // that are recorded
}

// moved is what was counted in one context and belongs to another.
type moved struct {
	from, to calltree.Node
	site     trace.SiteID
	n        int64
}

// crossings records what has been counted on the other side of calls that enter transactions, or leave them, since it was recorded last.
func (w *contextWriter) crossings() {
	var terms []trace.ContextTerm
	for i := range w.crossed {
		x := &w.crossed[i]
		known := w.contexts.crossing(w.session, x)
		times := int64(x.Entered - known.times)
		known.times = x.Entered
		for _, m := range known.moved {
			if times != 0 {
				terms = append(terms, trace.ContextTerm{Context: w.named(m.from), Site: m.site, Coefficient: times * m.n}, trace.ContextTerm{Context: w.named(m.to), Site: m.site, Coefficient: -times * m.n})
			}
		}
		if w.ended {
			delete(w.contexts.crossed, x.Node)
		}
	}
	w.flush()
	if len(terms) > 0 {
		w.session.recording.Put(&trace.ContextLiveFrames{Thread: w.thread, Terms: terms})
	}
}

// named gives the number of a context, which it records if it is not.
func (w *contextWriter) named(n calltree.Node) trace.ContextID {
	if w.recorded != nil {
		x := w.contexts.arena.Context(n)
		w.name(&x)
	}
	return w.id(n)
}

// crossing finds out what frames under a call that enters or leaves a transaction owe there.
func (c *contexts) crossing(s *Session, x *calltree.Context) *crossing {
	known := c.crossed[x.Node]
	if known != nil {
		return known
	}
	known = &crossing{}
	c.crossed[x.Node] = known
	complete := c.arena.Crossed(x, func(from, to calltree.Node, pc int) {
		for _, t := range c.owedAt(s, c.arena.MethodOf(from), pc) {
			known.moved = append(known.moved, moved{from, to, t.Site, t.Coefficient})
		}
	})
	if !complete {
		s.recording.Loss("transactions", "there was no memory for all contexts in transactions that threads entered: what callers have counted before may be on the wrong side")
	}
	return known
}

// A standing is where frames stand.
type standing struct {
	method calltree.MethodID
	pc     int
}

// owedAt gives what a frame owes that stands at a call.
func (c *contexts) owedAt(s *Session, id calltree.MethodID, pc int) []trace.SiteTerm {
	at := standing{id, pc}
	terms, known := c.owes[at]
	m := c.method(id)
	if known || m.version == nil {
		return terms
	}
	owned, err := m.version.at(m.index)
	switch {
	case err != nil:
		s.recording.Loss("transactions", fmt.Sprintf("what callers had counted when transactions were entered or left is not known: %v", err))
	case owned != nil:
		for _, t := range owned.method.Owed(pc) {
			terms = append(terms, trace.SiteTerm{Site: owned.site + trace.SiteID(t.Site), Coefficient: int64(t.N)})
		}
	}
	c.owes[at] = terms
	return terms
}
