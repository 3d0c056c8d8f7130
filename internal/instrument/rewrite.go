package instrument

import (
	"strings"
	"sync"

	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
	"mallard/internal/placement"
)

// Options says how to instrument.
type Options struct {
	Placement placement.Strategy
	Redefined bool // the class exists already; the JVM will add the new constants to those that it has
	Bytecodes bool // executed bytecodes are counted as well, see [Executed]
	// with Bytecodes, methods report to their thread how many they execute: snapshots are taken every so many
	ReportBytecodes bool
	// whether methods that allocate, and those that call, know who called them: see [Context]
	Contexts Representation

	// Portable is what the names of the classes begin with, in internal form, that instrumented code calls where no
	// agent is; "" where the runtime classes are in the JVM. Counters has the same methods, hooks aside, and knows
	// what any program can know: a string that was concatenated is measured, and not what was given to make it from.
	// Node and Transactions are for contexts, whose shape is [Tree] there.
	Portable string

	// HotSpot compiles methods of any length (-XX:-DontCompileHugeMethods), so that contexts may make some longer
	// than it otherwise would
	Huge bool
	// with Contexts, every constructor has them, and calls of constructors that cannot are counted: see [Construction]
	Constructors bool

	// Leaf, if set, reports whether a method (name and descriptor) is known to be a leaf, and the only one that a
	// call in the class can come to that names it and this class: [Result.Leaves] of the class that the name stands
	// for there.
	Leaf func(class, method string) bool

	// if set, may give the graph of a method (name and descriptor) better frequencies than estimates
	Frequencies func(method string, g *cfg.Graph)
	Placed      func(m *Method, pl *placement.Plan) // if set, sees each method's plan
}

// BeginCall is what the call says that begins a transaction: [Call.Callee].
const BeginCall = emit.BeginCall

// Representation says how contexts are kept; see package emit.
type Representation = emit.Representation

const (
	NoContexts = emit.NoContexts
	Tree       = emit.Tree
	Hashed     = emit.Hashed
	Encoded    = emit.Encoded
)

// Rewrite instruments a class. Where nothing has to change, Result.Bytes is nil. The result keeps nothing of class.
// An error means that the class as a whole cannot be read or written; what concerns one method is in Result.Skipped.
func Rewrite(class []byte, o Options) (*Result, error) {
	c, err := classfile.Parse(class)
	if err != nil {
		return nil, err
	}
	w, err := newRewriter(c, o)
	if err != nil {
		return nil, err
	}
	if w.code.IsRuntime(w.result.Name) {
		return w.result, nil
	}
	infos := scratch.Get().(*[]byte)
	w.infos = (*infos)[:0]
	defer func() {
		*infos = w.infos
		scratch.Put(infos)
	}()
	changed := w.result.Name == emit.ThreadClass
	if changed {
		if err := addThreadFields(c, w.traits); err != nil {
			return nil, err
		}
	}
	for i := range c.Methods {
		touched, err := w.method(&c.Methods[i])
		if err != nil {
			return nil, err
		}
		changed = changed || touched
	}
	if !changed {
		return w.result, nil
	}
	if w.result.Bytes, err = c.AppendTo(make([]byte, 0, len(class)+len(class)/4+256)); err != nil {
		return nil, err
	}
	w.result.Counters, w.result.Contexts = w.code.Counters(), w.code.Contexts()
	w.result.patches, w.result.methodPatches, w.result.callPatches = w.code.Patches()
	return w.result, nil
}

// scratch has memory for rewriter.infos that is used again.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// rewriter is the state of one call of Rewrite.
type rewriter struct {
	class   *classfile.Class
	super   string
	options Options
	code    *emit.Class
	traits  *emit.Traits // of methods with contexts, where the class has such
	infos   []byte       // new Code attributes, one after another, until the class is written
	result  *Result

	allocations *allocations.Finder

	callees map[classfile.PoolIndex]called // of calls seen so far, with contexts
	assumed map[Callee]bool                // what Options.Leaf has said
}

// addThreadFields gives java.lang.Thread the fields that the runtime classes read. Only a class that is being defined
// for the first time can get some.
func addThreadFields(c *classfile.Class, traits *emit.Traits) error {
	const transient, synthetic = 0x0080, 0x1000
	for _, f := range traits.ThreadFields {
		if err := c.AddField(transient|synthetic, f.Name, f.Descriptor); err != nil {
			return err
		}
	}
	return nil
}

// sourceFile gives the class's SourceFile attribute (JVMS 4.7.10), "" without a valid one.
func sourceFile(c *classfile.Class) string {
	a := c.Pool.FindAttribute(c.Attributes, classfile.AttrSourceFile)
	if a == nil || len(a.Info) != 2 {
		return ""
	}
	s, err := c.Pool.Utf8(classfile.PoolIndex(a.Info[0])<<8 | classfile.PoolIndex(a.Info[1]))
	if err != nil {
		return ""
	}
	return s
}

// newRewriter makes the rewriter of a class.
func newRewriter(c *classfile.Class, o Options) (*rewriter, error) {
	name, err := c.Name()
	if err != nil {
		return nil, err
	}
	super, err := c.SuperName()
	if err != nil {
		return nil, err
	}
	code := emit.NewClass(c.Pool, emit.Options{
		Contexts: o.Contexts, Portable: o.Portable, Redefined: o.Redefined, ReportBytecodes: o.ReportBytecodes,
	})
	traits := code.ClassTraits()
	return &rewriter{
		class: c, super: super, options: o, code: code, traits: traits,
		allocations: allocations.NewFinder(c, name, allocations.Options{
			CountsHandles: traits.CountsHandles, MeasuresStrings: traits.MeasuresStrings,
		}),
		result: &Result{Name: strings.Clone(name), Source: strings.Clone(sourceFile(c))},
	}, nil
}
