package profile

import (
	"strings"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// maxCounters bounds the table that is indexed by numbers of counters: one above it is damage, not a definition.
const maxCounters = 1 << 24

// definitions is what the counters of class versions mean.
type definitions struct {
	meanings paged[meaning]
	ranges   map[trace.ClassID]counterRange
	tags     tagRanges
	updates  []siteUpdates                  // by index in symbols.Table.Sites
	inexact  map[symbols.MethodKey]struct{} // methods whose counts an exception may put off
	fallback map[symbols.MethodKey]struct{} // methods with a weaker placement than was asked for
	// methods that have counters, but none of bytecodes where these are counted
	uncounted map[symbols.MethodKey]struct{}
	vectors   bool // there are classes of the Vector API
}

func newDefinitions() definitions {
	return definitions{
		ranges:    map[trace.ClassID]counterRange{},
		inexact:   map[symbols.MethodKey]struct{}{},
		fallback:  map[symbols.MethodKey]struct{}{},
		uncounted: map[symbols.MethodKey]struct{}{},
	}
}

// siteUpdates says what is updated for each allocation at a site besides counters of paths.
type siteUpdates struct {
	sums    int32 // counters
	counted int32 // index of the site whose objects say how often
}

// meaning is what one counter number currently stands for.
type meaning struct {
	defined bool
	kind    trace.CounterKind
	terms   []term
	raised  bool // a site's objects belong to who threw them: see throwingSite
}

type term struct {
	site        int32 // index in symbols.Table.Sites
	coefficient int64
}

// counterRange is the counter numbers of one class version: [first, end).
type counterRange struct{ first, end uint32 }

// updates reports whether each allocation at a site updates a counter of a kind
// that has it as its n-th term.
func updates(site trace.SiteDef, kind trace.CounterKind, n int) bool {
	switch site.Kind {
	case trace.Multi, trace.Raised:
		return kind != trace.Path && n == 1
	case trace.ArrayLen:
		return kind == trace.Packed && n == 1
	case trace.Instance:
		return kind == trace.Arrays && n == 1
	case trace.Called:
		if n > 1 {
			return false
		}
		return kind == trace.Bytes || kind == trace.Elements && strings.HasPrefix(site.Type, "[")
	}
	return false
}
