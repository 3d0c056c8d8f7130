package classes

import (
	"fmt"
	"hash/maphash"
	"slices"
	"time"

	"mallard/internal/adapt"
	"mallard/internal/calltree"
	"mallard/internal/classdef"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// Answer is what the JVM gets for a class.
type Answer struct {
	Bytes []byte // the new class file; empty: it stays as it is
	After func() // to be called once the answer is on its way
}

// unchanged is the answer that a class stays as it is.
var unchanged = Answer{After: func() {}}

// Load makes a class that is being defined, or redefined, count.
func (t *Table) Load(key Key, class []byte, redefined bool) Answer {
	if !redefined {
		if answer, ok := t.lookUp(key, class); ok {
			return answer
		}
	}
	started := time.Now()
	version, r, methods, err := t.version(key, class, redefined)
	if err != nil {
		t.skip(key, redefined, err)
		return unchanged
	}
	if version != nil && version.meaning != nil { // one that is recorded already
		return Answer{Bytes: r.Bytes, After: func() {}}
	}
	meaning, err := r.Metadata()
	if err != nil {
		t.skip(key, redefined, err)
		return unchanged
	}
	var added instrument.Numbers
	if version != nil {
		added, version.meaning = t.numbers(version), &stored{bytes: slices.Clone(meaning)}
	}
	micros := uint32(time.Since(started).Microseconds())
	kept := t.define(key.Loader, version, r, class, redefined, micros)
	return Answer{Bytes: r.Bytes, After: func() {
		runtime := key.Loader == bootLoader && instrument.IsRuntime(r.Name) // its bytes are other ones in each JVM
		if !redefined && !runtime {
			t.cache.add(class, r, meaning, added, methods, kept)
		}
	}}
}

var versionSeed = maphash.MakeSeed()

// version makes a class that is being defined, or a new version of one, count, and gives its methods with contexts. The
// version is nil where nothing has to; it has a meaning already where it is one that the class had before.
func (t *Table) version(key Key, class []byte, redefined bool) (*Version, *instrument.Result, []calltree.Method,
	error) {
	v := &Version{}
	var before []*Version
	if redefined {
		before, v.frequencies = t.before(key)
	}
	o := instrument.Options{Placement: t.options.Placement, Redefined: redefined, Frequencies: v.frequencies.Apply,
		Leaf: t.leaves.by(key.Loader)}
	if t.options.Code != nil {
		t.options.Code(key.Loader, &o)
	}
	r, err := t.rewrite(class, o)
	if err == nil && t.options.Contexts != nil {
		if redefined {
			t.leaves.forget(key.Loader, r)
		}
		t.leaves.learn(key.Loader, leavesOf(r))
	}
	if err != nil || r.Bytes == nil {
		return nil, r, nil, err
	}
	if redefined {
		v.hash = maphash.Bytes(versionSeed, r.Bytes)
	}
	for _, b := range before {
		if b.hash == v.hash {
			r.Add(t.numbers(b))
			return b, r, nil, nil
		}
	}
	methods := t.contextsOf(r)
	return v, r, methods, t.number(v, r, methods)
}

// before gives the versions that a class has had, and the frequencies to place the next one with.
func (t *Table) before(key Key) ([]*Version, adapt.Frequencies) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.classes[key]
	if c == nil {
		return nil, nil
	}
	return slices.Clone(c.versions), c.frequencies
}

// contextsOf describes the methods of a class that have contexts.
func (t *Table) contextsOf(r *instrument.Result) []calltree.Method {
	if t.options.Contexts == nil || r.Contexts == 0 {
		return nil
	}
	return t.options.Contexts.Methods(r)
}

// number gives a version its numbers, and writes them into its bytes.
func (t *Table) number(v *Version, r *instrument.Result, methods []calltree.Method) (err error) {
	if v.counters, err = t.take(r); err != nil {
		return err
	}
	if len(methods) > 0 {
		if v.contexts, err = t.options.Contexts.Number(methods); err != nil {
			t.space.Give([]counters.Range{v.counters})
			return err
		}
	}
	r.Add(t.numbers(v))
	return nil
}

// numbers are those of a version's first counter, method and call.
func (t *Table) numbers(v *Version) instrument.Numbers {
	n := instrument.Numbers{Counters: uint32(v.counters.First), Methods: uint32(v.contexts)}
	if v.contexts != 0 {
		n.Calls = t.options.Contexts.FirstCall(v.contexts)
	}
	return n
}

