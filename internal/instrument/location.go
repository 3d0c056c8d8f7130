package instrument

import (
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// Some objects are made by nobody's bytecode on behalf of an instruction: those of `Foo::new`, which a hidden class
// makes that the JVM spins when it links the invokedynamic instruction, exceptions that the JVM throws by itself,
// what native methods make. They belong to that instruction.

// A CodeLocation is such an instruction.
type CodeLocation struct {
	Class, Source      string // internal form; SourceFile attribute, "" without one
	Method, Descriptor string
	BCI                int // in the class file as it was
	Line               int // -1 unknown
}

// AttributeTo says that what a class allocates is allocated at one location elsewhere.
func (r *Result) AttributeTo(p CodeLocation) {
	r.Name, r.Source = p.Class, p.Source
	for i := range r.Methods {
		m := &r.Methods[i]
		m.Name, m.Descriptor = p.Method, p.Descriptor
		for k := range m.Sites {
			m.Sites[k].BCI, m.Sites[k].Line = p.BCI, p.Line
		}
	}
}

// Allocates says that objects of some types, as an [allocations.Site] has them, are allocated at a location. Each type
// has three counters in a row: objects, elements, bytes.
func (p CodeLocation) Allocates(types ...string) *Result {
	m := Method{Name: p.Method, Descriptor: p.Descriptor}
	for i, t := range types {
		n := uint32(3 * i)
		m.Sites = append(m.Sites, allocations.Site{BCI: p.BCI, Line: p.Line, Type: t, Kind: allocations.Multi})
		m.Counters = append(m.Counters, Counter{Number: n, Kind: Arrays, Semantics: placement.Unit(i), Site: i},
			Counter{Number: n + 1, Kind: Elements, Site: i}, Counter{Number: n + 2, Kind: Bytes, Site: i})
	}
	return &Result{Name: p.Class, Source: p.Source, Counters: uint32(3 * len(types)), Methods: []Method{m}}
}
