package contexts

import (
	"encoding/binary"
	"errors"
	"strings"

	"mallard/internal/calltree"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// Messages are what Handle answers.
func (c *Contexts) Messages() []wire.Type {
	return []wire.Type{wire.Resolve, wire.Mirror, wire.Transaction}
}

// Handle answers a request of the agent's.
func (c *Contexts) Handle(t wire.Type, p *wire.Payload) (answer []byte, err error) {
	switch t {
	case wire.Resolve:
		node, methods := c.resolve(p)
		answer = binary.LittleEndian.AppendUint64(nil, uint64(node))
		for _, m := range methods {
			answer = binary.LittleEndian.AppendUint32(answer, m)
		}
	case wire.Mirror:
		answer = binary.LittleEndian.AppendUint64(nil, uint64(c.mirror(p)))
	case wire.Transaction:
		answer = binary.LittleEndian.AppendUint32(nil, uint32(c.transaction(p)))
	default:
		return nil, errors.New("unexpected frame")
	}
	return answer, p.Err()
}

// agentMethod is a method that the agent names in stacks.
type agentMethod struct {
	key      methodKey
	native   bool
	asNative bool // it has bytecode, but no code of ours whatever else has, and what it calls the VM calls: it is as good as native
	skipped  bool // the JVM prints no such frame, and nobody counts in it
	lines    []observe.Line
}

// resolve gives the node of an invocation that was entered in another way than its caller's call says, and for the
// stack's frames what their methods are, as far as it came.
func (c *Contexts) resolve(p *wire.Payload) (node calltree.Node, methods []uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	block, value, method, called := counters.Block(p.Uint32()), p.Uint64(), calltree.MethodID(p.Uint32()), int32(p.Uint32())
	c.asked++
	c.learn(p)
	frames, methods, ok := c.stack(p, method)
	if p.Err() != nil || c.memory.Check(block) != nil {
		return 0, nil
	}
	if !ok {
		return 0, methods
	}
	t, err := c.tree(block)
	if err != nil {
		return 0, methods
	}
	var learned int
	switch c.options.Representation {
	case instrument.Hashed:
		var pairs []calltree.Pair
		node, pairs = c.arena.ResolveHash(t, calltree.Unknown{Method: method, Hash: calltree.Hash(value), Called: called}, frames)
		learned = c.arena.PutPairs(t, pairs)
	case instrument.Encoded:
		var trust calltree.Cacheability
		node, trust = c.arena.ResolveCode(t, calltree.Entry(value), frames)
		node |= calltree.Node(trust)
	default:
		node = c.arena.Resolve(t, calltree.Entry(value), frames)
	}
	if err := c.putTree(block, t, learned); err != nil {
		return 0, methods
	}
	return node, methods
}

// learn takes the methods that the agent has not named before.
func (c *Contexts) learn(p *wire.Payload) {
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		m := agentMethod{key: methodKey{class: classes.Key{Loader: trace.LoaderID(p.Uint32()), Name: wire.ClassName(p.String())}}}
		m.key.method = p.String() + p.String()
		m.native = p.Uint32()&wire.MethodNative != 0
		m.asNative = isAsNative(m.key)
		m.skipped = isSkipped(m.key.class.Name)
		m.lines = observe.ReadLines(p)
		c.agents = append(c.agents, m)
	}
}

// stack reads a thread's frames, and gives what the agent is to remember of their methods; false where it names one that
// there is not. The innermost invocation is of a method with a number already.
func (c *Contexts) stack(p *wire.Payload, innermost calltree.MethodID) (frames []calltree.Frame, methods []uint32, ok bool) {
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		number, pc := p.Uint32(), int32(p.Uint32())
		if int(number) >= len(c.agents) {
			return nil, methods, false
		}
		m := &c.agents[number]
		if m.skipped {
			if len(frames) > 0 {
				frames[len(frames)-1].Gap = true
			}
			methods = append(methods, wire.FrameSkipped)
			continue
		}
		f := calltree.Frame{Method: c.number(m), PC: int(pc), Native: m.native || m.asNative}
		known := uint32(f.Method)
		if f.Native {
			known |= wire.FrameNative
		}
		methods = append(methods, known)
		if len(frames) == 0 {
			f.Method = innermost
		}
		frames = append(frames, f)
	}
	return frames, methods, true
}

// number gives the number of a method in a stack: of its last version, or, where it has no code of ours, one of its own.
func (c *Contexts) number(m *agentMethod) calltree.MethodID {
	id, ok := c.methods[m.key]
	if !ok {
		var err error
		if id, err = c.arena.Add(make([]calltree.Method, 1)); err != nil {
			return 0
		}
		c.known = append(c.known, method{})
		c.methods[m.key] = id
		name, descriptor, _ := strings.Cut(m.key.method, "(")
		c.out.Put(&trace.MethodName{
			Number: trace.MethodID(id), Loader: m.key.class.Loader, Class: m.key.class.Name,
			Name: name, Descriptor: "(" + descriptor, Native: m.native,
		})
	}
	if c.known[id].lines == nil {
		c.known[id].lines = m.lines
	}
	return id
}

// isAsNative reports whether a method is Object's constructor, where the VM calls Finalizer.register.
func isAsNative(m methodKey) bool {
	return m.class.Name == "java/lang/Object" && m.method == "<init>()V"
}

// isSkipped reports whether the JVM prints no frames of a class: those of hidden classes, which have a name that no other
// can have, those of the runtime classes, and what virtual threads stand on.
func isSkipped(class string) bool {
	return instrument.IsRuntime(class) || strings.ContainsRune(class, '.') ||
		class == "jdk/internal/vm/Continuation" || strings.HasPrefix(class, "java/lang/VirtualThread$")
}
