package bytecode

import (
	"encoding/binary"
	"hash/fnv"

	"mallard/internal/classfile"
)

// Fingerprint is a hash of a method's code array without the constant-pool indices in it, which a JVM renumbers when it
// redefines a class. Codes of equal fingerprint have the same instructions at the same positions. Code that is none has
// a fingerprint as well.
func Fingerprint(code []byte) uint64 {
	masked := append(make([]byte, 0, 1024), code...)
	for pc := 0; pc < len(masked); {
		op := Opcode(masked[pc])
		operands := masked[pc+1:]
		switch op.Operands() {
		case Constant8:
			clear(operands[:min(1, len(operands))])
		case Constant, Field, Method, InterfaceMethod, Dynamic, Class, MultiArray:
			clear(operands[:min(2, len(operands))])
		}
		pc += length(masked, pc)
	}
	h := fnv.New64a()
	h.Write(masked)
	return h.Sum64()
}

// length is that of the instruction at pc in bytes, at least 1.
func length(code []byte, pc int) int {
	op := Opcode(code[pc])
	word := func(at int) int {
		if at = pc&^3 + 4 + 4*at; at+4 <= len(code) {
			return int(int32(binary.BigEndian.Uint32(code[at:])))
		}
		return 0
	}
	padding := pc&^3 + 4 - pc
	n := 1 + int(operandBytes[op.Operands()])
	switch {
	case op == OpWide && pc+1 < len(code):
		n = 2 + 2*int(operandBytes[Opcode(code[pc+1]).Operands()])
	case op == OpTableswitch:
		n = padding + 12 + 4*(word(2)-word(1)+1)
	case op == OpLookupswitch:
		n = padding + 8 + 8*word(1)
	}
	if n < 1 || n > classfile.MaxCodeBytes {
		return 1
	}
	return n
}
