package profile

import (
	"cmp"
	"slices"

	"mallard/internal/trace"
)

// callsite is where the children of a node hang: in a context of the tree, at a
// call. For frames that the JVM does not print it is where these were called.
type callsite struct{ context, bci, line int32 }

// buildCallTree makes the contexts of all threads one tree, and returns with it
// the context of each node.
func (f *folder) buildCallTree() (t *callTree, of []int32) {
	t = newCallTree()
	c := &f.contexts
	of = make([]int32, len(c.nodes))
	hidden := map[int32]callsite{}
	for i := range c.nodes {
		node := &c.nodes[i]
		call := callsite{-1, node.bci, node.line}
		switch {
		case node.parent == lost:
			call = callsite{t.child(-1, t.special(unknownFrame), -1, -1), -1, -1}
		case node.parent >= 0:
			call.context = of[node.parent]
			if outside, is := hidden[node.parent]; is {
				call = outside
			}
		}
		method := t.special(unknownFrame)
		if node.method != lost {
			m := &c.methods[node.method]
			method = t.method(m.key, func() Method { return f.publicMethod(m.key, m.source, m.native) })
			if m.hidden {
				hidden[int32(i)] = call
			}
		}
		of[i] = t.child(call.context, method, call.bci, call.line)
		t.contexts[of[i]].Calls += c.calls(int32(i))
	}
	return t, of
}

// placeContexts gives every cell of every thread its context, and returns as
// buildCallTree does.
func (f *folder) placeContexts(threads []countedThread) (*callTree, []int32) {
	t, of := f.buildCallTree()
	for i := range threads {
		for k := range threads[i].cells {
			c := &threads[i].cells[k]
			site := &f.sites[c.site]
			method := t.method(site.method, func() Method { return f.publicMethod(site.method, site.source, false) })
			c.context = t.alone(method, f.contexts.tracked)
		}
	}
	byNumber := map[trace.ThreadID]int{}
	others := len(threads) - 1 // threads that are not kept apart come last
	for i, t := range threads {
		if t.Merged == 1 {
			byNumber[t.number] = i
		}
	}
	f.eachContext(func(node int32, cells map[int32]cell) {
		thread, known := byNumber[f.contexts.nodes[node].thread]
		if !known {
			thread = others
		}
		for _, c := range cells {
			c.context = of[node]
			threads[thread].cells = append(threads[thread].cells, c)
		}
		f.contexts.nodes[node].values = nil
	})
	f.contexts.nodes, f.contexts.indexes = nil, nil
	for i := range threads {
		threads[i].cells = unite(threads[i].cells)
	}
	return t, of
}

// unite sorts cells by site and context, and adds up those of the same.
func unite(cells []cell) []cell {
	slices.SortFunc(cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.site, b.site), cmp.Compare(a.context, b.context))
	})
	united := cells[:0]
	for _, c := range cells {
		if last := len(united) - 1; last >= 0 && united[last].site == c.site && united[last].context == c.context {
			united[last].objects += c.objects
			united[last].elements += c.elements
			united[last].bytes += c.bytes
			continue
		}
		united = append(united, c)
	}
	return united
}

func (f *folder) publicMethod(key methodKey, source string, native bool) Method {
	if key.isTransaction() {
		return Method{Name: key.name, Transaction: true}
	}
	return Method{
		Class:      f.intern(ClassName(key.class)),
		Name:       key.name,
		Descriptor: key.descriptor,
		Source:     source,
		Loader:     f.types.declaring(key.class, key.loader),
		Native:     native,
	}
}
