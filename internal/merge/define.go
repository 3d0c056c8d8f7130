package merge

import (
	"mallard/internal/profile"
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// define makes known what a source has that those before it have not.
func (m *merger) define(p *profile.Profile) {
	m.defineSites(p)
	m.ofContext = nil
	if m.tracked {
		m.defineContexts(p)
	}
}

// siteKey says so of a site; unsized is one of which the bytes are not known.
func (m *merger) siteKey(s *profile.Site, unsized bool) siteKey {
	k := siteKey{m.names.stable(s.Class), m.names.stable(s.Method), s.Descriptor, s.Source, m.names.stable(s.Type),
		trace.SiteDef{BCI: s.BCI, Line: s.Line, Kind: trace.Called, Looped: s.Looped, Copied: s.Copied,
			PassedTo: uint32(s.PassedTo)}}
	switch {
	case s.Executed:
		k.def.Kind = trace.Executed
	case unsized && s.Array:
		k.def.Kind = trace.ArrayLen
	case unsized:
		k.def.Kind = trace.Instance
	}
	return k
}

// defineSites numbers the sites of a source; those of a class that are new are in a definition of it.
func (m *merger) defineSites(p *profile.Profile) {
	m.ofSite = make([]trace.SiteID, len(p.Sites))
	var class *trace.ClassDef
	end := func() {
		if class != nil {
			m.emit(class)
			class = nil
		}
	}
	number := func(k siteKey) trace.SiteID {
		id, known := m.sites[k]
		if known {
			return id
		}
		id = trace.SiteID(len(m.sites))
		m.sites[k] = id
		name := internalName(k.class)
		if class == nil || class.Name != name || class.Source != k.source {
			end()
			class = &trace.ClassDef{ID: m.classes, Name: name, Source: k.source, SiteBase: id}
			m.classes++
		}
		def := k.def
		if k.allocated != "" {
			def.Type = symbols.InternalType(k.allocated)
		}
		last := len(class.Methods) - 1
		if last < 0 || class.Methods[last].Name != k.method || class.Methods[last].Descriptor != k.descriptor {
			class.Methods = append(class.Methods, trace.MethodDef{Name: k.method, Descriptor: k.descriptor})
			last++
		}
		class.Methods[last].Sites = append(class.Methods[last].Sites, def)
		return id
	}
	unsized := unsizedSites(p)
	for i := range p.Sites {
		s := &p.Sites[i]
		if s.Executed && !m.bytecodes {
			continue
		}
		m.ofSite[i] = number(m.siteKey(s, false))
		if !s.Executed && unsized[int32(i)] {
			number(m.siteKey(s, true))
		}
	}
	end()
}

// unsizedSites gives the sites of which the size of some objects is not known.
func unsizedSites(p *profile.Profile) map[int32]bool {
	sites := map[int32]bool{}
	for i := range p.Threads {
		for _, c := range p.Threads[i].Cells {
			if c.Amount.Unsized != 0 {
				sites[c.Site] = true
			}
		}
	}
	return sites
}

// defineContexts numbers the contexts of a source.
func (m *merger) defineContexts(p *profile.Profile) {
	methods := make([]trace.MethodID, len(p.Methods))
	for i := range p.Methods {
		methods[i] = m.method(&p.Methods[i])
	}
	m.ofContext = make([]trace.ContextID, len(p.Contexts))
	var nodes []trace.ContextNode
	for i := range p.Contexts {
		c := &p.Contexts[i]
		key := contextKey{method: methods[c.Method], bci: c.BCI, line: c.Line}
		if c.Parent >= 0 {
			key.parent = m.ofContext[c.Parent]
		}
		id, known := m.contexts[key]
		if !known {
			id = trace.ContextID(len(m.contexts) + 1)
			m.contexts[key] = id
			m.invocations = append(m.invocations, 0)
			nodes = append(nodes, trace.ContextNode{ID: id, Parent: key.parent, Method: key.method, BCI: c.BCI,
				Line: c.Line})
		}
		m.ofContext[i] = id
		m.invocations[id-1] = saturated(m.invocations[id-1], c.Calls)
	}
	for part := range chunks(nodes) {
		m.emit(&trace.Contexts{Nodes: part})
	}
}

// method numbers a method that stands in contexts.
func (m *merger) method(method *symbols.Method) trace.MethodID {
	key := methodKey{m.names.stable(method.Class), m.names.stable(method.Name), method.Descriptor, method.Source,
		method.Native, method.Transaction}
	if method.Transaction {
		key.name = method.Name
	}
	id, known := m.methods[key]
	if known {
		return id
	}
	id = trace.MethodID(len(m.methods) + 1)
	m.methods[key] = id
	if method.Transaction {
		m.emit(&trace.Transaction{Number: id, Name: profile.Unbracketed(method.Name)})
	} else {
		m.emit(&trace.MethodName{Number: id, Class: internalName(key.class), Name: key.name,
			Descriptor: key.descriptor, Source: key.source, Native: key.native})
	}
	return id
}