// take gives an instrumented class its counters' numbers.
func (t *Table) take(r *instrument.Result) (counters.Range, error) {
	t.reserveBelow(reservedNumbers / 4) // or classes out of the cache come to be instrumented
	numbers, ok := t.space.Take(r.Counters)
	if !ok {
		return counters.Range{}, fmt.Errorf("all %d counters are taken", t.space.Limit())
	}
	return numbers, nil
}

// skip records a class that stays as it is because it could not be instrumented.
func (t *Table) skip(key Key, redefined bool, why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !redefined {
		t.seen.Classes++
	}
	t.seen.Skipped++
	t.out.Put(&trace.Skipped{Loader: key.Loader, Name: key.Name, Reason: why.Error()})
}

// define records a class, or a version of one; the version is nil where nothing was changed. It returns what remembers
// the original, if the class may be placed again.
func (t *Table) define(loader trace.LoaderID, v *Version, r *instrument.Result, class []byte, redefined bool,
	micros uint32) *stored {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !redefined {
		t.seen.Classes++
		t.classify(r)
	}
	t.keepClass(r, class)
	t.nameSkipped(loader, r)
	if v == nil {
		return nil
	}
	c := t.add(loader, v, r, uint32(len(class)), micros)
	c.original = nil
	if t.movable(r) {
		c.original = &stored{bytes: slices.Clone(class)}
	}
	return c.original
}

func (t *Table) keepClass(r *instrument.Result, class []byte) {
	if keep := t.options.KeepClass; keep != nil && r.Bytes != nil {
		keep(t.next, class)
	}
}

// classify counts a class that was seen for the first time.
func (t *Table) classify(r *instrument.Result) {
	if r.Bytes == nil {
		t.seen.Unchanged++
		return
	}
	t.seen.Instrumented++
	for i := range r.Methods {
		if len(r.Methods[i].Counters) > 0 {
			t.seen.Methods++
		} else {
			t.seen.Calling++
		}
		if r.Methods[i].Fallback != "" {
			t.seen.Fallback++
		}
	}
}

// nameSkipped records the methods of a class that are not counted.
func (t *Table) nameSkipped(loader trace.LoaderID, r *instrument.Result) {
	for _, m := range r.Skipped {
		t.out.Put(&trace.Skipped{Loader: loader, Name: r.Name, Reason: fmt.Sprintf("method %s: %s", m.Method,
			m.Reason)})
	}
}

// add records a version of a class, and remembers it.
func (t *Table) add(loader trace.LoaderID, v *Version, r *instrument.Result, size, micros uint32) *class {
	t.record(loader, v, r, size, micros)
	key := Key{loader, r.Name}
	c := t.classes[key]
	if c == nil {
		c = &class{}
		t.classes[key] = c
	}
	c.versions = append(c.versions, v)
	return c
}

// record records a version of a class. Its counters are open until then.
func (t *Table) record(loader trace.LoaderID, v *Version, r *instrument.Result, size, micros uint32) {
	def := &trace.ClassDef{
		ID: t.next, Loader: loader, Name: r.Name, Source: r.Source, SiteBase: t.nextSite, CounterBase: v.counters.First,
		Counters: r.Counters, Bytes: size, NewBytes: uint32(len(r.Bytes)), Micros: micros,
		Methods: make([]trace.MethodDef, 0, len(r.Methods)),
	}
	v.site = t.nextSite
	if t.options.Contexts != nil {
		t.options.Contexts.Define(Key{loader, r.Name}, v, r)
	}
	totals := make([]counters.Total, v.counters.Len())
	for i := range r.Methods {
		m := &r.Methods[i]
		for _, c := range m.Counters {
			totals[c.Number] = counters.Total{Packed: c.Kind == instrument.Packed, Movable: c.Kind == instrument.Path &&
				t.movableMethod(m)}
		}
		def.Methods = append(def.Methods, v.methodDef(loader, m))
		t.nextSite += trace.SiteID(len(m.Sites))
	}
	t.next++
	t.loaded[loader] = append(t.loaded[loader], loadedClass{r.Name, def.ID, v.counters})
	t.totals.Define(v.counters, totals)
	t.out.Put(def)
	t.space.Define(v.counters) // from here on snapshots have them
}

func (v *Version) methodDef(loader trace.LoaderID, m *instrument.Method) trace.MethodDef {
	def := classdef.Method(m)
	if m.Context != nil {
		def.Number = trace.MethodID(uint32(v.contexts) + m.Context.Number)
		def.Hidden = m.Context.Hidden && loader == bootLoader // the VM believes it of its own classes only
	}
	return def
}
