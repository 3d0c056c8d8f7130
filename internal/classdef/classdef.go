// Package classdef says in the terms of a recording what an instrumented class counts: it leads from package
// instrument to package trace.
package classdef

import (
	"slices"

	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// Method describes a method. Its Number and Hidden, which depend on the JVM, are left out.
func Method(m *instrument.Method) trace.MethodDef {
	def := trace.MethodDef{Name: m.Name, Descriptor: m.Descriptor, Fallback: m.Fallback, ThrowCrossesPath: m.Crosses,
		Sites: make([]trace.SiteDef, 0, len(m.Sites)), Counters: make([]trace.CounterDef, 0, len(m.Counters))}
	for _, site := range m.Sites {
		def.Sites = append(def.Sites, trace.SiteDef{BCI: int32(site.BCI), Line: int32(site.Line), Type: site.Type,
			Kind: trace.SiteKind(site.Kind), Length: uint32(site.Length), Looped: site.Looped, Copied: site.Copied,
			PassedTo: uint32(site.PassedTo)})
	}
	for _, c := range m.Counters {
		def.Counters = append(def.Counters, counter(c))
	}
	if m.Context != nil {
		def.Constructors = constructors(m.Context)
	}
	return def
}

func constructors(x *instrument.Context) []trace.ConstructorCall {
	var list []trace.ConstructorCall
	for _, c := range x.Constructions {
		call := &x.Calls[c.Call]
		list = append(list, trace.ConstructorCall{BCI: int32(call.BCI), Class: c.Class, Descriptor: c.Descriptor,
			Chains: c.Chains, Counted: c.Counted, Counter: c.Counter, Behind: uint32(c.Behind)})
	}
	return list
}

func counter(c instrument.Counter) trace.CounterDef {
	def := trace.CounterDef{Counter: c.Number, Kind: trace.CounterKind(c.Kind)}
	switch c.Kind {
	case instrument.Elements, instrument.Bytes, instrument.Tag:
		def.Semantics = []trace.Term{{Site: uint32(c.Site), Coefficient: 1}}
	}
	for _, t := range c.Semantics {
		if term := (trace.Term{Site: uint32(t.Site), Coefficient: t.N}); int(t.Site) == c.Site &&
			c.Kind == instrument.Arrays {
			def.Semantics = slices.Insert(def.Semantics, 0, term) // the first is this site's
		} else {
			def.Semantics = append(def.Semantics, term)
		}
	}
	return def
}
