package classes

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"

	"mallard/internal/calltree"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/placement"
	"mallard/internal/recording"
	"mallard/internal/trace"
	"mallard/internal/transport"
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
	// Number gives them numbers, and returns the first.
	Number([]calltree.Method) (calltree.MethodID, error)
	// Describe takes them where the agent has given them numbers.
	Describe(first calltree.MethodID, methods []calltree.Method) error
	// Named gives names numbers, from abi.FirstName on, before Number is called.
	Named(n int, names func() []string)
	// FirstCall is the number of the first call in the method with that number.
	FirstCall(calltree.MethodID) uint32
	// Define says what the numbered methods of a class are that is being recorded.
	Define(key Key, v *Version, r *instrument.Result)
}

// Table has the classes of one JVM. Any goroutine may use it.
type Table struct {
	options Options
	log     *slog.Logger
	out     *recording.Recording
	space   *counters.Space
	totals  *counters.Totals
	ring    *transport.MessageRing // where numbers are reserved for the agent
	cache   *Cache                 // nil without
	leaves  leafMethods

	mu         sync.Mutex // guards all below; held for moments
	next       trace.ClassID
	nextSite   trace.SiteID
	classes    map[Key]*class
	loaded     map[trace.LoaderID][]loadedClass
	jdkLoaders map[trace.LoaderID]bool // see jdkLoader
	hidden     int                     // hidden classes with counters
	locations  int                     // at which the JVM makes objects by itself
	seen       trace.Seen
	adapted    trace.Adaptation

	missed      []*missedClass // that are to be retransformed
	missedCount int            // all that there were
	missedLater int            // of those, the ones that were retransformed
}

// New makes the table of a JVM without classes. The cache, which may be nil, is closed by who opened it.
func New(o Options, memory *counters.Memory, space *counters.Space, totals *counters.Totals, cache *Cache,
	out *recording.Recording, log *slog.Logger) *Table {
	t := &Table{
		options: o, log: log, out: out, space: space, totals: totals, ring: memory.Ring(), cache: cache,
		classes: map[Key]*class{}, loaded: map[trace.LoaderID][]loadedClass{}, jdkLoaders: map[trace.LoaderID]bool{},
	}
	if cache.Shared() {
		t.reserve()
	}
	if o.Contexts != nil {
		o.Contexts.Named(cache.names())
	}
	return t
}

// Loader records a class loader, given its class.
func (t *Table) Loader(id trace.LoaderID, class string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.jdkLoaders[id] = jdkLoader(class)
	t.out.Put(&trace.Loader{ID: id, Class: class})
}

// jdkLoader reports whether a class loader, by its class, has classes of the JDK alone.
func jdkLoader(class string) bool {
	return strings.HasPrefix(class, "jdk/internal/") && class != "jdk/internal/loader/ClassLoaders$AppClassLoader"
}

// OfProgram reports whether a loader has classes of the program.
func (t *Table) OfProgram(loader trace.LoaderID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return loader != bootLoader && !t.jdkLoaders[loader]
}

// Method gives a method of an instrumented class as the version has it whose code it is. It is nil for a method without
// counters.
func (t *Table) Method(key Key, method string, code []byte) *Method {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.classes[key]
	if c == nil {
		return nil
	}
	counts := false
	for i := len(c.versions) - 1; i >= 0; i-- {
		m, err := c.versions[i].method(method)
		if err != nil {
			t.out.Loss("frames", fmt.Sprintf("what invocations of methods of %s had not counted yet is not known: %v",
				key.Name, err))
			return nil
		}
		if m != nil {
			if m.Has(code) {
				return m
			}
			counts = true
		}
	}
	if counts && !c.missed {
		t.out.Loss("frames", "methods that another agent changed were running at the end: what their invocations had "+
			"not counted yet is not known")
	}
	return nil
}

// rewrite guards against our own mistakes: a class that makes instrument.Rewrite panic ships as it is.
func (t *Table) rewrite(class []byte, o instrument.Options) (r *instrument.Result, err error) {
	defer func() {
		if e := recover(); e != nil {
			t.log.Debug("instrument panicked", "error", e, "stack", string(debug.Stack()))
			r, err = nil, fmt.Errorf("internal error: %v", e)
		}
	}()
	return instrument.Rewrite(class, o)
}
