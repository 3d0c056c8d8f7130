package instrument

import "mallard/internal/placement"

// CounterKind says what a counter's value is.
type CounterKind uint8

const (
	Path     CounterKind = iota // how often it was passed; each time adds Semantics to the sites' counts
	Elements                    // sum of the lengths of Site's arrays
	Bytes                       // sum of the sizes of Site's arrays, aligned
	Arrays                      // number of Site's arrays or objects; each adds Semantics to the sites' counts
	_                           // trace.Packed
	Sum                         // as Path, but one update may add several
	Tag                         // the tag of Site's objects in a context, which it has from the first one on
)

// Counter is a 64-bit number that each thread has of its own.
type Counter struct {
	Number    uint32 // relative to the class's first
	Kind      CounterKind
	Semantics placement.Vector // of Path, Arrays and Sum: over Method.Sites
	Site      int              // of all but Path and Sum: index in Method.Sites
}
