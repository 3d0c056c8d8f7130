package instrument

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mallard/internal/abi"
	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// Context says how the contexts of a method are kept ([Options.Contexts]). A node is a context: the chain of calls from a thread's first frame to
// an invocation of the method. The method's code keeps the node of its invocation in a local variable, says before each call which slot of the node
// the callee is to be found in, and counts in the node's own words:
//
//	ldc METHOD; sipush WORDS               Number, when PatchMethods has made it absolute; Words
//	invokestatic java/lang/$MallardTree.enter (II)J
//	lstore N                               N is the slot behind all others
//	...
//	lload N; sipush SLOT                   the index in Calls + NodeHeader
//	invokestatic java/lang/$MallardTree.call (JI)V
//	invokevirtual ...                      the call; its operands were below all the time
//	...
//	lload N; sipush WORD                   what is ldc COUNTER in a method without a context
//	invokestatic java/lang/$Mallard.count (JI)V
//	...
//	lload N
//	invokestatic java/lang/$MallardTree.leave (J)V
//	return                                 exceptions leave without
//
// Hooks run before enter. The local variable is alive in the whole body but for these first instructions.
type Context struct {
	Number uint32 // of the method, relative to the class's first
	Name   string // by which calls call it: [Call.Callee]
	Words  int    // of a node: the header, the slots and the counters, 8 bytes each
	First  uint32 // number of the counter in the first word behind the slots; the method's others follow in their order
	Hidden bool   // annotated as one whose frames the JVM does not print; it believes this of its own classes only
	Calls  []Call // by slot

	Constructions []Construction // with Options.Constructors
}

// NodeHeader is how many words of a node are in front of the slots.
const NodeHeader = abi.NodeSlots

// Word gives the index in a node of a counter of the method.
func (x *Context) Word(counter uint32) int {
	return NodeHeader + len(x.Calls) + int(counter-x.First)
}

// Call is an instruction that calls a method.
type Call struct {
	BCI  int // in the class file as it was
	PC   int // in the new code; $MallardTree.call is called right before
	Line int // -1 unknown

	// Callee is the name of what is called, with the descriptor, for a constructor its class instead, for the body of a lambda [Lambda]; [Nameless] for
	// invokedynamic, MethodHandle.invoke and the like, where any method may answer.
	Callee string
}

// PatchMethods adds base to every method number in Bytes. It is called once. 0 must not be the result for any.
func (r *Result) PatchMethods(base uint32) { addTo(r.Bytes, r.methodPatches, base) }

// maxWords is the size of the largest nodes, whose words sipush can number.
const maxWords = math.MaxInt16

// wantsContext reports whether a method has contexts if that can be.
func (w *rewriter) wantsContext() bool {
	return w.options.Contexts != NoContexts && mayHaveContexts(w.result.Name)
}

// isHidden reports whether a method has an annotation that hides its frames.
func (w *rewriter) isHidden(m *classfile.Member) bool {
	pool := w.class.Pool
	a := pool.FindAttribute(m.Attributes, classfile.AttrRuntimeVisibleAnnotations)
	if a == nil {
		return false
	}
	decoded, err := classfile.DecodeInfo[classfile.Annotations](a.Info)
	if err != nil {
		return false
	}
	for _, annotation := range decoded.Annotations {
		switch name, _ := pool.Utf8(annotation.Type); name {
		case "Ljdk/internal/vm/annotation/Hidden;", "Ljava/lang/invoke/LambdaForm$Hidden;":
			return true
		}
	}
	return false
}

// A node is how code reaches the node of its invocation.
type node struct {
	local     uint16 // slot of the variable that has it
	object    bool   // it is one, see alone.go
	slots     int
	first     uint32              // number of the counter behind the slots
	number    uint32              // of the method, relative
	firstCall uint32              // the same of its first call
	method    classfile.PoolIndex // constant that holds it
}

// load pushes the node.
func (n *node) load() bytecode.Instruction {
	if n.object {
		return bytecode.LoadStore(bytecode.OpAload, n.local)
	}
	return bytecode.LoadStore(bytecode.OpLload, n.local)
}

// store pops it.
func (n *node) store() bytecode.Instruction {
	if n.object {
		return bytecode.LoadStore(bytecode.OpAstore, n.local)
	}
	return bytecode.LoadStore(bytecode.OpLstore, n.local)
}

// word pushes the index of a counter's word.
func (n *node) word(number uint32) bytecode.Instruction {
	return bytecode.PushInt(int16(NodeHeader + n.slots + int(number-n.first)))
}

// inContexts is what calls needs for contexts.
type inContexts struct {
	shape     Representation
	node      *node                 // of the method at hand; nil if it has none and counts in the thread's block
	contexts  []classfile.PoolIndex // constants that hold numbers of methods, in their order
	encoded   encodedCalls
	overloads [len(runtimeMethods)]classfile.PoolIndex // references to the methods that count in a node, 0 before the first call
}

// overload gives the descriptor of a method's overload. Each method of the runtime class whose last parameter is a counter's number has one that takes
// the node and the index of the word instead; thrown, which asks for its counter elsewhere, has one too; "" for the others.
func (m runtimeMethod) overload() string {
	if m == thrown {
		return "(Ljava/lang/Throwable;JI)V"
	}
	parameters, counts := strings.CutSuffix(runtimeMethods[m].descriptor, "I)V")
	if !counts || m >= enter {
		return ""
	}
	return parameters + "JI)V"
}

