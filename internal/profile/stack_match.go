package profile

import (
	"slices"

	"mallard/internal/symbols"
)

// stackMatcher says which nodes of contexts a filter selects, while these become known.
type stackMatcher struct {
	filter   *Filter
	contexts *symbols.Contexts
	first    int32                // node that it is asked about
	matches  []stackMatch         // by node, from that on
	before   map[int32]stackMatch // of callers that come before it
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
	for i := s.first + int32(len(s.matches)); int(i) < len(s.contexts.Nodes); i++ {
		s.matches = append(s.matches, s.next(i, s.of))
	}
	return s.matches[node-s.first]
}

// of says so of a node that was looked at, or of one before the first.
func (s *stackMatcher) of(node int32) stackMatch {
	if node >= s.first {
		return s.matches[node-s.first]
	}
	if s.before == nil {
		s.before = map[int32]stackMatch{}
	}
	var unknown []int32 // innermost first
	for at := node; at >= 0; at = s.contexts.Nodes[at].Parent {
		if _, known := s.before[at]; known {
			break
		}
		unknown = append(unknown, at)
	}
	for _, at := range slices.Backward(unknown) {
		s.before[at] = s.next(at, func(caller int32) stackMatch { return s.before[caller] })
	}
	return s.before[node]
}

// next says so of a node, given what can be said of its caller.
func (s *stackMatcher) next(node int32, of func(caller int32) stackMatch) stackMatch {
	f := s.filter
	b := stackMatch{here: f.Under == "", below: f.Under == "", selected: f.Transaction == ""}
	if caller := s.contexts.Nodes[node].Parent; caller >= 0 {
		b = of(caller)
		b.here = b.below
	}
	if m := s.contexts.MethodOf(node); m != nil {
		matches := f.Under != "" && MatchName(f.Under, m.Key.Title())
		b.here = b.here || matches
		b.below = b.below || matches && !m.Hidden
		if m.Key.IsTransaction() {
			b.innermost = Unbracketed(m.Key.Name)
			b.selected = b.selected || MatchTitle(f.Transaction, b.innermost)
		}
	}
	return b
}
