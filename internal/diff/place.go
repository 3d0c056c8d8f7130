package diff

import (
	"cmp"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// place is what a row, or a call that leads to one, stands for. What does not apply is empty, or -1.
type place struct {
	*label
	line, bci int32
	inside    bool // a call or a site in the method that its parent stands for
}

// label is the names of places, of which many have the same.
type label struct {
	class              string // that the code is in, or that is allocated where rows are classes
	method, descriptor string
	allocated          string
	other              string // a thread, a transaction, an element: nothing in it is left out
	loader             string
	title              string // of a method that is called; else empty
}

// labelOf names what a row stands for.
func labelOf(by profile.By, r *profile.Row) *label {
	l := &label{loader: r.Loader}
	switch by {
	case profile.ByClass:
		l.class = r.Class
	case profile.ByElement:
		l.other = r.Class
	case profile.ByThread:
		l.other = r.Thread
	case profile.ByTransaction:
		l.other = r.Transaction
	default:
		l.class, l.method, l.descriptor = r.Site.Class, r.Site.Method, r.Site.Descriptor
		if by != profile.ByMethod {
			l.allocated = r.Class
		}
	}
	return l
}

// labelOfCall names a method that is called.
func labelOfCall(m *symbols.Method) *label {
	return &label{class: m.Class, method: m.Name, descriptor: m.Descriptor, loader: m.Loader, title: m.Title()}
}

// placeKey is what places of one group have in common. Between groups nothing is paired.
type placeKey struct {
	class, method, descriptor, allocated, other, loader string
	line, bci                                           int32
	isLeaf                                              bool
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
