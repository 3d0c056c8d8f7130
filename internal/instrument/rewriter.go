package instrument

import (
	"slices"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
)

// rewriter is the state of one call of Rewrite.
type rewriter struct {
	class   *classfile.Class
	super   string
	limit   int  // constant_pool_count before anything was added
	checked bool // no index is at limit or past it
	options Options
	code    *emit.Class
	traits  *emit.Traits // of methods with contexts, where the class has such
	infos   []byte       // new Code attributes, one after another, until the class is written
	result  *Result
	sites   uint32 // of its methods

	allocations *allocations.Finder

	callees map[classfile.PoolIndex]called // of calls seen so far, with contexts
	assumed map[Callee]bool                // what Options.Leaf has said
}

// check fails for a class with an index that would become valid by what is added to the pool. It is to be called
// before anything of the class is changed.
func (w *rewriter) check() error {
	if w.checked {
		return nil
	}
	w.checked = true
	return w.class.CheckIndexes(w.limit, func(code []byte) error { return bytecode.CheckIndexes(code, w.limit) })
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
		ForCallers: allocations.CountsForCallers(name), MarksStrings: o.marksStrings(),
		OwnsArrays: o.ownsArrays(),
	})
	traits := code.ClassTraits()
	return &rewriter{
		class: c, super: super, limit: c.Pool.Len(), options: o, code: code, traits: traits,
		allocations: allocations.NewFinder(c, name, allocations.Options{
			NamesCallers: traits.NamesCallers, MadeAside: traits.MadeAside, MeasuresStrings: traits.MeasuresStrings,
			FindsChains: traits.Hooks && o.Contexts == NoContexts, SeesBodies: traits.Hooks,
			MarksStrings: o.marksStrings(), OwnsArrays: o.ownsArrays(),
			SeesStops: traits.Hooks && o.Contexts != NoContexts && !o.Attached,
		}),
		result: &Result{Name: strings.Clone(name), Super: strings.Clone(super), Source: strings.Clone(sourceFile(c))},
	}, nil
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

// mayChange is false for a method that is left as it is, unless for what it calls.
func (w *rewriter) mayChange(flags uint16, name, descriptor string, code []byte) bool {
	hook, last := w.hooks(flags, name, descriptor)
	return w.watches() || w.wantsBytecodes(name, code) || w.allocations.MayAllocate(code) || hook != emit.None ||
		last != emit.None || w.traits.Hooks && isConstructing(w.result.Name, name)
}

// watches reports whether the class's code tells what it reads.
func (w *rewriter) watches() bool { return w.options.Watched && MayWatch(w.result.Name) }

// hooks gives what a method calls first thing, and before each return.
func (w *rewriter) hooks(flags uint16, name, descriptor string) (first, last emit.RuntimeMethod) {
	if !w.traits.Hooks {
		return emit.None, emit.None
	}
	contexts := w.options.Contexts != NoContexts
	first = emit.FirstHook(w.result.Name, name, descriptor, contexts)
	last = emit.LastHook(w.result.Name, name, descriptor, contexts, w.options.Tags)
	if first == emit.Asked && flags&classfile.AccStatic != 0 {
		first = emit.None
	}
	if w.options.Attached {
		first, last = first.WithoutFields(), last.WithoutFields()
	}
	if w.startsThreads() {
		first = first.StartedInside()
	}
	return first, last
}

// startsThreads reports whether the class is VirtualThread, and tells JVMTI itself that a thread has started.
func (w *rewriter) startsThreads() bool {
	if w.result.Name != emit.VirtualThreadClass {
		return false
	}
	for i := range classfile.PoolIndex(w.class.Pool.Len()) {
		if w.class.Pool.Tag(i) != classfile.TagMethodref {
			continue
		}
		if class, name, _, err := w.class.Pool.Ref(i); err == nil && class == emit.VirtualThreadClass &&
			name == "notifyJvmtiStart" {
			return true
		}
	}
	return false
}

// wantsBytecodes reports whether the bytecodes of a method are counted. Those are left out that the runtime class
// calls, those that run while the current thread changes, and Object's, which HotSpot knows by their code. A
// finalize() that does nothing would become one that the VM calls.
func (w *rewriter) wantsBytecodes(method string, code []byte) bool {
	if !w.options.Bytecodes {
		return false
	}
	switch name := w.result.Name; {
	case name == "jdk/internal/misc/Unsafe", name == "java/lang/Object", name == "jdk/internal/vm/Continuation",
		strings.HasPrefix(name, emit.VirtualThreadClass):
		return false
	case method == "finalize" && len(code) == 1:
		return false
	}
	return true
}

// wantsContext reports whether a method has contexts if that can be. While some of VirtualThread's run the current
// thread changes, and with it the tree: they say so by an annotation, which the JVM needs as well. Of what virtual
// threads stand on whoever makes one calls the constructor and what that calls; all else the continuation calls.
func (w *rewriter) wantsContext(m *classfile.Member) bool {
	switch {
	case w.options.Contexts == NoContexts || !mayHaveContexts(w.result.Name):
		return false
	case w.result.Name == emit.VirtualThreadClass:
		return !w.isHidden(m) && (!w.isAnnotated(m, changesThread) || w.options.Contexts == Hashed && w.carries(m))
	case w.result.Name == emit.ThreadContinuationClass:
		name, _ := w.class.Pool.Utf8(m.Name)
		return name != "onPinned"
	}
	return true
}

// carries reports whether a method mounts and unmounts virtual threads, and goes on as their carrier: each time one
// yields, which would take a walk of the carrier's stack if it announced nothing. Where contexts are hashed it takes
// its own from what its caller has announced, as long as the carrier runs, and announces only what it calls when that
// runs again ([callSite.asCarrier]). In between nothing of its own touches the thread that runs.
func (w *rewriter) carries(m *classfile.Member) bool {
	name, _ := w.class.Pool.Utf8(m.Name)
	return w.result.Name == emit.VirtualThreadClass && name == "runContinuation"
}

// Annotations of methods.
const (
	changesThread    = "Ljdk/internal/vm/annotation/ChangesCurrentThread;"
	hiddenMethod     = "Ljdk/internal/vm/annotation/Hidden;"
	hiddenLambdaForm = "Ljava/lang/invoke/LambdaForm$Hidden;"
)

// isHidden reports whether a method has an annotation that hides its frames.
func (w *rewriter) isHidden(m *classfile.Member) bool {
	return w.isAnnotated(m, hiddenMethod, hiddenLambdaForm)
}

// isAnnotated reports whether a method has one of some annotations.
func (w *rewriter) isAnnotated(m *classfile.Member, names ...string) bool {
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
		if name, _ := pool.Utf8(annotation.Type); slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// mayHaveContexts reports whether methods of a class have contexts if that can be. The runtime classes call Unsafe,
// which must not call back; and while the methods run that virtual threads stand on, the current thread changes.
func mayHaveContexts(class string) bool {
	return !IsRuntime(class) && class != "jdk/internal/misc/Unsafe" && !CarriesVirtualThreads(class)
}

// CarriesVirtualThreads reports whether virtual threads stand on methods of a class, and nobody else calls them.
func CarriesVirtualThreads(class string) bool {
	return class == emit.ContinuationClass ||
		strings.HasPrefix(class, emit.VirtualThreadClass+"$") && class != emit.ThreadContinuationClass
}
