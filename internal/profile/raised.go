package profile

import "mallard/internal/trace"

// thrownAt gives the node and the site that belong to what was counted at a site in a node: the same, but for
// exceptions that the JVM made. These were counted by their constructors ([trace.Raised]) and belong to the
// instruction that threw, or that called the native method which did.
func (f *folder) thrownAt(node, made int32) (at, where int32) {
	raised := f.sites[made].def
	if raised.Kind != trace.Raised || node == lost {
		return node, made
	}
	c := &f.contexts
	call := &c.nodes[node]
	for call.parent >= 0 && c.isNative(call.parent) {
		call = &c.nodes[call.parent]
	}
	if call.parent < 0 || c.nodes[call.parent].method == lost {
		return node, made // nobody known called
	}
	m := &c.methods[c.nodes[call.parent].method]
	raised.BCI, raised.Line = call.bci, call.line
	key := siteKey{m.key, raised}
	where, known := f.siteKeys[key]
	if !known {
		where = int32(len(f.sites))
		f.siteKeys[key] = where
		f.sites = append(f.sites, site{siteKey: key, source: m.source, sums: f.sites[made].sums, paces: where})
	}
	return call.parent, where
}

func (c *contextTable) isNative(node int32) bool {
	method := c.nodes[node].method
	return method != lost && c.methods[method].native
}
