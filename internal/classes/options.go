package classes

import (
	"slices"

	"mallard/internal/calltree"
	"mallard/internal/instrument"
	"mallard/internal/placement"
	"mallard/internal/trace"
)

// Options say how classes are instrumented.
type Options struct {
	Placement placement.Strategy
	Adapts    bool // counters are placed again where measured frequencies say so
	AdaptSoon bool // for tests: whatever runs and whatever it saves, in classes with live frames too

	// Code changes what is asked of the rewriter for classes of a loader, as observers need it; nil: nothing.
	Code func(loader trace.LoaderID, o *instrument.Options)

	// Contexts gives numbers to methods with contexts; nil where there are none.
	Contexts Contexts

	// KeepClass, if set, gets each instrumented class file as it was, before its ClassDef is recorded. The bytes are
	// valid during the call.
	KeepClass func(id trace.ClassID, class []byte)
}

// Contexts numbers the methods that have contexts.
type Contexts interface {
	// Methods describes the methods of a class that have contexts, by their relative numbers.
	Methods(r *instrument.Result) []calltree.Method
	// Number gives them numbers.
	Number([]calltree.Method) (calltree.MethodNumbers, error)
	// Describe takes them where the agent has given them numbers.
	Describe(first calltree.MethodID, methods []calltree.Method) error
	// Named gives names numbers, from abi.FirstName on, before Number is called.
	Named(n int, names func() []string)
	// FirstCall is the number of the first call in the method with that number.
	FirstCall(calltree.MethodID) uint32
	// Define says what the numbered methods of a class are that is being recorded.
	Define(key Key, v *Version, r *instrument.Result)
	// DefineHidden says so for a hidden class.
	DefineHidden(v *Version, r *instrument.Result)
	// LoadersGone takes loaders whose classes stand on no stack any more.
	LoadersGone([]trace.LoaderID)
	// Gone takes classes that were unloaded, and all their versions, when what they counted outside contexts is
	// recorded. The last of these has the given number.
	Gone(keys []Key, versions []*Version, last trace.ClassID)
}

// adaptable reports whether a version has methods whose counters may be placed again.
func (o *Options) adaptable(r *instrument.Result) bool {
	return slices.ContainsFunc(r.Methods, func(m instrument.Method) bool { return o.adaptableMethod(&m) })
}

// adaptableMethod reports whether the counters of a method may be placed again.
func (o *Options) adaptableMethod(m *instrument.Method) bool {
	return o.Adapts && (m.Adaptable || o.AdaptSoon)
}
