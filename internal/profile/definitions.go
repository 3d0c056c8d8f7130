package profile

import (
	"fmt"
	"slices"
	"strings"

	"mallard/internal/trace"
)

// Numbers above these are damage, not definitions: they bound the tables that
// are indexed by them.
const (
	maxCounters = 1 << 24
	maxSites    = 1 << 24
)

// site is a Site while the recording is being read: everything about it but
// its amounts, which are in the threads' cells.
type site struct {
	siteKey
	source string
	sums   int32 // counters that each allocation at this site updates
	paces  int32 // index of the site whose objects say how often the sums are updated
}

// siteKey is what makes a site the same in all instrumented versions of a class.
type siteKey struct {
	method methodKey
	def    trace.SiteDef
}

type methodKey struct {
	loader                  trace.LoaderID
	class, name, descriptor string
}

// meaning is what one counter number currently stands for.
type meaning struct {
	defined bool
	kind    trace.CounterKind
	terms   []term
}

type term struct {
	site        int32 // index in folder.sites
	coefficient int64
}

// counterRange is the counter numbers of one class version: [first, end).
type counterRange struct{ first, end uint32 }

// define makes the sites and counters of a class version known.
func (f *folder) define(class *trace.ClassDef) {
	first, end := uint64(class.CounterBase), uint64(class.CounterBase)+uint64(class.Counters)
	if end > maxCounters || class.SiteBase > maxSites {
		f.lose("definitions", 1, "class "+ClassName(class.Name)+" has numbers out of range")
		return
	}
	numbers := counterRange{uint32(first), uint32(end)}
	f.retire(numbers) // if the record that did it was lost
	f.ranges[class.ID] = numbers
	className, source := f.intern(class.Name), f.intern(class.Source)
	f.types.define(className, class.Loader)

	id := int(class.SiteBase)
	for m := range class.Methods {
		method := &class.Methods[m]
		key := methodKey{class.Loader, className, f.intern(method.Name), f.intern(method.Descriptor)}
		if method.ThrowCrossesPath {
			f.inexact[key] = struct{}{}
		}
		delete(f.fallback, key)
		if method.Fallback != "" {
			f.fallback[key] = struct{}{}
			f.checkExecuted(key, method.Sites)
		}
		sites := f.defineSites(key, source, method.Sites)
		for _, s := range sites {
			f.number(id, s)
			id++
		}
		counters := f.defineCounters(numbers, key, sites, method.Counters)
		if method.Number != 0 {
			f.contexts.defineMethod(method.Number, contextMethod{key: key, source: source, hidden: method.Hidden, counters: counters,
				constructors: f.constructorCalls(numbers.first, method.Constructors)})
		}
	}
}

// checkExecuted notes a method with a weaker placement that counts no bytecodes although others do.
func (f *folder) checkExecuted(key methodKey, sites []trace.SiteDef) {
	n := len(sites)
	if f.process != nil && slices.Contains(f.process.Track, bytecodesObserver) && (n == 0 || sites[n-1].Kind != trace.Executed) {
		f.uncounted[key] = struct{}{}
	}
}

// defineSites returns the indexes of a method's sites, old or new.
func (f *folder) defineSites(method methodKey, source string, defs []trace.SiteDef) []int32 {
	indexes := make([]int32, len(defs))
	for i, def := range defs {
		def.Type = f.intern(def.Type)
		key := siteKey{method, def}
		index, known := f.siteKeys[key]
		if !known {
			index = int32(len(f.sites))
			f.siteKeys[key] = index
			f.sites = append(f.sites, site{siteKey: key, source: source, paces: index})
		}
		indexes[i] = index
		// Each level of one multianewarray is updated once per execution, which the outermost level counts.
		if i > 0 && def.Kind == trace.Multi && defs[i-1].Kind == trace.Multi && def.BCI == defs[i-1].BCI {
			f.sites[index].paces = f.sites[indexes[i-1]].paces
		}
		f.sites[index].sums = 0
	}
	return indexes
}

// number notes that site id is f.sites[index].
func (f *folder) number(id int, index int32) {
	for len(f.siteOf) <= id {
		f.siteOf = append(f.siteOf, -1)
	}
	f.siteOf[id] = index
}

// defineCounters notes what a method's counters mean, and returns it.
func (f *folder) defineCounters(numbers counterRange, method methodKey, sites []int32, defs []trace.CounterDef) (counters []contextCounter) {
	for _, def := range defs {
		counter := uint64(numbers.first) + uint64(def.Counter)
		if counter >= uint64(numbers.end) {
			f.lose("definitions", 1, fmt.Sprintf("%s.%s has a counter outside its class's numbers", ClassName(method.class), method.name))
			continue
		}
		m := meaning{defined: true, kind: def.Kind}
		for _, t := range def.Semantics {
			if int(t.Site) >= len(sites) {
				f.lose("definitions", 1, fmt.Sprintf("%s.%s has a counter for a site that it has not", ClassName(method.class), method.name))
				continue
			}
			index := sites[t.Site]
			m.terms = append(m.terms, term{index, int64(t.Coefficient)})
			if updates(f.sites[index].def, def.Kind, len(m.terms)) {
				f.sites[index].sums++
			}
		}
		f.meanings.set(uint32(counter), m)
		counters = append(counters, contextCounter{trace.CounterID(counter), m})
	}
	return counters
}

// updates reports whether each allocation at a site updates a counter of a kind
// that has it as its n-th term.
func updates(site trace.SiteDef, kind trace.CounterKind, n int) bool {
	switch site.Kind {
	case trace.Multi, trace.Raised:
		return kind != trace.Path
	case trace.ArrayLen:
		return kind == trace.Packed && n == 1
	case trace.Called:
		return kind == trace.Bytes || kind == trace.Elements && strings.HasPrefix(site.Type, "[")
	}
	return false
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
			f.settle(t, numbers)
		}
	}
	f.meanings.each(numbers.first, numbers.end, func(_ uint32, m *meaning) { *m = meaning{} })
}
