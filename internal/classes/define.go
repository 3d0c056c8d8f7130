package classes

import (
	"fmt"
	"slices"

	"mallard/internal/classdef"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// skip records a class that stays as it is because it could not be instrumented.
func (t *Table) skip(key Key, redefined bool, why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if redefined {
		t.unshown.show(key)
	} else {
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
	t.unshown.load(loader, r)
	t.nameSkipped(loader, r)
	if v == nil {
		return nil
	}
	t.keepClass(r, class)
	c := t.add(loader, v, r, uint32(len(class)), micros)
	c.original = nil
	if t.options.adaptable(r) {
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
	key := Key{loader, r.Name}
	if t.options.Contexts != nil {
		t.options.Contexts.Define(key, v, r)
	}
	t.record(loader, v, r, size, micros)
	c := t.classes[key]
	if c == nil {
		c = &class{}
		t.classes[key] = c
	}
	c.versions = append(c.versions, v)
	t.unshown.sites(loader, r, uint32(v.counters.First))
	t.owners.add(loader, v)
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
	totals := make([]counters.Total, v.counters.Len())
	for i := range r.Methods {
		m := &r.Methods[i]
		for _, c := range m.Counters {
			totals[c.Number] = counters.Total{Adaptable: c.Kind == instrument.Path && t.options.adaptableMethod(m)}
		}
		def.Methods = append(def.Methods, v.methodDef(loader, m))
		t.nextSite += trace.SiteID(len(m.Sites))
	}
	t.next++
	t.loaded[loader] = append(t.loaded[loader], loadedClass{name: r.Name, id: def.ID, counters: v.counters})
	t.totals.Define(v.counters, totals)
	t.out.Put(def)
	t.space.Define(v.counters) // from here on snapshots have them
}

func (v *Version) methodDef(loader trace.LoaderID, m *instrument.Method) trace.MethodDef {
	def := classdef.Method(m)
	if m.Context != nil {
		def.Number = trace.MethodID(v.contexts.Of(m.Context.Number))
		def.Hidden = m.Context.Hidden && loader == bootLoader // the VM believes it of its own classes only
	}
	return def
}
