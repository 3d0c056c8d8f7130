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
		f.setInContext(r.Thread, values[:n], r.Full)
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

// setInContext stores values of one context, which are all that are not zero if the record is Full.
func (f *folder) setInContext(thread trace.ThreadID, values []trace.ContextValue, full bool) {
	c := &f.contexts
	i := c.Node(values[0].Context)
	if i == symbols.Lost || c.Nodes[i].Method == symbols.Lost {
		c.unknown += uint64(len(values))
		return
	}
	node, method := &c.counts[i], &c.methods[c.Nodes[i].Method]
	if node.values.room == 0 {
		c.reserve(i, len(values))
	}
	set := 0
	for _, v := range values {
		counter, known := method.find(v.Counter)
		if !known {
			c.unknown++
			continue
		}
		meaning := &method.counters[counter].meaning
		if !meaning.kind.MayBeNegative() && f.isNegative(v.Value) {
			continue
		}
		node.thread = thread
		if meaning.raised {
			for _, t := range meaning.terms {
				belongs, _ := f.throwingSite(i, t.site)
				c.counts[belongs].thread = thread
			}
		}
		value := c.value(i, counter, set)
		if f.changed != nil {
			f.difference(thread, i, *meaning, value.value, v.Value)
		}
		value.value = v.Value
		set++
	}
	if full && set < int(node.values.n) {
		f.zeroOthersInContext(thread, i, values)
	}
}

// zeroOthersInContext makes the counters of a context zero that a Full record, which names some of them, does not.
func (f *folder) zeroOthersInContext(thread trace.ThreadID, i int32, named []trace.ContextValue) {
	c := &f.contexts
	all := c.valuesOf(i)
	for k := range all {
		value := &all[k]
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
		if n := &f.contexts.counts[node]; n.values.n == 0 {
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
func (f *folder) eachContext(first int32, yield func(node int32, cells []cell)) {
	c := &f.contexts
	slices.SortFunc(c.terms, func(a, b contextTerm) int { return cmp.Compare(a.node, b.node) })
	begin, _ := slices.BinarySearchFunc(c.terms, first, func(t contextTerm, node int32) int {
		return cmp.Compare(t.node, node)
	})
	terms := c.terms[begin:]
	sums := newCellSums(len(f.symbols.Sites))
	subtract := func(part cell) { sums.add(part.negative()) }
	for i := int(first); i < len(c.counts); i++ {
		sums.clear()
		raised := false
		meaning := func(v contextValue) meaning {
			m := &c.methods[c.Nodes[i].Method].counters[v.counter].meaning
			raised = raised || m.raised
			return *m
		}
		for _, v := range c.valuesOf(int32(i)) {
			m := meaning(v)
			f.addIncrements(m, v.value)
			f.eachPart(m, v.value, sums.add)
		}
		for _, v := range c.base.of(int32(i)) {
			m := meaning(v)
			f.addIncrements(m, -v.value)
			f.eachPart(m, v.value, subtract)
		}
		for ; len(terms) > 0 && terms[0].node == int32(i); terms = terms[1:] {
			sums.add(cell{site: terms[0].site, objects: -terms[0].coefficient})
			raised = true // it may be
		}
		cells := sums.cells
		if raised {
			cells = f.yieldThrown(int32(i), cells, yield)
		}
		if len(cells) > 0 {
			yield(int32(i), cells)
		}
	}
}

// yieldThrown calls yield with what belongs to callers of a node, and gives the others.
func (f *folder) yieldThrown(node int32, cells []cell, yield func(node int32, cells []cell)) (others []cell) {
	for _, c := range cells {
		belongs, at := f.throwingSite(node, c.site)
		if at == c.site {
			others = append(others, c)
			continue
		}
		c.site = at
		yield(belongs, []cell{c})
	}
	return others
}
