package profile

import (
	"cmp"
	"slices"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// takeContexts takes a record about contexts.
func (f *folder) takeContexts(record trace.Record) {
	switch r := record.(type) {
	case *trace.Contexts, *trace.MethodName, *trace.Transaction:
		f.contexts.grow()
	case *trace.ContextCounts:
		f.contextCounts(r)
	case *trace.TransactionSizes:
		f.takeSizes(r)
	case *trace.ContextLiveFrames:
		f.contextLiveFrames(r)
	}
}

// takeSizes takes the sizes of transactions.
func (f *folder) takeSizes(r *trace.TransactionSizes) {
	method, known := f.contexts.Method(r.Number)
	if !known {
		return
	}
	key := f.contexts.Methods[method].Key
	if s, ok := newTransactionSizes(r); ok && key.IsTransaction() {
		f.transactions[Unbracketed(key.Name)] = s
	}
}

// contextCounts replaces what was counted in contexts.
func (f *folder) contextCounts(r *trace.ContextCounts) {
	if f.merged.merged == 0 {
		f.thread(r.Thread) // a new one, if its record is missing
	}
	c := &f.contexts
	for values := r.Values; len(values) > 0; {
		n := 1
		for n < len(values) && values[n].Context == values[0].Context {
			n++
		}
		for _, v := range values[:n] {
			if !f.setInContext(r.Thread, v) {
				c.unknown++
			}
		}
		if r.Full {
			f.zeroOthersInContext(r.Thread, values[:n])
		}
		values = values[n:]
	}
	for _, v := range r.Invocations {
		i := c.Node(v.Context)
		if i == symbols.Lost {
			c.unknown++
			continue
		}
		if f.isNegative(v.Count) {
			continue
		}
		c.counts[i].thread, c.counts[i].calls = r.Thread, v.Count
	}
}

// setInContext stores one value; false if it has no definition.
func (f *folder) setInContext(thread trace.ThreadID, v trace.ContextValue) bool {
	c := &f.contexts
	i := c.Node(v.Context)
	if i == symbols.Lost || c.Nodes[i].Method == symbols.Lost {
		return false
	}
	node, method := &c.counts[i], &c.methods[c.Nodes[i].Method]
	counter, known := method.find(v.Counter)
	if !known {
		return false
	}
	meaning := method.counters[counter].meaning
	if !meaning.kind.MayBeNegative() && f.isNegative(v.Value) {
		return true
	}
	node.thread = thread
	for _, t := range meaning.terms {
		belongs, _ := f.throwingSite(i, t.site)
		c.counts[belongs].thread = thread
	}
	at, known := slices.BinarySearchFunc(node.values, counter,
		func(a contextValue, counter int32) int { return cmp.Compare(a.counter, counter) })
	if !known {
		node.values = slices.Insert(node.values, at, contextValue{counter: counter})
	}
	if f.changed != nil {
		f.difference(thread, i, meaning, node.values[at].value, v.Value)
	}
	node.values[at].value = v.Value
	return true
}

// zeroOthersInContext makes the counters of a context zero that a Full record, which names some of them, does not.
func (f *folder) zeroOthersInContext(thread trace.ThreadID, named []trace.ContextValue) {
	c := &f.contexts
	i := c.Node(named[0].Context)
	if i == symbols.Lost {
		return
	}
	node := &c.counts[i]
	for k := range node.values {
		value := &node.values[k]
		counter := &c.methods[c.Nodes[i].Method].counters[value.counter]
		if value.value == 0 || slices.ContainsFunc(named, func(v trace.ContextValue) bool {
			return v.Counter == counter.counter
		}) {
			continue
		}
		if f.changed != nil {
			f.difference(thread, i, counter.meaning, value.value, 0)
		}
		value.value = 0
	}
}

// contextLiveFrames notes what unfinished invocations counted ahead.
func (f *folder) contextLiveFrames(r *trace.ContextLiveFrames) {
	for _, term := range r.Terms {
		node := f.contexts.Node(term.Context)
		site, known := f.symbols.Site(term.Site)
		if node == symbols.Lost || !known {
			f.contexts.unknown++
			continue
		}
		if n := &f.contexts.counts[node]; len(n.values) == 0 {
			n.thread = r.Thread
		}
		f.contexts.terms = append(f.contexts.terms, contextTerm{node, site, term.Coefficient})
		if f.changed != nil {
			f.changed(r.Thread, node, cell{site: site, objects: -term.Coefficient})
		}
	}
	f.contexts.sumTerms()
}

// eachContext calls yield with every node that counted, from the first on that is wanted, and what was counted
// there by site, in one call or several. The cells are good until yield returns. What an exception's site is for is
// yielded for a caller.
func (f *folder) eachContext(first int32, yield func(node int32, cells map[int32]cell)) {
	c := &f.contexts
	slices.SortFunc(c.terms, func(a, b contextTerm) int { return cmp.Compare(a.node, b.node) })
	begin, _ := slices.BinarySearchFunc(c.terms, first, func(t contextTerm, node int32) int {
		return cmp.Compare(t.node, node)
	})
	terms := c.terms[begin:]
	sums := map[int32]cell{}
	for i := int(first); i < len(c.counts); i++ {
		clear(sums)
		meaning := func(v contextValue) meaning { return c.methods[c.Nodes[i].Method].counters[v.counter].meaning }
		for _, v := range c.counts[i].values {
			f.apply(sums, meaning(v), v.value)
		}
		if i < len(c.base) {
			for _, v := range c.base[i].values {
				f.subtract(sums, meaning(v), v.value)
			}
		}
		for ; len(terms) > 0 && terms[0].node == int32(i); terms = terms[1:] {
			sum := sums[terms[0].site]
			sum.site = terms[0].site
			sum.objects -= terms[0].coefficient
			sums[terms[0].site] = sum
		}
		for site, sum := range sums {
			if belongs, at := f.throwingSite(int32(i), site); at != site {
				delete(sums, site)
				sum.site = at
				yield(belongs, map[int32]cell{at: sum})
			}
		}
		if len(sums) > 0 {
			yield(int32(i), sums)
		}
	}
}
