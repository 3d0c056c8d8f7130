package instrument

import (
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// MakesOf says how objects of a class are counted that a call makes, in the place of the call's own counters, whose
// first this is: there are as many counters, in the same order, and one more where paths have counted the object as of
// the type of the call's site. It is nil where there is no such call, or the class is the type of its site.
func (r *Result) MakesOf(counter uint32, class string) *Result {
	for i := range r.Methods {
		m := &r.Methods[i]
		for _, c := range m.Counters {
			if c.Number != counter || c.Kind == Path || c.Kind == Sum || c.Kind == Tag {
				continue
			}
			if m.Sites[c.Site].Type == class {
				return nil
			}
			of := ofClass{method: m, from: c, class: class}
			return &Result{Name: r.Name, Source: r.Source, Methods: []Method{of.count()},
				Counters: uint32(len(of.counters))}
		}
	}
	return nil
}

// ofClass makes the counters of what a call makes of one class.
type ofClass struct {
	method   *Method
	from     Counter // the first of the call's
	class    string
	sites    []allocations.Site // the first is that of the class
	counters []Counter
}

func (o *ofClass) count() Method {
	site := o.method.Sites[o.from.Site]
	site.Type = o.class
	if site.Kind == allocations.Called {
		site.Kind = allocations.Multi
	}
	o.sites = []allocations.Site{site}
	switch o.from.Kind {
	case Arrays: // what an array adds to paths it adds whatever its class
		o.add(Arrays, o.reattributed(o.from.Semantics))
		o.add(Elements, nil)
		o.add(Bytes, nil)
	default:
		o.add(Elements, nil)
		o.add(Bytes, nil)
		o.add(Arrays, o.reattributed(nil))
	}
	count := Method{Name: o.method.Name, Descriptor: o.method.Descriptor, Sites: o.sites, Counters: o.counters}
	if x := o.method.Context; x != nil {
		count.Context = &Context{Number: x.Number, Hidden: x.Hidden}
	}
	return count
}

func (o *ofClass) add(kind CounterKind, adds placement.Vector) {
	o.counters = append(o.counters, Counter{Number: uint32(len(o.counters)), Kind: kind, Semantics: adds})
}

// reattributed is what an update adds, and an object less at the call's site, which it or another counter has counted
// there, and one more at the class's.
func (o *ofClass) reattributed(adds placement.Vector) placement.Vector {
	sum := placement.Unit(0)
	for _, term := range adds.Sub(placement.Unit(o.from.Site)) {
		sum = sum.Add(placement.Vector{{Site: int32(o.site(int(term.Site))), N: term.N}})
	}
	return sum
}

// site adds one of the method's.
func (o *ofClass) site(index int) int {
	o.sites = append(o.sites, o.method.Sites[index])
	return len(o.sites) - 1
}
