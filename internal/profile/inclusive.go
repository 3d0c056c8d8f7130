package profile

import (
	"cmp"
	"slices"
	"strings"

	"mallard/internal/symbols"
)

// withInclusive gives rows of methods what they called, too, and adds those that only called, where that is asked for
// and contexts are known.
func (p *Profile) withInclusive(rows []Row, q Query) []Row {
	if !q.Inclusive || !p.Tracked {
		return rows
	}
	all := p.inclusive(q.Filter)
	for i := range rows {
		key := ByMethod.key(rows[i])
		rows[i].Inclusive = all[key]
		delete(all, key)
	}
	sited := len(rows)
	for key, amount := range all {
		rows = append(rows, Row{Loader: key.loader, Inclusive: amount, Site: &Site{Class: key.owner,
			Method: key.method, Descriptor: key.descriptor, Loader: key.loader, BCI: -1, Line: -1}})
	}
	slices.SortFunc(rows[sited:], func(a, b Row) int {
		return cmp.Or(strings.Compare(a.Site.Class, b.Site.Class), strings.Compare(a.Site.Method, b.Site.Method),
			strings.Compare(a.Site.Descriptor, b.Site.Descriptor), strings.Compare(a.Loader, b.Loader))
	})
	return rows
}

// inclusive gives what was allocated in each method and in all that it called, once where it called itself.
func (p *Profile) inclusive(f Filter) map[rowKey]Amount {
	amounts, ends := make([]Amount, len(p.Contexts)), make([]int32, len(p.Contexts))
	for s := range p.Samples(f) {
		if !s.Site.Executed {
			amounts[s.Context].Add(s.Amount)
		}
	}
	for i := len(p.Contexts) - 1; i >= 0; i-- {
		ends[i] = max(ends[i], int32(i)+1)
		if parent := p.Contexts[i].Parent; parent >= 0 {
			amounts[parent].Add(amounts[i])
			ends[parent] = max(ends[parent], ends[i])
		}
	}
	of, keys := p.numberedMethods()
	sums, inside := make([]Amount, len(keys)), make([]int32, len(keys)) // of each, where the outermost invocation ends
	for i := range p.Contexts {
		if method := of[p.Contexts[i].Method]; int32(i) >= inside[method] {
			sums[method].Add(amounts[i])
			inside[method] = ends[i]
		}
	}
	all := map[rowKey]Amount{}
	for i, key := range keys {
		if key.owner != "" {
			all[key] = sums[i]
		}
	}
	return all
}

// numberedMethods gives the number of each method, and what rows know it by, which several have where a class was
// redefined.
func (p *Profile) numberedMethods() (of []int32, keys []rowKey) {
	numbers := map[rowKey]int32{}
	of = make([]int32, len(p.Methods))
	for i := range p.Methods {
		key := methodKey(&p.Methods[i])
		n, known := numbers[key]
		if !known {
			n = int32(len(keys))
			numbers[key] = n
			keys = append(keys, key)
		}
		of[i] = n
	}
	return of, keys
}

func methodKey(m *symbols.Method) rowKey {
	return rowKey{loader: m.Loader, owner: m.Class, method: m.Name, descriptor: m.Descriptor}
}
