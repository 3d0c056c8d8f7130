package profile

import "strings"

// Filter selects what rows are made from. Each pattern is a whole name in
// which * stands for any run of characters; an empty one lets everything pass.
type Filter struct {
	Class       string // allocated type: java.lang.*, int[]
	Method      string // method with the site, class included: java.util.HashMap.*
	Thread      string // thread name, without the mark of carriers
	Under       string // method, class included, that is in the stack: the site's own or a caller
	Transaction string // name of a transaction that is in the stack
}

// IsZero reports whether everything passes.
func (f Filter) IsZero() bool { return f == Filter{} }

func (f Filter) site(s *Site) bool {
	return Match(f.Class, s.Type) && (f.Method == "" || Match(f.Method, s.Class+"."+s.Method))
}

func (f Filter) thread(t *Thread) bool { return Match(f.Thread, t.Name) }

// Match reports whether pattern stands for the whole of name.
func Match(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	if last == 0 {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1:last] {
		_, after, found := strings.Cut(name, part)
		if !found {
			return false
		}
		name = after
	}
	return strings.HasSuffix(name, parts[last])
}
