package bytecode

import "mallard/internal/classfile"

// A TypeAnnotation is a type annotation inside Code (JVMS 4.7.20). Only what
// refers to code is taken apart.
type TypeAnnotation struct {
	TargetType classfile.TargetType
	At         Label  // instanceof, new, method references, type arguments: the instruction
	Index      uint16 // catch: index into Code.Handlers; type arguments: which argument
	Rest       []byte // path, type and element values, verbatim
	first      int32  // variables: ranges are Code.Ranges[first:]
	ranges     uint16
}

// A VariableRange is where an annotated variable lives.
type VariableRange struct {
	Start, End Label
	Slot       uint16
}
