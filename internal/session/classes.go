package session

import (
	"fmt"
	"runtime/debug"
	"time"

	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// classKey names a class in a JVM.
type classKey struct {
	loader trace.LoaderID
	name   string
}

// classVersion is what is remembered of an instrumented class: where its invocations owe something.
type classVersion struct {
	siteBase trace.SiteID
	methods  map[string]ownedMethod // by name and descriptor
}

type ownedMethod struct {
	method *instrument.Method
	site   trace.SiteID // of the method's first
}

// class answers for a class that is being defined, then records what was done to it.
func (s *Session) class(p *wire.Payload) error {
	loader := trace.LoaderID(p.Uint32())
	p.Uint32() // a redefinition is a new version of the class like any other
	name, bytes := p.String(), p.Bytes()
	if err := p.Err(); err != nil {
		return err
	}
	started := time.Now()
	var base trace.CounterID
	result, err := s.instrument(bytes)
	if err == nil && result.Bytes != nil {
		if base, err = s.takeCounters(result.Counters); err != nil {
			result.Bytes = nil
		} else {
			result.Patch(uint32(base))
		}
	}
	micros := uint32(time.Since(started).Microseconds())
	var answer []byte
	if err == nil {
		answer = result.Bytes
	}
	if e := s.conn.Answer(wire.OK, answer); e != nil {
		return e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen.Classes++
	if err != nil {
		s.skip(loader, name, err.Error())
		return nil
	}
	if keep := s.options.KeepClass; keep != nil && result.Bytes != nil {
		keep(s.nextClass, bytes)
	}
	s.define(loader, result, base, uint32(len(bytes)), micros)
	s.known.add(bytes, result, uint32(base))
	return nil
}

// defineCached records a class out of the cache.
func (s *Session) defineCached(loader uint32, class []byte, r *instrument.Result, base uint32) {
	s.seen.Classes++
	s.seen.Cached++
	if keep := s.options.KeepClass; keep != nil && r.Bytes != nil {
		keep(s.nextClass, class)
	}
	s.define(trace.LoaderID(loader), r, trace.CounterID(base), uint32(len(class)), 0)
}

// instrument guards against our own mistakes: a class that makes Rewrite panic ships as it is.
func (s *Session) instrument(class []byte) (r *instrument.Result, err error) {
	defer func() {
		if e := recover(); e != nil {
			s.log.Debug("instrument panicked", "error", e, "stack", string(debug.Stack()))
			r, err = nil, fmt.Errorf("internal error: %v", e)
		}
	}()
	return instrument.Rewrite(class, instrument.Options{Placement: s.options.Placement})
}

// takeCounters gives the first of n numbers.
func (s *Session) takeCounters(n uint32) (trace.CounterID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages.mail.Lent() < lease/4 && s.known.address() != nil {
		s.lend() // or classes out of the cache come here
	}
	base, ok := s.counters.take(n)
	if !ok {
		return 0, fmt.Errorf("all %d counters are taken", s.counters.limit)
	}
	return base, nil
}

func (s *Session) skip(loader trace.LoaderID, name, reason string) {
	s.seen.Skipped++
	s.write(&trace.Skipped{Loader: loader, Name: name, Reason: reason})
}

// define records an instrumented class whose counters have the numbers from base on.
func (s *Session) define(loader trace.LoaderID, r *instrument.Result, base trace.CounterID, size, micros uint32) {
	for _, m := range r.Skipped {
		s.write(&trace.Skipped{Loader: loader, Name: r.Name, Reason: fmt.Sprintf("method %s: %s", m.Method, m.Reason)})
	}
	if r.Bytes == nil {
		s.seen.Unchanged++
		return
	}
	s.seen.Instrumented++
	s.seen.Methods += uint64(len(r.Methods))
	def := &trace.ClassDef{ID: s.nextClass, Loader: loader, Name: r.Name, Source: r.Source, SiteBase: s.nextSite, CounterBase: base,
		Counters: r.Counters, Bytes: size, NewBytes: uint32(len(r.Bytes)), Micros: micros}
	version := &classVersion{siteBase: s.nextSite, methods: make(map[string]ownedMethod, len(r.Methods))}
	site := s.nextSite
	for i := range r.Methods {
		m := &r.Methods[i]
		def.Methods = append(def.Methods, methodDef(m))
		if m.Fallback != "" {
			s.seen.Fallback++
		}
		version.methods[m.Name+m.Descriptor] = ownedMethod{m, site}
		site += trace.SiteID(len(m.Sites))
	}
	s.nextClass++
	s.nextSite = site
	s.counters.define(counterRange{base, base + trace.CounterID(r.Counters)})
	s.loaded[loader] = append(s.loaded[loader], loadedClass{r.Name, def.ID, counterRange{base, base + trace.CounterID(r.Counters)}})
	s.classes[classKey{loader, r.Name}] = version
	s.write(def)
}

func methodDef(m *instrument.Method) trace.MethodDef {
	def := trace.MethodDef{Name: m.Name, Descriptor: m.Descriptor, Fallback: m.Fallback, ThrowCrossesPath: m.Crosses}
	for _, site := range m.Sites {
		def.Sites = append(def.Sites, trace.SiteDef{BCI: int32(site.BCI), Line: int32(site.Line), Type: site.Type, Kind: trace.SiteKind(site.Kind), Length: uint32(site.Length)})
	}
	for _, c := range m.Counters {
		counter := trace.CounterDef{Counter: c.Number, Kind: trace.CounterKind(c.Kind)}
		switch c.Kind {
		case instrument.Elements, instrument.Bytes:
			counter.Semantics = []trace.Term{{Site: uint32(c.Site), Coefficient: 1}}
		case instrument.Packed:
			counter.Semantics = []trace.Term{{Site: uint32(c.Site)}} // the first term is this site's
		}
		for _, t := range c.Semantics {
			if c.Kind == instrument.Packed && int(t.Site) == c.Site {
				counter.Semantics[0].Coefficient = t.N
			} else {
				counter.Semantics = append(counter.Semantics, trace.Term{Site: uint32(t.Site), Coefficient: t.N})
			}
		}
		def.Counters = append(def.Counters, counter)
	}
	return def
}

// loader records a class loader.
func (s *Session) loader(p *wire.Payload) error {
	record := &trace.Loader{ID: trace.LoaderID(p.Uint32()), Class: internalName(p.String())}
	if err := p.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(record)
	return nil
}

// sizes records instance sizes.
func (s *Session) sizes(p *wire.Payload) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p.More() {
		record := &trace.ClassSize{Loader: trace.LoaderID(p.Uint32()), Bytes: p.Uint32(), Name: p.String()}
		if p.Err() == nil {
			s.write(record)
		}
	}
	return p.Err()
}

// internalName gives the class that a signature Lname; names.
func internalName(signature string) string {
	if n := len(signature); n > 2 && signature[0] == 'L' && signature[n-1] == ';' {
		return signature[1 : n-1]
	}
	return signature
}
