package classes

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"

	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/recording"
	"mallard/internal/trace"
)

// Table has the classes of one JVM. Any goroutine may use it.
type Table struct {
	options Options
	log     *slog.Logger
	out     *recording.Recording
	space   *sharedSpace
	totals  *counters.Totals
	cache   *Cache // nil without
	leaves  leafMethods
	again   madeOfEntries
	entries cachedEntries

	mu         sync.Mutex // guards all below; held for moments
	next       trace.ClassID
	nextSite   trace.SiteID
	classes    map[Key]*class
	loaded     map[trace.LoaderID][]loadedClass
	jdkLoaders map[trace.LoaderID]bool // see jdkLoader
	hidden     int                     // hidden classes with counters
	locations  int                     // at which the JVM makes objects by itself
	owners     owners
	seen       trace.Seen
	adapted    trace.Adaptation
	missed     missedClasses
	waiting    waitingOrders
	watch      watching
	unshown    unshownClasses
}

// loadedClass is a version of a class that a loader defined, and the numbers that its code counts under.
type loadedClass struct {
	name     string
	id       trace.ClassID
	counters counters.Range
	hidden   *Version // nil where it is not in classes' versions
}

// New makes the table of a JVM without classes. The cache, which may be nil, is closed by who opened it.
func New(o Options, memory *counters.Memory, space *counters.Space, totals *counters.Totals, cache *Cache,
	out *recording.Recording, log *slog.Logger) *Table {
	t := &Table{
		options: o, log: log, out: out, space: newSharedSpace(space, memory.Ring(), cache.Shared()), totals: totals,
		cache:   cache,
		classes: map[Key]*class{}, loaded: map[trace.LoaderID][]loadedClass{}, jdkLoaders: map[trace.LoaderID]bool{},
		unshown: unshownClasses{bits: memory},
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
	if counts && !c.missed && t.missed.present.count == 0 {
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

// countBelow counts one more of something of which there may be so many; false where there are.
func (t *Table) countBelow(n *int, limit int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if *n == limit {
		return false
	}
	*n++
	return true
}
