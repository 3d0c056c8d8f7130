package classes

import (
	"sync"
	"sync/atomic"

	"mallard/internal/adapt"
	"mallard/internal/calltree"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// Key names a class in a JVM.
type Key struct {
	Loader trace.LoaderID
	Name   string // internal: java/lang/String
}

// stored is a class file, or what is known of one, in memory until it can be read elsewhere.
type stored struct {
	mu    sync.Mutex
	bytes []byte
	read  func() ([]byte, error)
}

// get gives the bytes.
func (o *stored) get() ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.bytes != nil {
		return o.bytes, nil
	}
	return o.read()
}

// moveTo says where it can be read from now on.
func (o *stored) moveTo(read func() ([]byte, error)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bytes, o.read = nil, read
}

// Version is one instrumented form of a class.
type Version struct {
	hash        uint64            // of the new bytes, without counter numbers; 0 for the first
	frequencies adapt.Frequencies // that it was placed with
	counters    counters.Range
	gone        atomic.Bool            // it was unloaded, and its counts are recorded
	site        trace.SiteID           // of its first
	entry       uint64                 // of the class cache that it is of; 0 without
	metadata    *stored                // what its counters mean; nil until it is recorded
	contexts    calltree.MethodNumbers // of its methods with contexts
}

// FirstCounter is the number of the class's first counter.
func (v *Version) FirstCounter() trace.CounterID { return v.counters.First }

// MethodNumbers are those of its methods with contexts.
func (v *Version) MethodNumbers() *calltree.MethodNumbers { return &v.contexts }

// Entry is the place in the class cache of what it is of, as are others of the same; 0 without.
func (v *Version) Entry() uint64 { return v.entry }

// Gone reports whether the class was unloaded and its counts are recorded: what is still found of them is nobody's.
func (v *Version) Gone() bool { return v.gone.Load() }

// Method is a method of a version, and the number of its first site.
type Method struct {
	*instrument.Method
	Site trace.SiteID
}

// Methods decodes what is known of a version's methods. Few are ever asked for: decoded, all of them together would be
// most of the recorder's memory.
func (v *Version) Methods() ([]instrument.Method, error) {
	r, err := v.result()
	if err != nil {
		return nil, err
	}
	return r.Methods, nil
}

func (v *Version) result() (*instrument.Result, error) {
	metadata, err := v.metadata.get()
	if err != nil {
		return nil, err
	}
	return instrument.Restore(nil, 0, 0, instrument.Patches{}, metadata)
}

// method gives a method by its name and descriptor, nil for one without counters.
func (v *Version) method(name string) (*Method, error) {
	return v.find(func(_ int, m *instrument.Method) bool {
		return len(m.Name)+len(m.Descriptor) == len(name) && m.Name+m.Descriptor == name
	})
}

// At gives a method by its index, nil where there is none.
func (v *Version) At(index int) (*Method, error) {
	return v.find(func(i int, _ *instrument.Method) bool { return i == index })
}

func (v *Version) find(wanted func(i int, m *instrument.Method) bool) (*Method, error) {
	methods, err := v.Methods()
	site := v.site
	for i := range methods {
		m := &methods[i]
		if wanted(i, m) {
			return &Method{m, site}, nil
		}
		site += trace.SiteID(len(m.Sites))
	}
	return nil, err
}
