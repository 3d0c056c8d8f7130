package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/placement"
)

// phiEntry says what φ is from pc of the new code on, up to the next entry. Entries inside a block are relative to
// the one before: a block with n allocations takes n terms, not n².
type phiEntry struct {
	pc       int32
	relative bool
	phi      placement.Vector
}

// Counted reports whether an invocation of a method of the runtime class, whose code is given and which stands at pc,
// has nothing left to do but to return. Its counter has been updated then. HotSpot stops compiled code at exactly
// that place, and interpreted code anywhere.
func Counted(code []byte, pc int) bool {
	return pc >= 0 && pc < len(code) && bytecode.Opcode(code[pc]) == bytecode.OpReturn
}
