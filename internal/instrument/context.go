package instrument

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// Context says how the contexts of a method are kept ([Options.Contexts]). A node is a context: the chain of calls
// from a thread's first frame to an invocation of the method. The method's code keeps what leads to its node in a
// local variable, announces each call, and counts in the node's own words. Package emit shows the code. Hooks run
// before the context is entered. The local variable is alive in the whole body but for these first instructions.
type Context struct {
	Number uint32 // of the method, relative to the class's first
	Name   string // by which calls call it: [Call.Callee]
	Words  int    // of a node: the header, the slots and the counters, 8 bytes each
	First  uint32 // number of the counter in the first word behind the slots; the method's others follow in their order
	Hidden bool   // annotated as one whose frames the JVM does not print; it believes this of its own classes only
	Calls  []Call // by slot

	Constructions []Construction // with Options.Constructors
}

// Word gives the index in a node of a counter of the method.
func (x *Context) Word(counter uint32) int {
	return emit.NodeHeader + len(x.Calls) + int(counter-x.First)
}

// Call is an instruction that calls a method.
type Call struct {
	BCI  int // in the class file as it was
	PC   int // in the new code; $MallardTree.call is called right before
	Line int // -1 unknown

	// Callee is the name of what is called, with the descriptor, for a constructor its class instead, for the body of
	// a lambda [emit.Lambda]; [emit.Nameless] for invokedynamic, MethodHandle.invoke and the like, where any method
	// may answer.
	Callee string
}

// PatchMethods adds base to every method number in Bytes. It is called once. 0 must not be the result for any.
func (r *Result) PatchMethods(base uint32) { addTo(r.Bytes, r.methodPatches, base) }

// PatchCalls adds base to every call's number in Bytes. It is called once. 0 must not be the result for any.
func (r *Result) PatchCalls(base uint32) { addTo(r.Bytes, r.callPatches, base) }

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

// Raised reports whether a method is the constructor of an exception, to judge by its name: the VM and native code make
// exceptions at any instruction.
func (x *Context) Raised() bool {
	return strings.Contains(x.Name, "Exception(") || strings.Contains(x.Name, "Error(")
}

// Announcements gives what the calls of a method announce, by slot.
func (x *Context) Announcements() []int32 {
	list := make([]int32, len(x.Calls))
	for k := range x.Calls {
		list[k] = emit.Announcement(k, x.Calls[k].Callee)
	}
	return list
}

// enter gives a method a context: all that is not counting. Counters are placed already.
func (p *plan) enter(b *body) (bytecode.Prologue, error) {
	x := p.method.Context
	x.Name = strings.Clone(emit.Answers(b.rewriter.result.Name, b.name, b.descriptor))
	x.Words = emit.NodeHeader + len(b.calls) + int(p.emit.Counters()-x.First)
	x.Hidden, x.Constructions = b.hidden, slices.Clone(b.constructions)
	if x.Words > maxWords {
		return bytecode.Prologue{}, fmt.Errorf("a context would have %d words", x.Words)
	}
	for k := range b.calls {
		x.Calls[k] = b.calls[k].Call
	}
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
		call := emit.Call{Slot: k, Callee: site.Callee, Transaction: site.transaction, Chains: site.chains}
		code, err := p.emit.Announce(call)
		if err != nil {
			return err
		}
		p.insert(site.at, bytecode.Always, nil, code, emit.ContextStack, nil)
		around, err := p.emit.Transaction(call)
		if err != nil {
			return err
		}
		if len(around.Before) > 0 {
			p.insert(site.at, bytecode.Always, nil, around.Before, 1, nil)
		}
		if len(around.Behind) > 0 {
			p.insert(site.at+1, bytecode.FallThrough, nil, around.Behind, around.Stack, nil)
		}
	}
	if len(sites) == 0 && !p.emit.Traits().LeavesEnd {
		return nil
	}
	for i, in := range p.code.Insns {
		if !in.Op.IsReturn() || !late.mayHaveBegun(i) {
			continue
		}
		code, err := p.emit.End(transacts(sites))
		if err != nil {
			return err
		}
		p.insert(i, bytecode.Always, nil, code, emit.ContextStack, nil)
	}
	return nil
}

// prologue is what an invocation begins with, the hook, if any, and the node, and what it ends with if an exception
// leaves it.
func (p *plan) prologue(b *body, late *beginnings) (bytecode.Prologue, error) {
	prologue := bytecode.Prologue{}
	code, hookStack, err := p.emit.Hook(b.hook)
	if err != nil {
		return prologue, err
	}
	x := p.method.Context
	enter, stack, err := p.emit.Enter(&emit.Entry{
		Class: b.rewriter.result.Name, Method: b.name, Name: x.Name, Words: x.Words, Calls: len(x.Calls),
		Counters: p.emit.Counters() - x.First, Transacts: transacts(b.calls),
	})
	if err != nil {
		return prologue, err
	}
	prologue.Stack = max(hookStack, stack)
	prologue.Code = append(code, p.begin(late, enter)...)
	if prologue.Local, err = p.emit.Local(); err != nil {
		return prologue, err
	}
	guard, err := p.emit.Guard()
	if err != nil || b.code.Version < framesVersion {
		if guard != nil {
			prologue.Guard = *guard
		}
		return prologue, err
	}
	if guard != nil || len(b.code.Frames) > 0 {
		if prologue.Entry, err = b.entryLocals(p.emit.ClassConstant); err != nil {
			return prologue, err
		}
	}
	if guard != nil {
		prologue.Guard = *guard
		prologue.Guard.This, err = b.uninitializedThis()
	}
	return prologue, err
}

// transacts reports whether one of a method's calls begins or ends a transaction of the invocation.
func transacts(sites []callSite) bool {
	return slices.ContainsFunc(sites, func(c callSite) bool { return c.transaction.OfInvocation() })
}

// transactionZeros lists the instructions of a method before which φ must be zero, because it goes on in another
// context.
func transactionZeros(sites []callSite) []int {
	var zeros []int
	for _, c := range sites {
		if c.transaction != emit.NoTransaction {
			zeros = append(zeros, c.at, c.at+1)
		}
	}
	return zeros
}

// instrumentInContexts is instrument for a method that wants contexts. Where it cannot have them it is counted as
// without: that matters less than exact counts, so corrections are not given up for them. A method that only calls
// then stays as it was.
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