// callInNode is call for a counter in a node.
func (c *calls) callInNode(number uint32, m runtimeMethod, before []bytecode.Instruction) ([]bytecode.Instruction, error) {
	descriptor := m.overload()
	if c.alone {
		descriptor = strings.Replace(descriptor, "JI)", c.nodeType()+"I)", 1)
	}
	invoke, err := c.invokeAs(m, &c.overloads[m], descriptor)
	if err != nil {
		return nil, err
	}
	if c.alone {
		push, err := c.push(number)
		return append(slices.Clip(before), c.node.load(), push, invoke), err
	}
	node, err := c.pushNode()
	code := make([]bytecode.Instruction, 0, len(before)+len(node)+2)
	return append(append(append(code, before...), node...), c.node.word(number), invoke), err
}

// ownClasses gives the classes that a pool has constants for. With contexts, so many frames name classes that looking for them pays.
func ownClasses(pool *classfile.Pool) map[string]classfile.PoolIndex {
	classes := map[string]classfile.PoolIndex{}
	for i := classfile.PoolIndex(1); int(i) < pool.Len(); i++ {
		if pool.Tag(i) != classfile.TagClass {
			continue
		}
		if name, err := pool.ClassName(i); err == nil {
			classes[name] = i
		}
	}
	return classes
}

// room is how many operand slots code needs that pushes where a counter is, given how many if that is an int.
func (c *calls) room(stack int) int {
	if c.node == nil {
		return stack
	}
	return stack + 2
}

// enter gives a method a context: all that is not counting. Counters are placed already.
func (p *plan) enter(b *body) (bytecode.Prologue, error) {
	n := p.calls.node
	x := &Context{
		Number: n.number, Name: strings.Clone(answers(b.rewriter.result.Name, b.name, b.descriptor)), Words: NodeHeader + n.slots + int(p.calls.next-n.first), First: n.first,
		Hidden: b.hidden, Calls: make([]Call, len(b.calls)), Constructions: slices.Clone(b.constructions),
	}
	if x.Words > maxWords {
		return bytecode.Prologue{}, fmt.Errorf("a context would have %d words", x.Words)
	}
	for k := range b.calls {
		x.Calls[k] = b.calls[k].Call
	}
	p.method.Context = x
	late := p.beginnings(b)
	if err := p.announce(b, late); err != nil {
		return bytecode.Prologue{}, err
	}
	return p.prologue(b, late)
}

// announce inserts what stands before calls and returns. It comes after all counters, and so stands behind them.
func (p *plan) announce(b *body, late *beginnings) error {
	sites := b.calls
	if err := b.findChains(); err != nil {
		return err
	}
	for k, site := range sites {
		code, err := p.calls.announce(k, site)
		if err != nil {
			return err
		}
		p.insert(site.at, bytecode.Always, nil, code, contextStack, nil)
		if err := p.transaction(k, site); err != nil {
			return err
		}
	}
	if len(sites) == 0 && p.calls.shape != Tree {
		return nil
	}
	for i, in := range p.code.Insns {
		if !in.Op.IsReturn() || !late.mayHaveBegun(i) {
			continue
		}
		code, err := p.calls.end(transacts(sites))
		if err != nil {
			return err
		}
		p.insert(i, bytecode.Always, nil, code, contextStack, nil)
	}
	return nil
}

// contextStack is how many operand slots code needs that finds out a context, says it or ends it.
const contextStack = 3

// prologue is what an invocation begins with: the hook, if any, and the node.
func (p *plan) prologue(b *body, late *beginnings) (bytecode.Prologue, error) {
	x, c := p.method.Context, p.calls
	code, stack, err := c.hook(b.hook)
	if err != nil {
		return bytecode.Prologue{}, err
	}
	if c.alone {
		return p.prologueAlone(b)
	}
	enter, err := c.enter(x)
	if err != nil {
		return bytecode.Prologue{}, err
	}
	stack = max(stack, contextStack)
	if transacts(b.calls) {
		forget, err := c.forget()
		if err != nil {
			return bytecode.Prologue{}, err
		}
		enter, stack = append(enter, forget...), max(stack, 5)
	}
	code = append(code, p.begin(late, enter)...)
	prologue := bytecode.Prologue{Code: code, Stack: stack, Local: bytecode.VerificationType{Tag: bytecode.Long}}
	if len(b.code.Frames) > 0 && b.code.Version >= framesVersion {
		prologue.Entry, err = b.entryLocals(c.class)
	}
	return prologue, err
}

// instrumentInContexts is instrument for a method that wants contexts. Where it cannot have them it is counted as without: that matters less than
// exact counts, so corrections are not given up for them. A method that only calls then stays as it was.
func (b *body) instrumentInContexts() ([]byte, *Method, error) {
	info, method, err := b.instrument()
	if err == nil {
		return info, method, nil
	}
	reason := fmt.Sprintf("contexts: %v", err)
	b.contexts = false
	if info, method, err = b.instrument(); method == nil {
		return nil, nil, err
	}
	if method.Fallback != "" {
		reason += "; " + method.Fallback
	}
	method.Fallback = reason
	return info, method, nil
}
