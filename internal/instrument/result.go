package instrument

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Result is an instrumented class.
type Result struct {
	Name   string // internal form
	Super  string // internal form; "" without one
	Source string // SourceFile attribute, "" without one
	// with tags and without contexts: its constructors show their object to nobody, if Super's do not
	Unshown  bool
	Bytes    []byte // the new class file; nil if nothing was changed
	Counters uint32 // numbers it uses, from 0
	Contexts uint32 // numbers that its methods with contexts use, from 0
	Methods  []Method
	Skipped  []Skipped // methods left as they were although they allocate
	// methods, name and descriptor, that a call that names them always comes to and that are leaves, with contexts:
	// see [Options.Leaf]; Metadata leaves them out
	Leaves  []string
	Assumed []Callee // what Options.Leaf was asked about and said to be leaves; Metadata leaves them out

	patches Patches
}

// Patches are offsets in a new class file, where it has 32-bit numbers.
type Patches struct {
	Counters []int
	Methods  []int // with contexts
	Calls    []int // with [Encoded]
}

// Patches says where Bytes has numbers.
func (r *Result) Patches() Patches { return r.patches }

// Callee is a method that a call names.
type Callee struct {
	Class  string // internal form
	Method string // name and descriptor
}

// Skipped is a method that could not be rewritten.
type Skipped struct {
	Method string // name and descriptor
	Reason string
}

// Numbers are those of a class's first counter, method with contexts and call.
type Numbers struct {
	Counters, Methods, Calls uint32
	Each, EachCall           []uint32 // of its methods and calls, where these are not in a row
}

// Add adds to all numbers in Bytes: [Result.Patch], [Result.PatchMethods] and [Result.PatchCalls]. It is called once.
func (r *Result) Add(n Numbers) {
	r.Patch(n.Counters)
	if n.Each != nil {
		r.patchEach(r.patches.Methods, absolute(n.Each))
		r.patchEach(r.patches.Calls, absolute(n.EachCall))
		return
	}
	r.PatchMethods(n.Methods)
	r.PatchCalls(n.Calls)
}

// absolute gives the numbers that stand for relative ones.
func absolute(numbers []uint32) func(uint32) uint32 {
	return func(relative uint32) uint32 {
		if relative < uint32(len(numbers)) { // else the class cache is damaged
			return numbers[relative]
		}
		return relative
	}
}

// relative gives the relative numbers that numbers stand for.
func relative(numbers []uint32) func(uint32) uint32 {
	return func(number uint32) uint32 { return uint32(slices.Index(numbers, number)) }
}

// Relative gives a copy of Bytes as they were before numbers were added; nil where there are none.
func (r *Result) Relative(added Numbers) []byte {
	before := *r
	before.Bytes = bytes.Clone(r.Bytes)
	before.Patch(-added.Counters)
	if added.Each != nil {
		before.patchEach(r.patches.Methods, relative(added.Each))
		before.patchEach(r.patches.Calls, relative(added.EachCall))
	} else {
		before.PatchMethods(-added.Methods)
		before.PatchCalls(-added.Calls)
	}
	return before.Bytes
}

// Patch adds base to every counter number in Bytes. It is called once.
func (r *Result) Patch(base uint32) { addTo(r.Bytes, r.patches.Counters, base) }

// PatchMethods adds base to every method number in Bytes. It is called once. 0 must not be the result for any.
func (r *Result) PatchMethods(base uint32) { addTo(r.Bytes, r.patches.Methods, base) }

// patchEach gives the numbers at some places in Bytes others.
func (r *Result) patchEach(places []int, number func(uint32) uint32) {
	for _, at := range places {
		field := r.Bytes[at : at+4]
		binary.BigEndian.PutUint32(field, number(binary.BigEndian.Uint32(field)))
	}
}

// PatchCalls adds base to every call's number in Bytes. It is called once. 0 must not be the result for any.
func (r *Result) PatchCalls(base uint32) { addTo(r.Bytes, r.patches.Calls, base) }

// addTo adds base to numbers in a class file.
func addTo(class []byte, numbers []int, base uint32) {
	for _, at := range numbers {
		number := class[at : at+4]
		binary.BigEndian.PutUint32(number, binary.BigEndian.Uint32(number)+base)
	}
}
