package session

import (
	"encoding/binary"
	"strings"

	"mallard/internal/calltree"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// agentMethod is a method that the agent names in stacks.
type agentMethod struct {
	key      methodKey
	native   bool
	asNative bool // it has bytecode, but no code of ours whatever else has, and what it calls the VM calls: it is as good as native
	skipped  bool // the JVM prints no such frame, and nobody counts in it
	lines    []lineEntry
}

type lineEntry struct{ pc, line int32 }

// resolve answers where an invocation belongs that was entered in another way than its caller's call says.
func (s *Session) resolve(p *wire.Payload) error {
	node, methods := s.resolved(p)
	if err := p.Err(); err != nil {
		return err
	}
	answer := binary.LittleEndian.AppendUint64(nil, uint64(node))
	for _, m := range methods {
		answer = binary.LittleEndian.AppendUint32(answer, m)
	}
	return s.conn.Answer(wire.OK, answer)
}

// resolved gives the node, and for the stack's frames what their methods are, as far as it came.
func (s *Session) resolved(p *wire.Payload) (node calltree.Node, methods []uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.contexts == nil {
		return 0, nil
	}
	block, value, method, called := p.Uint32(), p.Uint64(), calltree.MethodID(p.Uint32()), int32(p.Uint32())
	c := s.contexts
	c.asked++
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		m := agentMethod{key: methodKey{class: classKey{trace.LoaderID(p.Uint32()), internalName(p.String())}}}
		m.key.method = p.String() + p.String()
		m.native = p.Uint32()&wire.MethodNative != 0
		m.asNative = isAsNative(m.key)
		m.skipped = isSkipped(m.key.class.name)
		m.lines = readLines(p)
		c.agents = append(c.agents, m)
	}
	var frames []calltree.Frame
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		number, pc := p.Uint32(), int32(p.Uint32())
		if int(number) >= len(c.agents) {
			return 0, methods
		}
		m := &c.agents[number]
		if m.skipped {
			if len(frames) > 0 {
				frames[len(frames)-1].Gap = true
			}
			methods = append(methods, wire.FrameSkipped)
			continue
		}
		f := calltree.Frame{Method: s.methodNumber(m), PC: int(pc), Native: m.native || m.asNative}
		known := uint32(f.Method)
		if f.Native {
			known |= wire.FrameNative
		}
		methods = append(methods, known)
		if len(frames) == 0 {
			f.Method = method
		}
		frames = append(frames, f)
	}
	if p.Err() != nil || s.blocks.check(block) != nil {
		return 0, nil
	}
	t, err := s.blocks.tree(block)
	if err != nil {
		return 0, methods
	}
	var learned int
	switch c.shape {
	case instrument.Hashed:
		var pairs []calltree.Pair
		node, pairs = c.arena.ResolveHash(t, calltree.Unknown{Method: method, Hash: calltree.Hash(value), Called: called}, frames)
		learned = c.arena.PutPairs(t, pairs)
	case instrument.Encoded:
		var trust calltree.Trust
		node, trust = c.arena.ResolveCode(t, calltree.Entry(value), frames)
		node |= calltree.Node(trust)
	default:
		node = c.arena.Resolve(t, calltree.Entry(value), frames)
	}
	if err := s.blocks.putTree(block, t, learned); err != nil {
		return 0, methods
	}
	return node, methods
}

// contextFrame is what contexts have to know of a frame's method.
type contextFrame struct {
	id      calltree.MethodID // 0: in no context
	native  bool
	skipped bool
	counts  bool // in its contexts
}

// contextFrame says what a method is that the agent names at the end.
func (s *Session) contextFrame(key methodKey, native bool, lines []lineEntry) contextFrame {
	c := s.contexts
	if c == nil {
		return contextFrame{}
	}
	m := agentMethod{key: key, native: native, skipped: isSkipped(key.class.name), lines: lines}
	id := c.methods[key]
	if c.shape != instrument.Tree && !m.skipped { // whose contexts may not have come up yet
		id = s.methodNumber(&m)
	}
	return contextFrame{id: id, native: native, skipped: m.skipped, counts: c.method(id).counts}
}

func readLines(p *wire.Payload) []lineEntry {
	var lines []lineEntry
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		lines = append(lines, lineEntry{int32(p.Uint32()), int32(p.Uint32())})
	}
	return lines
}

// ofFrames finds the contexts of a thread's frames, innermost first; 0 for those that have none.
func (c *contexts) ofFrames(p *blocks, block, flags uint32, frames []liveFrame) []trace.ContextID {
	if c == nil || block == wire.OverflowBlock {
		return nil
	}
	tree, err := p.tree(block)
	if err != nil {
		return nil
	}
	var stack []calltree.Frame
	var at []int
	for i, f := range frames {
		switch {
		case f.skipped && len(stack) > 0:
			stack[len(stack)-1].Gap = true
		case !f.skipped:
			stack = append(stack, calltree.Frame{Method: f.id, PC: f.pc, Native: f.native})
			at = append(at, i)
		}
	}
	earlier := c.earlier[block]
	if flags&wire.ThreadEnded != 0 {
		earlier-- // than it
	}
	ids := make([]trace.ContextID, len(frames))
	nodes := c.arena.Find(tree, stack)
	if c.shape != instrument.Tree { // where invocations that have not counted yet have no node
		if placed, ok := c.arena.Place(tree, stack); ok {
			nodes = placed
		}
	}
	c.enter(tree, nodes, block, flags)
	if p.putTree(block, tree, 0) != nil {
		return nil
	}
	for i, n := range nodes {
		if n != 0 {
			ids[at[i]] = trace.ContextID(earlier)<<contextShift | trace.ContextID(n/8)
		}
	}
	return ids
}

// isAsNative reports whether a method is Object's constructor, where the VM calls Finalizer.register.
func isAsNative(m methodKey) bool {
	return m.class.name == "java/lang/Object" && m.method == "<init>()V"
}

// isSkipped reports whether the JVM prints no frames of a class: those of hidden classes, which have a name that no other can have, those of the runtime classes, and
// what virtual threads stand on.
func isSkipped(class string) bool {
	return instrument.IsRuntime(class) || strings.ContainsRune(class, '.') || class == "jdk/internal/vm/Continuation" || strings.HasPrefix(class, "java/lang/VirtualThread$")
}

// methodNumber gives the number of a method in a stack: of its last version, or, where it has no code of ours, one of its own.
func (s *Session) methodNumber(m *agentMethod) calltree.MethodID {
	c := s.contexts
	id, ok := c.methods[m.key]
	if !ok {
		var err error
		if id, err = c.arena.Add(make([]calltree.Method, 1)); err != nil {
			return 0
		}
		c.known = append(c.known, contextMethod{})
		c.methods[m.key] = id
		name, descriptor, _ := strings.Cut(m.key.method, "(")
		s.recording.Put(&trace.MethodName{Number: trace.MethodID(id), Loader: m.key.class.loader, Class: m.key.class.name, Name: name, Descriptor: "(" + descriptor, Native: m.native})
	}
	if c.known[id].lines == nil {
		c.known[id].lines = m.lines
	}
	return id
}

// line gives the source line of a position in the code as the JVM has it, -1 unknown: as stack traces do, of the first entry that starts just there, else of
// the last of those that start closest before.
func (m *contextMethod) line(pc int) int32 {
	line := int32(-1)
	best := int32(-1)
	for _, e := range m.lines {
		if int(e.pc) == pc {
			return e.line
		}
		if int(e.pc) < pc && e.pc >= best {
			line, best = e.line, e.pc
		}
	}
	return line
}
