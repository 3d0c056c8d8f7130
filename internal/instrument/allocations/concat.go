package allocations

import (
	"strings"

	"mallard/internal/bytecode"
)

// What concatenates strings makes a byte[] for each, which whoever has asked for the string counts. Where strings are
// marked ([Options]), one without a mark has an array of its own, which is counted by a look at it; and where an
// exception comes first, who has the array counts it (package instrument, failing). So it is with all that calls
// newArray(int), which JDK 25 has. What method handles call, newArray(long), defers the array: it is left in the
// thread's block, and newString marks the string. A string that shares the array of another is marked as well. Where
// exceptions have other handlers (OwnsArrays is false) all arrays are deferred, and all strings marked.

// A Deferral says what an instruction of that code leaves for whoever counts.
type Deferral uint8

const (
	NotDeferred   Deferral = iota
	Defers                 // a byte[], which is left in the thread's block
	DefersEarly            // the same while strings cannot be looked at, in the early time
	MarksDeferred          // a string that has no array of its own, or a deferred one
	MarksOwn               // a string of a single argument, which String.valueOf may give as well, with its own array
)

const (
	ofBytes  = "([BB)V"
	ofString = "(Ljava/lang/String;)V"
)

// Defers says what an instruction of a method leaves, given the method's name and descriptor.
func (f *Finder) Defers(name, descriptor string, in bytecode.Instruction) Deferral {
	if !IsConcatenating(f.class) {
		return NotDeferred
	}
	switch in.Op {
	case bytecode.OpInvokevirtual:
		switch {
		case f.class != concatHelper || f.calls.made[in.Pool()] != MakesObject:
		case f.options.OwnsArrays && descriptor == "(I)[B":
			return DefersEarly
		default:
			return Defers
		}
	case bytecode.OpInvokestatic:
		if f.options.OwnsArrays && name == "newArray" && descriptor == "(J)[B" &&
			f.calls.made[in.Pool()] == TakesBytes {
			return Defers
		}
	case bytecode.OpInvokespecial:
		if !f.options.MarksStrings {
			break
		}
		class, called, parameters, err := f.pool.Ref(in.Pool())
		switch {
		case err != nil || class != "java/lang/String" || called != "<init>":
		case parameters == ofString, parameters == ofBytes && (name == "newString" || !f.options.OwnsArrays):
			return MarksDeferred
		case parameters == ofBytes && f.class == concatHelper+"$Concat1":
			return MarksOwn
		}
	}
	return NotDeferred
}

// IsConcatenating reports whether a class concatenates strings for others.
func IsConcatenating(class string) bool {
	return strings.HasPrefix(class, concatHelper) || strings.HasPrefix(class, concatClass)
}

// GivesOwnArray reports whether a method gives what concatenates strings a byte[] that nobody has deferred.
func GivesOwnArray(of, name, descriptor string) bool {
	return of == concatHelper && (name == "newArray" && descriptor == "(I)[B" ||
		name == "newArrayWithSuffix" && descriptor == "(Ljava/lang/String;IB)[B")
}
