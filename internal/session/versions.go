package session

import (
	"hash/maphash"

	"mallard/internal/adapt"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// class is what is remembered of a class of the JVM that has counters.
type class struct {
	versions    []*classVersion   // in the order of their definition; frames may run in any of them
	original    []byte            // the class file that the last version was made from, where that may be placed again; nil elsewhere
	frequencies adapt.Frequencies // to place the next version with
	adaptation
}

// classVersion is one instrumented form of a class.
type classVersion struct {
	hash        uint64            // of the new bytes, without counter numbers; 0 for the first
	frequencies adapt.Frequencies // that it was placed with
	counters    counterRange
	methods     map[string]ownedMethod // by name and descriptor; nil until it is recorded
}

type ownedMethod struct {
	method *instrument.Method
	site   trace.SiteID // of the method's first
}

var versionSeed = maphash.MakeSeed()

// version makes a class that is being defined, or a new version of one, count. The version is nil where nothing has to; it has methods already where
// it is one that the class had before.
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
	r, err := s.instrument(bytes, instrument.Options{Placement: s.options.Placement, Redefined: redefined, Frequencies: v.frequencies.Apply})
	if err != nil || r.Bytes == nil {
		return nil, r, err
	}
	if redefined {
		v.hash = maphash.Bytes(versionSeed, r.Bytes)
	}
	for _, b := range before {
		if b.hash == v.hash {
			r.Patch(uint32(b.counters.first))
			return b, r, nil
		}
	}
	base, err := s.takeCounters(r)
	if err != nil {
		return nil, nil, err
	}
	v.counters = counterRange{base, base + trace.CounterID(r.Counters)}
	r.Patch(uint32(base))
	return v, r, nil
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
		if m, ok := c.versions[i].methods[method]; ok {
			if m.method.Has(code) {
				return &m
			}
			counts = true
		}
	}
	if counts {
		s.trouble("frames", "methods that another agent changed were running at the end: what their invocations had not counted yet is not known")
	}
	return nil
}

// last gives the version that new invocations run.
func (c *class) last() *classVersion { return c.versions[len(c.versions)-1] }

// keep remembers the class file that a version was made from, if it has methods that may be placed again.
func (s *Session) keep(key classKey, r *instrument.Result, bytes func() []byte) {
	c := s.classes[key]
	c.original = nil
	for i := range r.Methods {
		if s.idle != nil && (r.Methods[i].Adaptable || s.options.AdaptSoon) {
			c.original = bytes()
			return
		}
	}
}
