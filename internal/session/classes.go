package session

import (
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"mallard/internal/classcache"
	"mallard/internal/classdef"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// classKey names a class in a JVM.
type classKey struct {
	loader trace.LoaderID
	name   string
}

// class answers for a class that is being defined, then records what was done to it.
func (s *Session) class(p *wire.Payload) error {
	loader, flags, name := trace.LoaderID(p.Uint32()), p.Uint32(), p.String()
	if flags&wire.ClassHidden != 0 {
		return s.hiddenClass(loader, p)
	}
	redefined := flags&wire.ClassRedefined != 0
	bytes := p.Bytes()
	if err := p.Err(); err != nil {
		return err
	}
	key := classKey{loader, name}
	if redefined && loader == 0 && instrument.IsRuntime(name) {
		return s.look(name)
	}
	if !redefined {
		if done, err := s.recall(key, bytes); done {
			return err
		}
	}
	started := time.Now()
	version, result, err := s.version(key, bytes, redefined)
	micros := uint32(time.Since(started).Microseconds())
	var answer []byte
	if err == nil {
		answer = result.Bytes
	}
	s.mu.Lock() // until the class is recorded: a snapshot would have contexts in methods that no record has defined
	defer s.mu.Unlock()
	if e := s.conn.Answer(wire.OK, answer); e != nil {
		return e
	}
	if !redefined {
		s.seen.Classes++
	}
	if err != nil {
		s.skip(loader, name, err.Error())
		return nil
	}
	if version != nil && version.meaning != nil {
		return nil // one that is recorded already
	}
	if keep := s.options.KeepClass; keep != nil && result.Bytes != nil {
		keep(s.nextClass, bytes)
	}
	if !redefined {
		s.classify(result)
	}
	s.nameSkipped(loader, result)
	whole, meaning, err := result.Whole()
	if err != nil {
		return err
	}
	var added instrument.Numbers
	if version != nil {
		added, version.meaning = s.numbers(version), slices.Clone(whole[:meaning])
		s.define(loader, version, result, uint32(len(bytes)), micros)
	}
	var again original
	if !redefined {
		again = s.known.add(bytes, result, whole, added)
	}
	if version != nil {
		s.keep(classKey{loader, result.Name}, result, bytes, again)
	}
	return nil
}

// defineCached records a class out of the cache. The version is not used where nothing was changed.
func (s *Session) defineCached(loader trace.LoaderID, e classcache.Entry, r *instrument.Result, v *classVersion, micros uint32) {
	s.seen.Classes++
	s.seen.Cached++
	if keep := s.options.KeepClass; keep != nil && r.Bytes != nil {
		keep(s.nextClass, e.Class)
	}
	s.classify(r)
	key := classKey{loader, r.Name}
	s.nameSkipped(key.loader, r)
	if r.Bytes != nil {
		v.meaning = e.Meaning // which is there as long as the cache is open
		s.define(key.loader, v, r, uint32(len(e.Class)), micros)
		s.keep(key, r, nil, func() ([]byte, error) { return e.Class, nil })
	}
}

// classify counts a class that was seen for the first time.
func (s *Session) classify(r *instrument.Result) {
	if r.Bytes == nil {
		s.seen.Unchanged++
		return
	}
	s.seen.Instrumented++
	for i := range r.Methods {
		if len(r.Methods[i].Counters) > 0 {
			s.seen.Methods++
		} else {
			s.seen.Calling++
		}
		if r.Methods[i].Fallback != "" {
			s.seen.Fallback++
		}
	}
}

// nameSkipped records the methods of a class that are not counted.
func (s *Session) nameSkipped(loader trace.LoaderID, r *instrument.Result) {
	for _, m := range r.Skipped {
		s.recording.Put(&trace.Skipped{Loader: loader, Name: r.Name, Reason: fmt.Sprintf("method %s: %s", m.Method, m.Reason)})
	}
}

// instrument guards against our own mistakes: a class that makes Rewrite panic ships as it is.
func (s *Session) instrument(class []byte, o instrument.Options) (r *instrument.Result, err error) {
	defer func() {
		if e := recover(); e != nil {
			s.log.Debug("instrument panicked", "error", e, "stack", string(debug.Stack()))
			r, err = nil, fmt.Errorf("internal error: %v", e)
		}
	}()
	return instrument.Rewrite(class, o)
}

// takeCounters gives the first of the numbers that an instrumented class has.
func (s *Session) takeCounters(r *instrument.Result) (trace.CounterID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blocks.ring.Reserved() < reservedNumbers/4 && s.known.address() != nil {
		s.reserve() // or classes out of the cache come here
	}
	base, ok := s.counters.take(r.Counters)
	if !ok {
		return 0, fmt.Errorf("all %d counters are taken", s.counters.limit)
	}
	return base, nil
}

func (s *Session) skip(loader trace.LoaderID, name, reason string) {
	s.seen.Skipped++
	s.recording.Put(&trace.Skipped{Loader: loader, Name: name, Reason: reason})
}

// define records a version of a class, and remembers it.
func (s *Session) define(loader trace.LoaderID, version *classVersion, r *instrument.Result, size, micros uint32) {
	s.record(loader, version, r, size, micros)
	key := classKey{loader, r.Name}
	if s.classes[key] == nil {
		s.classes[key] = &class{}
	}
	s.classes[key].versions = append(s.classes[key].versions, version)
}

// record records a version of a class.
func (s *Session) record(loader trace.LoaderID, version *classVersion, r *instrument.Result, size, micros uint32) {
	def := &trace.ClassDef{ID: s.nextClass, Loader: loader, Name: r.Name, Source: r.Source, SiteBase: s.nextSite, CounterBase: version.counters.first,
		Counters: r.Counters, Bytes: size, NewBytes: uint32(len(r.Bytes)), Micros: micros}
	def.Methods = make([]trace.MethodDef, 0, len(r.Methods))
	version.site = s.nextSite
	s.contexts.define(classKey{loader, r.Name}, version, r)
	s.totals = append(s.totals, make([]total, max(int(s.counters.end)-len(s.totals), 0))...)
	for i := range r.Methods {
		m := &r.Methods[i]
		for _, c := range m.Counters {
			s.totals[version.counters.first+trace.CounterID(c.Number)] = total{packed: c.Kind == instrument.Packed, movable: c.Kind == instrument.Path && s.movable(m)}
		}
		def.Methods = append(def.Methods, version.methodDef(loader, m))
		s.nextSite += trace.SiteID(len(m.Sites))
	}
	s.nextClass++
	s.counters.define(version.counters)
	s.loaded[loader] = append(s.loaded[loader], loadedClass{r.Name, def.ID, version.counters})
	s.recording.Put(def)
}

func (v *classVersion) methodDef(loader trace.LoaderID, m *instrument.Method) trace.MethodDef {
	def := classdef.Method(m)
	if m.Context != nil {
		def.Number, def.Hidden = trace.MethodID(uint32(v.contexts)+m.Context.Number), m.Context.Hidden && loader == 0 // the VM believes it of its own classes only
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
	s.jdkLoaders[record.ID] = jdkLoader(record.Class)
	s.recording.Put(record)
	return nil
}

// sizes records instance sizes.
func (s *Session) sizes(p *wire.Payload) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p.More() {
		record := &trace.ClassSize{Loader: trace.LoaderID(p.Uint32()), Bytes: p.Uint32(), Name: p.String()}
		if p.Err() == nil {
			s.recording.Put(record)
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
