package profile

import (
	"fmt"
	"slices"
	"strings"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// define makes the sites and counters of a class version known.
func (f *folder) define(class *trace.ClassDef) {
	first, end := uint64(class.CounterBase), uint64(class.CounterBase)+uint64(class.Counters)
	numbers := counterRange{uint32(first), uint32(end)}
	if end <= maxCounters {
		f.retire(numbers) // if the record that did it was lost
	}
	if end > maxCounters || !f.symbols.Add(class) {
		f.lose("definitions", 1, "class "+symbols.ClassName(class.Name)+" has numbers out of range")
		return
	}
	f.ranges[class.ID] = numbers
	f.tags.define(class)
	f.vectors = f.vectors || strings.HasPrefix(class.Name, "jdk/incubator/vector/")

	id := class.SiteBase
	for m := range class.Methods {
		method := &class.Methods[m]
		key := f.symbols.Key(class, method)
		if method.ThrowCrossesPath {
			f.inexact[key] = struct{}{}
		}
		delete(f.fallback, key)
		if method.Fallback != "" {
			f.fallback[key] = struct{}{}
			f.checkExecuted(key, method.Sites)
		}
		sites := f.updateSites(id, method.Sites)
		id += trace.SiteID(len(sites))
		counters := f.defineCounters(numbers, key, sites, method.Counters)
		if method.Number != 0 {
			f.contexts.define(method.Number, counters, f.constructorCalls(numbers.first, method.Constructors))
		}
	}
}

// checkExecuted notes a method with a weaker placement that counts no bytecodes although others do.
func (f *folder) checkExecuted(key symbols.MethodKey, sites []trace.SiteDef) {
	n := len(sites)
	if f.process != nil && slices.Contains(f.process.Track, bytecodesObserver) &&
		(n == 0 || sites[n-1].Kind != trace.Executed) {
		f.uncounted[key] = struct{}{}
	}
}

// updateSites returns the indexes of a method's sites.
func (f *folder) updateSites(first trace.SiteID, defs []trace.SiteDef) []int32 {
	for len(f.updates) < len(f.symbols.Sites) {
		f.updates = append(f.updates, siteUpdates{counted: int32(len(f.updates))})
	}
	indexes := make([]int32, len(defs))
	for i, def := range defs {
		index, _ := f.symbols.Site(first + trace.SiteID(i))
		indexes[i] = index
		// Each level of one multianewarray is updated once per execution, which the outermost level counts.
		if i > 0 && def.Kind == trace.Multi && defs[i-1].Kind == trace.Multi && def.BCI == defs[i-1].BCI {
			f.updates[index].counted = f.updates[indexes[i-1]].counted
		}
	}
	return indexes
}

// defineCounters notes what a method's counters mean, and returns it.
func (f *folder) defineCounters(numbers counterRange, method symbols.MethodKey, sites []int32,
	defs []trace.CounterDef) (counters []contextCounter) {
	sums := map[int32]int32{}
	for _, def := range defs {
		counter := uint64(numbers.first) + uint64(def.Counter)
		if counter >= uint64(numbers.end) {
			f.lose("definitions", 1, fmt.Sprintf("%s.%s has a counter outside its class's numbers",
				symbols.ClassName(method.Class), method.Name))
			continue
		}
		m := meaning{defined: true, kind: def.Kind}
		for _, t := range def.Semantics {
			if int(t.Site) >= len(sites) {
				f.lose("definitions", 1, fmt.Sprintf("%s.%s has a counter for a site that it has not",
					symbols.ClassName(method.Class), method.Name))
				continue
			}
			index := sites[t.Site]
			m.terms = append(m.terms, term{index, int64(t.Coefficient)})
			m.raised = m.raised || f.symbols.Sites[index].Def.Kind == trace.Raised
			if updates(f.symbols.Sites[index].Def, def.Kind, len(m.terms)) {
				sums[index]++
			}
		}
		f.meanings.set(uint32(counter), m)
		counters = append(counters, contextCounter{trace.CounterID(counter), m})
	}
	for index, n := range sums {
		f.updates[index].sums = n
	}
	return counters
}

// retireClass is retire for all numbers of a class version.
func (f *folder) retireClass(class trace.ClassID) {
	if numbers, ok := f.ranges[class]; ok {
		f.retire(numbers)
		delete(f.ranges, class)
	}
}

// retire folds what the threads counted under numbers and forgets what they
// meant, so that a later class version can take them.
func (f *folder) retire(numbers counterRange) {
	used := false
	f.meanings.each(numbers.first, numbers.end, func(_ uint32, m *meaning) { used = used || m.defined })
	if !used {
		return
	}
	for _, t := range f.threads {
		if !t.ended {
			f.foldCounters(t, numbers)
		}
	}
	f.meanings.each(numbers.first, numbers.end, func(_ uint32, m *meaning) { *m = meaning{} })
}

// constructorCalls makes the calls of a method known.
func (f *folder) constructorCalls(first uint32, calls []trace.ConstructorCall) []constructorCall {
	list := make([]constructorCall, len(calls))
	for i, c := range calls {
		list[i] = constructorCall{c.BCI, f.symbols.Intern(c.Class), f.symbols.Intern(c.Descriptor), c.Chains, c.Counted,
			trace.CounterID(first + c.Counter), c.Behind}
	}
	return list
}
