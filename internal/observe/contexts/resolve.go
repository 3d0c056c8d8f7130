package contexts

import (
	"errors"
	"strings"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// Messages are what Handle answers.
func (c *Contexts) Messages() []abi.Type {
	return []abi.Type{abi.Resolve, abi.Mirror, abi.Transaction, abi.Budget}
}

// Unanswered says what is lost without answers.
func (c *Contexts) Unanswered(t abi.Type) string {
	switch t {
	case abi.Transaction:
		return "transactions with a new name were not begun"
	case abi.Budget:
		return "tests were not held against their budgets when they ended; \"mallard check\" does that"
	case abi.Mirror:
		return "what was done in entered transactions, in contexts that were new there, is known by its site alone"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unresolved = true
	return "what was allocated in contexts that were new then is known by its site alone"
}

// Handle answers a request of the agent's.
func (c *Contexts) Handle(f transport.Frame) (answer []byte, err error) {
	switch f.Type {
	case abi.Resolve:
		err = transport.Handle(f.Payload, func(m *transport.Resolve) error {
			node, methods := c.resolve(m)
			answer = (&transport.ResolveAnswer{Node: uint64(node), Methods: methods}).Encode()
			return nil
		})
	case abi.Mirror:
		err = transport.Handle(f.Payload, func(m *transport.Mirror) error {
			answer = (&transport.MirrorAnswer{Node: uint64(c.mirror(m))}).Encode()
			return nil
		})
	case abi.Transaction:
		err = transport.Handle(f.Payload, func(m *transport.Transaction) error {
			number, sizes := c.transaction(m)
			answer = (&transport.TransactionAnswer{Number: uint32(number), Sizes: uint64(sizes)}).Encode()
			return nil
		})
	case abi.Budget:
		err = transport.Handle(f.Payload, func(m *transport.Budget) error {
			answer = c.budgets.ask(decoded(m.Name), m.Again != 0).Encode()
			return nil
		})
	default:
		err = errors.New("unexpected frame")
	}
	return answer, err
}

// resolve gives the node of an invocation that was entered in another way than its caller's call says, and for the
// stack's frames what their methods are, as far as it came.
func (c *Contexts) resolve(m *transport.Resolve) (node calltree.Node, methods []transport.FrameMethod) {
	c.mu.Lock()
	defer c.mu.Unlock()
	block, value, method, called := counters.Block(m.Block), m.Value, calltree.MethodID(m.Method), int32(m.Words)
	c.asked++
	c.learn(m.Methods)
	frames, methods, ok := c.stack(m.Frames, method)
	if c.memory.Check(block) != nil {
		return 0, nil
	}
	if !ok || !c.memory.Ring().TakeTree() {
		return 0, methods
	}
	defer c.giveTree()
	c.fault("tree")
	t, err := c.tree(block)
	if err != nil {
		return 0, methods
	}
	c.reclaim(block, t, c.lastNode(value))
	var learned int
	switch c.options.Representation {
	case instrument.Hashed:
		var pairs []calltree.Pair
		node, pairs = c.arena.ResolveHash(t, calltree.Unknown{Method: method, Hash: calltree.Hash(value),
			Called: called}, frames)
		learned = c.arena.PutPairs(t, pairs)
	case instrument.Encoded:
		var cacheable calltree.Cacheability
		node, cacheable = c.arena.ResolveCode(t, calltree.Entry(value), frames)
		node |= calltree.Node(cacheable)
	default:
		node = c.arena.Resolve(t, calltree.Entry(value), frames)
	}
	if err := c.putTree(block, t, learned); err != nil {
		return 0, methods
	}
	return node, methods
}

// lastNode is in which node a thread has announced a call last, 0 where what it asks with is a hash.
func (c *Contexts) lastNode(value uint64) calltree.Node {
	if c.options.Representation == instrument.Hashed {
		return 0
	}
	return calltree.Entry(value).Node()
}

// learn takes the methods that the agent has not named before.
func (c *Contexts) learn(described []transport.StackMethod) {
	for _, d := range described {
		class := classes.Key{Loader: trace.LoaderID(d.Class.Loader), Name: transport.ClassName(d.Class.Name)}
		m := &agentMethod{key: methodKey{class: class, method: d.Name + d.Descriptor},
			native: d.Flags&abi.MethodNative != 0, lines: d.Lines}
		m.asNative = isAsNative(m.key)
		m.skipped, m.hidden = isSkipped(class.Name), isHidden(class.Name)
		c.agents.add(m)
	}
}

// stack reads a thread's frames, and gives what the agent is to remember of their methods; false where it names one
// that there is not. The innermost invocation is of a method with a number already.
func (c *Contexts) stack(
	stood []transport.StackFrame, innermost calltree.MethodID,
) (frames []calltree.Frame, methods []transport.FrameMethod, ok bool) {
	for _, at := range stood {
		number, pc := at.Method, int32(at.PC)
		m := c.agents.get(number)
		if m == nil {
			return nil, methods, false
		}
		switch {
		case m.hidden && len(frames) == 0:
			frames = append(frames, calltree.Frame{Method: innermost, PC: int(pc)})
			methods = append(methods, transport.FrameMethod{Method: skipped(m)})
			continue
		case m.skipped:
			if len(frames) > 0 {
				frames[len(frames)-1].Gap = true
			}
			methods = append(methods, transport.FrameMethod{Method: skipped(m)})
			continue
		}
		f := calltree.Frame{Method: c.number(m), PC: int(pc), Native: m.native || m.asNative}
		known := uint32(f.Method)
		if f.Native {
			known |= abi.FrameNative
		}
		methods = append(methods, transport.FrameMethod{Method: known})
		if len(frames) == 0 {
			f.Method = innermost
		}
		frames = append(frames, f)
	}
	return frames, methods, true
}

// skipped says of a method that its frames are skipped.
func skipped(m *agentMethod) uint32 {
	if m.hidden {
		return abi.FrameHidden
	}
	return abi.FrameSkipped
}

// number gives the number of a method in a stack: of its last version, or, where it has no code of ours, one of its
// own.
func (c *Contexts) number(m *agentMethod) calltree.MethodID {
	if m.id == nil {
		m.id = c.methods[m.key.class][m.key.method]
	}
	if m.id == nil {
		var described calltree.Method
		if m.native && c.options.Representation == instrument.Hashed {
			described = calltree.NativeMethod(m.key.method)
		}
		id, err := c.arena.Add([]calltree.Method{described})
		if err != nil {
			return 0
		}
		c.grow()
		if len(described.Calls) > 0 {
			c.known[id].calls = []methodCall{{calltree.NativePC, -1, -1}}
		}
		c.numbered(m.key, id)
		m.id = c.methods[m.key.class][m.key.method]
		name, descriptor, _ := strings.Cut(m.key.method, "(")
		c.out.Put(&trace.MethodName{
			Number: trace.MethodID(id), Loader: m.key.class.Loader, Class: m.key.class.Name,
			Name: name, Descriptor: "(" + descriptor, Native: m.native,
		})
	}
	c.tellLines(&c.known[*m.id], m.lines)
	return *m.id
}
