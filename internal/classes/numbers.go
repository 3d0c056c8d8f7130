package classes

import (
	"fmt"

	"mallard/internal/calltree"
	"mallard/internal/counters"
	"mallard/internal/instrument"
)

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
			t.space.Free([]counters.Range{v.counters})
			return err
		}
	}
	r.Add(t.numbers(v))
	return nil
}

// numbers are those of a version's first counter, method and call.
func (t *Table) numbers(v *Version) instrument.Numbers {
	n := instrument.Numbers{Counters: uint32(v.counters.First), Methods: uint32(v.contexts.First)}
	for _, id := range v.contexts.Each {
		n.Each = append(n.Each, uint32(id))
	}
	n.EachCall = v.contexts.Calls
	if v.contexts.First != 0 {
		n.Calls = t.options.Contexts.FirstCall(v.contexts.First)
	}
	return n
}

// take gives an instrumented class its counters' numbers.
func (t *Table) take(r *instrument.Result) (counters.Range, error) {
	t.space.reserveBelow(reservedNumbers / 4) // or classes out of the cache come to be instrumented
	numbers, ok := t.space.Take(r.Counters)
	if !ok {
		return counters.Range{}, fmt.Errorf("all %d counters are taken", t.space.Limit())
	}
	return numbers, nil
}

// ReserveSoon reserves numbers before there are none, or classes out of the cache come to be instrumented.
func (t *Table) ReserveSoon() { t.space.reserveBelow(reservedNumbers / 2) }
