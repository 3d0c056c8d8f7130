package trace

// Snapshots follows the records of a recording and finds where snapshots of all that is tracked end. Those of contexts
// may be rarer than those of threads.
type Snapshots struct {
	contexts bool // are tracked
}

// Ends gives the instant of the snapshot, in nanoseconds since Process.Started, that ends with r; false if none does.
func (s *Snapshots) Ends(r Record) (nanos int64, ends bool) {
	switch r := r.(type) {
	case *Contexts, *MethodName, *Transaction:
		s.contexts = true
	case *ClassDef:
		for i := 0; !s.contexts && i < len(r.Methods); i++ {
			s.contexts = r.Methods[i].Number != 0
		}
	case *Mark:
		return r.Nanos, r.Contexts || !s.contexts
	}
	return 0, false
}

// IsDefinition reports whether a record names what later ones count: those are read whatever time is asked for.
func IsDefinition(r Record) bool { return layoutOf(r.kind()).traits().has(naming) }

// IsSummary reports whether a record speaks of the whole recording.
func IsSummary(r Record) bool { return layoutOf(r.kind()).traits().has(summary) }
