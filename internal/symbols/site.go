package symbols

import "mallard/internal/trace"

// maxSites bounds the table that is indexed by a recording's numbers of sites: one above it is damage, not a
// definition.
const maxSites = 1 << 24

// Site is a place in a method that allocates one type. It is the same in all instrumented versions of a class.
type Site struct {
	Method MethodKey
	Def    trace.SiteDef // whose Type is in the internal form
	Source string        // source file, empty if unknown
}

// stackChunk is what the JVM puts the stack of a virtual thread into that stops.
const stackChunk = "jdk/internal/vm/StackChunk"

// OfVM reports whether the JVM makes what is made here for itself, so that no code calls for it.
func (s *Site) OfVM() bool { return s.Method.Class == VM || s.Def.Type == stackChunk }

// siteKey is what makes a site the same.
type siteKey struct {
	method MethodKey
	def    trace.SiteDef
}
