package profile

import "mallard/internal/symbols"

// stackMatcher says which nodes of contexts a filter selects, while these become known.
type stackMatcher struct {
	filter   *Filter
	contexts *symbols.Contexts
	matches  []stackMatch // by node
}

// stackMatch says what the stack of a node has that a filter asks for. A hidden method counts for its own node only.
type stackMatch struct {
	here, below bool   // a method
	selected    bool   // a transaction
	innermost   string // transaction
}

// match says so of the stack of a site in a node; symbols.Lost stands for the site's method alone.
func (s *stackMatcher) match(node int32, site *Site) stackMatch {
	f := s.filter
	if node == symbols.Lost {
		return stackMatch{here: f.Under == "" || MatchName(f.Under, site.Class+"."+site.Method),
			selected: f.Transaction == ""}
	}
	for i := len(s.matches); i < len(s.contexts.Nodes); i++ {
		n := &s.contexts.Nodes[i]
		b := stackMatch{here: f.Under == "", below: f.Under == "", selected: f.Transaction == ""}
		if n.Parent >= 0 {
			b = s.matches[n.Parent]
			b.here = b.below
		}
		if m := s.contexts.MethodOf(int32(i)); m != nil {
			matches := f.Under != "" && MatchName(f.Under, m.Key.Title())
			b.here = b.here || matches
			b.below = b.below || matches && !m.Hidden
			if m.Key.IsTransaction() {
				b.innermost = Unbracketed(m.Key.Name)
				b.selected = b.selected || MatchTitle(f.Transaction, b.innermost)
			}
		}
		s.matches = append(s.matches, b)
	}
	return s.matches[node]
}
