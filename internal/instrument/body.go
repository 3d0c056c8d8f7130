package instrument

import (
	"fmt"
	"slices"

	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
)

// A body is a method being instrumented. Its strings are the class's.
type body struct {
	rewriter         *rewriter
	name, descriptor string
	flags            uint16
	hook, last       emit.RuntimeMethod // to call first thing, and before each return
	raw              *classfile.Code
	contexts         bool    // it is to have contexts
	bytecodes        bool    // those that it executes are counted, at its last site
	hidden           bool    // see Context.Hidden
	carries          bool    // virtual threads, by changing the current thread
	naming           *Naming // the method's transactions are named so; nil: it is none

	code        *bytecode.Code
	graph       *cfg.Graph // nil if graphless is set
	allocations []allocations.Allocation
	graphless   []allocations.Allocation // see countedGraphless
	sites       []allocations.Site
	calls       []callSite // that contexts know
	begins      []begin    // transactions without a call; contexts have a slot for each, behind those of calls
	failing     *failing
	tells       bool // contexts have a slot for the classes of what calls make

	constructions []Construction
}

// check fails for a method that the JVM will refuse, and that it might take, or refuse with other words, once it is
// rewritten.
func (b *body) check() error {
	arguments, _, err := bytecode.DescriptorSlots(b.descriptor)
	if err != nil {
		return err
	}
	if b.isInstance() {
		arguments++
	}
	if arguments > int(b.code.MaxLocals) {
		return fmt.Errorf("%d slots of arguments with max_locals %d", arguments, b.code.MaxLocals)
	}
	return b.code.Check(b.rewriter.class.Pool)
}

// isInstance reports whether the first local variable is `this`.
func (b *body) isInstance() bool { return b.flags&classfile.AccStatic == 0 }

// slots is how many slots the contexts of a method have.
func (b *body) slots() int {
	n := len(b.calls) + len(b.begins)
	if b.tells {
		n++
	}
	return n
}

// isEmpty reports whether nothing is to be put into the method.
func (b *body) isEmpty() bool {
	// may have others run, without a call
	if b.contexts && b.rewriter.traits.InitializersEnter && b.name == "<clinit>" {
		return false
	}
	return b.isUncounted() && len(b.reads()) == 0
}

// defers reports whether an instruction leaves something for whoever counts.
func (b *body) defers(in bytecode.Instruction) bool {
	return b.rewriter.allocations.Defers(b.name, b.descriptor, in) != allocations.NotDeferred
}

// tellsOf reports whether an instruction calls what has to be told of.
func (b *body) tellsOf(in bytecode.Instruction) bool {
	return b.rewriter.allocations.Tells(in) != allocations.NoCall
}

// isUncounted reports whether nothing is to be put into the method but code that tells what it reads.
func (b *body) isUncounted() bool {
	return !b.bytecodes && len(b.allocations) == 0 && len(b.calls) == 0 && len(b.begins) == 0 &&
		b.hook == emit.None && b.last == emit.None &&
		!slices.ContainsFunc(b.code.Insns, b.defers) &&
		!slices.ContainsFunc(b.code.Insns, b.tellsOf) && b.failing == nil
}

const (
	readBytes    = 8    // that a read becomes longer by, at most
	maxWatchable = 6000 // bytes of code with that: HotSpot compiles no method over 8000
)

// reads lists the instructions of the method that are told; none where that would make it too long.
func (b *body) reads() (at []int) {
	if !b.rewriter.watches() {
		return nil
	}
	for i, in := range b.code.Insns {
		if in.Op == bytecode.OpGetfield || emit.IsLoad(in.Op) {
			at = append(at, i)
		}
	}
	if len(b.raw.Bytecode)+readBytes*len(at) > maxWatchable {
		return nil
	}
	return at
}

// flow gives the method's graph.
func (b *body) flow() (g *cfg.Graph, err error) {
	if b.graph != nil {
		return b.graph, nil
	}
	return b.flowWith(transactionZeros(b.calls, b.begins))
}

// flowWith builds a graph in which φ must be zero before some instructions.
func (b *body) flowWith(zeros []int) (*cfg.Graph, error) {
	return cfg.Build(b.code, b.rewriter.class.Pool, cfg.MethodInfo{Name: b.name, Class: b.rewriter.result.Name,
		Super: b.rewriter.super, Zeros: zeros})
}

// framesVersion is the first major version of class files with frames.
const framesVersion = 50

// entryLocals gives the types of the locals at the entry of the method (JVMS 4.10.1.6). class gives the constant for
// a class.
func (b *body) entryLocals(class func(name string) (classfile.PoolIndex, error)) ([]bytecode.VerificationType, error) {
	var locals []bytecode.VerificationType
	object := func(name string) error {
		i, err := class(name)
		locals = append(locals, bytecode.VerificationType{Tag: bytecode.Object, Arg: int32(i)})
		return err
	}
	switch {
	case b.name == "<init>":
		locals = append(locals, bytecode.VerificationType{Tag: bytecode.UninitializedThis})
	case b.isInstance():
		locals = append(locals, bytecode.VerificationType{Tag: bytecode.Object, Arg: int32(b.rewriter.class.ThisClass)})
	}
	parameters, _, err := classfile.SplitMethodDescriptor(b.descriptor)
	if err != nil {
		return nil, err
	}
	for _, p := range parameters {
		switch p[0] {
		case 'L':
			err = object(p[1 : len(p)-1])
		case '[':
			err = object(p)
		case 'F':
			locals = append(locals, bytecode.VerificationType{Tag: bytecode.Float})
		case 'J':
			locals = append(locals, bytecode.VerificationType{Tag: bytecode.Long})
		case 'D':
			locals = append(locals, bytecode.VerificationType{Tag: bytecode.Double})
		default:
			locals = append(locals, bytecode.VerificationType{Tag: bytecode.Integer})
		}
		if err != nil {
			return nil, err
		}
	}
	return locals, nil
}

// uninitializedThis tells for each instruction of a constructor whether `this` is uninitialised when it starts; nil
// for other methods, and in classes without frames.
func (b *body) uninitializedThis() ([]bool, error) {
	if b.name != "<init>" || b.code.Version < framesVersion {
		return nil, nil
	}
	entry, err := b.entryLocals(func(string) (classfile.PoolIndex, error) { return 0, nil })
	if err != nil {
		return nil, err
	}
	return b.code.UninitializedThis(entry, b.rewriter.class.Pool)
}
