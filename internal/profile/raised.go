package profile

import (
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// throwingSite gives the node and the site that belong to what was counted at a site in a node: the same, but for
// exceptions that the JVM made. These were counted by their constructors ([trace.Raised]) and belong to the
// instruction that threw, or that called the native method which did.
func (f *folder) throwingSite(node, made int32) (at, site int32) {
	if f.symbols.Sites[made].Def.Kind != trace.Raised || node == symbols.Lost {
		return node, made
	}
	raised := f.symbols.Sites[made].Def
	c := &f.contexts
	call := &c.Nodes[node]
	for call.Parent >= 0 && isNative(c.MethodOf(call.Parent)) {
		call = &c.Nodes[call.Parent]
	}
	m := c.MethodOf(call.Parent)
	if m == nil {
		return node, made // nobody known called
	}
	raised.BCI, raised.Line = call.BCI, call.Line
	site = f.symbols.AddSite(m.Key, raised, m.Source)
	if int(site) == len(f.updates) {
		f.updates = append(f.updates, siteUpdates{sums: f.updates[made].sums, counted: site})
	}
	return call.Parent, site
}

func isNative(m *symbols.ContextMethod) bool { return m != nil && m.Native }
