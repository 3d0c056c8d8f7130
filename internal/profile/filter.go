package profile

// Filter selects what rows are made from. Classes and methods are selected as by [MatchName], threads and transactions
// as by [MatchTitle]; an empty pattern lets everything pass.
type Filter struct {
	Class       string // allocated class: java.lang.*, String, int[]
	Method      string // method with the site, class included: java.util.HashMap.*, Shop.slow
	Thread      string // thread name, without the mark of carriers
	Under       string // method, class included, that is in the stack: the site's own or a caller
	Transaction string // name of a transaction that is in the stack
}

// IsZero reports whether everything passes.
func (f Filter) IsZero() bool { return f == Filter{} }

func (f Filter) site(s *Site) bool {
	return MatchName(f.Class, s.Type) && (f.Method == "" || MatchName(f.Method, s.Class+"."+s.Method))
}

func (f Filter) thread(t *Thread) bool { return MatchTitle(f.Thread, t.Name) }
