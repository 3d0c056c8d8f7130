package session

import (
	"fmt"
	"hash/maphash"
	"slices"

	"mallard/internal/adapt"
	"mallard/internal/calltree"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// class is what is remembered of a class of the JVM that has counters.
type class struct {
	versions    []*classVersion   // in the order of their definition; frames may run in any of them
	original    original          // that the last version was made from, where that may be placed again; nil elsewhere
	frequencies adapt.Frequencies // to place the next version with
	adaptation
}

// An original reads a class file as it was before it was instrumented.
type original func() ([]byte, error)

// classVersion is one instrumented form of a class.
type classVersion struct {
	hash        uint64            // of the new bytes, without counter numbers; 0 for the first
	frequencies adapt.Frequencies // that it was placed with
	counters    counterRange
	site        trace.SiteID      // of its first
	meaning     []byte            // nil until it is recorded
	contexts    calltree.MethodID // number of the first method with a context; 0 without
}

type ownedMethod struct {
	method *instrument.Method
	site   trace.SiteID // of the method's first
}

// methods decodes what is known of a version's methods. Few are ever asked for: decoded, all of them together would be most of the recorder's memory.
func (v *classVersion) methods() ([]instrument.Method, error) {
	r, err := instrument.Restore(nil, 0, nil, v.meaning)
	if err != nil {
		return nil, err
	}
	return r.Methods, nil
}

// method gives a method by its name and descriptor, nil for one without counters.
func (v *classVersion) method(name string) (*ownedMethod, error) {
	methods, err := v.methods()
	site := v.site
	for i := range methods {
		m := &methods[i]
		if len(m.Name)+len(m.Descriptor) == len(name) && m.Name+m.Descriptor == name {
			return &ownedMethod{m, site}, nil
		}
		site += trace.SiteID(len(m.Sites))
	}
	return nil, err
}

// at gives a method by its index.
func (v *classVersion) at(index int) (*ownedMethod, error) {
	methods, err := v.methods()
	site := v.site
	for i := range methods {
		if i == index {
			return &ownedMethod{&methods[i], site}, nil
		}
		site += trace.SiteID(len(methods[i].Sites))
	}
	return nil, err
}

var versionSeed = maphash.MakeSeed()

// version makes a class that is being defined, or a new version of one, count. The version is nil where nothing has to; it has a meaning already
// where it is one that the class had before.
func (s *Session) version(key classKey, bytes []byte, redefined bool) (*classVersion, *instrument.Result, error) {
	v := &classVersion{}
	var before []*classVersion
	if redefined {
		s.mu.Lock()
		if c := s.classes[key]; c != nil {
			before, v.frequencies = c.versions, c.frequencies
		}
		s.mu.Unlock()
	}
	r, err := s.instrument(bytes, instrument.Options{
		Placement: s.options.Placement, Redefined: redefined, Contexts: s.contexts.kind(), Huge: s.options.HugeMethods, Constructors: s.options.tracks(ConstructorsObserver),
		Bytecodes: s.options.Bytecodes, Steps: s.byBytecodes() && s.programs(key.loader), Frequencies: v.frequencies.Apply, Plain: s.plain.by(key.loader),
	})
	if err == nil && s.contexts != nil {
		s.plain.learn(key.loader, r)
	}
	if err != nil || r.Bytes == nil {
		return nil, r, err
	}
	if redefined {
		v.hash = maphash.Bytes(versionSeed, r.Bytes)
	}
	for _, b := range before {
		if b.hash == v.hash {
			r.Add(s.numbers(b))
			return b, r, nil
		}
	}
	return v, r, s.number(v, r)
}

// number gives a version its numbers, and writes them into its bytes.
func (s *Session) number(v *classVersion, r *instrument.Result) error {
	base, err := s.takeCounters(r)
	if err != nil {
		return err
	}
	v.counters = counterRange{base, base + trace.CounterID(r.Counters)}
	if v.contexts, err = s.numberMethods(r); err != nil {
		return err
	}
	r.Add(s.numbers(v))
	return nil
}

// numbers are those of a version's first counter, method and call.
func (s *Session) numbers(v *classVersion) instrument.Numbers {
	n := instrument.Numbers{Counters: uint32(v.counters.first), Methods: uint32(v.contexts)}
	if v.contexts != 0 {
		n.Calls = s.contexts.arena.FirstCall(v.contexts)
	}
	return n
}

// owned gives a method of an instrumented class as the version has it whose code it is. It is nil for a
// method without counters.
func (s *Session) owned(key classKey, method string, code []byte) *ownedMethod {
	c := s.classes[key]
	if c == nil {
		return nil
	}
	counts := false
	for i := len(c.versions) - 1; i >= 0; i-- {
		m, err := c.versions[i].method(method)
		if err != nil {
			s.recording.Loss("frames", fmt.Sprintf("what invocations of methods of %s had not counted yet is not known: %v", key.name, err))
			return nil
		}
		if m != nil {
			if m.method.Has(code) {
				return m
			}
			counts = true
		}
	}
	if counts {
		s.recording.Loss("frames", "methods that another agent changed were running at the end: what their invocations had not counted yet is not known")
	}
	return nil
}

// last gives the version that new invocations run.
func (c *class) last() *classVersion { return c.versions[len(c.versions)-1] }

// keep remembers the class file that a version was made from, if it has methods that may be placed again. It is copied where it cannot be read again.
func (s *Session) keep(key classKey, r *instrument.Result, class []byte, again original) {
	c := s.classes[key]
	c.original = nil
	if !slices.ContainsFunc(r.Methods, func(m instrument.Method) bool { return s.movable(&m) }) {
		return
	}
	if again == nil {
		kept := slices.Clone(class)
		again = func() ([]byte, error) { return kept, nil }
	}
	c.original = again
}
