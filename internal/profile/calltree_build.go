package profile

import (
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// callsite is where the children of a node hang: in a context of the tree, at a
// call. For frames that the JVM does not print it is where these were called.
type callsite struct{ context, bci, line int32 }

// buildCallTree makes the contexts of all threads one tree, and returns with it
// the context of each node.
func (f *folder) buildCallTree() (t *callTree, of []int32) {
	t = newCallTree()
	if len(f.programs) > 0 {
		t.deepest += beyondDeepest
	}
	c := &f.contexts
	t.expect(len(c.Nodes))
	unknown := t.special(symbols.UnknownFrame)
	of = make([]int32, len(c.Nodes))
	hidden := map[int32]callsite{}
	methods := make([]int32, len(c.Methods)) // in the tree, and one; 0 as long as none of its nodes has come
	for i := range c.Nodes {
		node := &c.Nodes[i]
		call := callsite{-1, node.BCI, node.Line}
		switch {
		case node.Parent == symbols.Lost:
			call = callsite{t.child(-1, unknown, -1, -1), -1, -1}
		case node.Parent >= 0:
			call.context = of[node.Parent]
			if outside, is := hidden[node.Parent]; is {
				call = outside
			}
		}
		method := unknown
		if m := c.MethodOf(int32(i)); m != nil {
			if of := &methods[node.Method]; *of == 0 {
				*of = 1 + t.method(m.Key, func() symbols.Method {
					return f.symbols.Method(m.Key, m.Source, m.Native)
				})
			}
			method = methods[node.Method] - 1
			if m.Hidden {
				hidden[int32(i)] = call
			}
		}
		of[i] = t.child(call.context, method, call.bci, call.line)
		t.contexts[of[i]].Calls += c.callsOf(int32(i))
	}
	return t, of
}

// assignContexts gives every cell of every thread its context, and returns as
// buildCallTree does.
func (f *folder) assignContexts(threads []countedThread) (*callTree, []int32) {
	t, of := f.buildCallTree()
	for i := range threads {
		for k := range threads[i].cells {
			c := &threads[i].cells[k]
			site := &f.symbols.Sites[c.site]
			method := t.method(site.Method, func() symbols.Method {
				return f.symbols.Method(site.Method, site.Source, false)
			})
			c.context = t.withoutCaller(method, f.contexts.Tracked && !site.OfVM())
			t.alone[c.site] = c.context
		}
	}
	byNumber, all := map[trace.ThreadID]int{}, map[trace.ThreadID]int{}
	others := len(threads) - 1 // threads that are not kept apart come last
	for i, t := range threads {
		all[t.number] = i
		if t.Merged <= 1 {
			byNumber[t.number] = i
		}
	}
	for _, c := range f.contexts.added {
		c.cell.context = of[c.node]
		thread, known := all[c.thread]
		if !known {
			thread = others
		}
		threads[thread].cells = append(threads[thread].cells, c.cell)
	}
	f.eachContext(0, func(node int32, cells []cell) {
		thread, known := byNumber[f.contexts.counts[node].thread]
		if !known {
			thread = others
		}
		for _, c := range cells {
			c.context = of[node]
			threads[thread].cells = append(threads[thread].cells, c)
		}
	})
	f.contexts.ForgetNodes()
	f.contexts.counts, f.contexts.values = nil, nil
	for i := range threads {
		threads[i].cells = sumCells(threads[i].cells)
	}
	return t, of
}
