package diff

import (
	"cmp"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// place is what a row, or a call that leads to one, stands for. What does not apply is empty, or -1.
type place struct {
	class     string // that the code is in, or that is allocated where rows are classes
	method    string // with its descriptor
	allocated string
	other     string // a thread, a transaction, an element: nothing in it is left out
	loader    string
	line, bci int32
	inside    bool // a call or a site in the method that its parent stands for
}

// placeOf gives what a row stands for.
func placeOf(by profile.By, r *profile.Row) place {
	p := place{loader: r.Loader, line: -1, bci: -1}
	switch by {
	case profile.ByClass:
		p.class = r.Class
	case profile.ByElement:
		p.other = r.Class
	case profile.ByThread:
		p.other = r.Thread
	case profile.ByTransaction:
		p.other = r.Transaction
	default:
		p.class, p.method = r.Site.Class, r.Site.Method+r.Site.Descriptor
		if by != profile.ByMethod {
			p.allocated, p.line, p.bci = r.Class, r.Site.Line, r.Site.BCI
		}
		p.inside = by == profile.ByContext
	}
	return p
}

// calledAt gives what a context stands for.
func calledAt(m *symbols.Method, c *profile.Context) place {
	return place{class: m.Class, method: m.Name + m.Descriptor, loader: m.Loader, line: c.Line, bci: c.BCI,
		inside: true}
}

// placeKey is what places of one group have in common. Between groups nothing is paired.
type placeKey struct {
	class, method, allocated, other, loader string
	line, bci                               int32
	isLeaf                                  bool
}

// compare orders the places of a group: by lines, by the numbers in names, by bytecode indexes.
func (p *place) compare(o *place, n *names) int {
	return cmp.Or(cmp.Compare(p.line, o.line), compareNumbered(n.stableName(p.class), n.stableName(o.class)),
		compareNumbered(n.stableName(p.method), n.stableName(o.method)), cmp.Compare(p.bci, o.bci),
		compareNumbered(n.stableName(p.allocated), n.stableName(o.allocated)))
}

// isExactly reports whether two places have the same names and lines, but for what the VM numbers.
func (p *place) isExactly(o *place, n *names) bool {
	return p.line == o.line && n.stableName(p.class) == n.stableName(o.class) &&
		n.stableName(p.method) == n.stableName(o.method) && n.stableName(p.allocated) == n.stableName(o.allocated)
}
