package instrument

import (
	"bytes"
	"encoding/binary"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// Result is an instrumented class.
type Result struct {
	Name     string // internal form
	Source   string // SourceFile attribute, "" without one
	Bytes    []byte // the new class file; nil if nothing was changed
	Counters uint32 // numbers it uses, from 0
	Contexts uint32 // numbers that its methods with contexts use, from 0
	Methods  []Method
	Skipped  []Skipped // methods left as they were although they allocate
	// methods, name and descriptor, that a call that names them always comes to and that are leaves, with contexts:
	// see [Options.Leaf]; Metadata leaves them out
	Leaves  []string
	Assumed []Callee // what Options.Leaf was asked about and said to be leaves; Metadata leaves them out

	patches       []int // offsets in Bytes of the counters' numbers
	methodPatches []int // and of those of methods with contexts
	callPatches   []int // and of those of calls, with [Encoded]
}

// Callee is a method that a call names.
type Callee struct {
	Class  string // internal form
	Method string // name and descriptor
}

// Numbers are those of a class's first counter, method with contexts and call.
type Numbers struct{ Counters, Methods, Calls uint32 }

// Add adds to all numbers in Bytes: [Result.Patch], [Result.PatchMethods] and [Result.PatchCalls]. It is called once.
func (r *Result) Add(n Numbers) {
	r.Patch(n.Counters)
	r.PatchMethods(n.Methods)
	r.PatchCalls(n.Calls)
}

// Relative gives a copy of Bytes as they were before numbers were added; nil where there are none.
func (r *Result) Relative(added Numbers) []byte {
	before := *r
	before.Bytes = bytes.Clone(r.Bytes)
	before.Add(Numbers{-added.Counters, -added.Methods, -added.Calls})
	return before.Bytes
}

// Patch adds base to every counter number in Bytes. It is called once.
func (r *Result) Patch(base uint32) { addTo(r.Bytes, r.patches, base) }

// addTo adds base to numbers in a class file.
func addTo(class []byte, numbers []int, base uint32) {
	for _, at := range numbers {
		number := class[at : at+4]
		binary.BigEndian.PutUint32(number, binary.BigEndian.Uint32(number)+base)
	}
}

// Method is a method that allocates, or one that calls others and has contexts.
type Method struct {
	Name, Descriptor string
	Sites            []allocations.Site
	Counters         []Counter
	Context          *Context // nil without; what it counts belongs to the thread then
	Fallback         string   // why it does not have the placement asked for; "" where it has
	// another placement may be better, depending on how often the edges of the method are taken
	Adaptable bool
	// an exception may leave one of its paths between two counters, and then its counts are off
	Crosses   bool
	phis      []phiEntry
	shifts    []shift
	codeShape uint64 // of the new code
}

// Has reports whether code, as a JVM has it, is that of the instrumented method: the same instructions, whatever
// numbers their constants have.
func (m *Method) Has(code []byte) bool { return bytecode.Shape(code) == m.codeShape }

// Skipped is a method that could not be rewritten.
type Skipped struct {
	Method string // name and descriptor
	Reason string
}

// CounterKind says what a counter's value is.
type CounterKind uint8

const (
	Path     CounterKind = iota // how often it was passed; each time adds Semantics to the sites' counts
	Elements                    // sum of the lengths of Site's arrays
	Bytes                       // sum of the sizes of Site's arrays, aligned
	Arrays                      // number of Site's arrays; each adds Semantics to the sites' counts
	// number, lengths, headers and padding of Site's arrays in one word (trace.Unpack); each array adds Semantics
	Packed
	Sum // as Path, but one update may add several
)

// Counter is a 64-bit number that each thread has of its own.
type Counter struct {
	Number    uint32 // relative to the class's first
	Kind      CounterKind
	Semantics placement.Vector // of Path, Arrays, Packed and Sum: over Method.Sites
	Site      int              // of all but Path and Sum: index in Method.Sites
}
