// Package bytecode turns the Code attribute of a method (JVMS 4.7.3) into
// instructions with labels, and back.
//
// Decode and Code.Encode are exact inverses, byte for byte. In between nothing
// refers to an offset any more: branches, switches, handlers, frames, line and
// variable tables and type annotations name instructions. So code can be put in
// between, and Code.Rewrite does: it takes insertions, each before one
// instruction, for all who come there or for some of the edges only, and
// returns a body that verifies as the old one did.
//
//	code, err := bytecode.Decode(attribute, class.Pool)
//	code.Version = class.Major
//	count := []bytecode.Instruction{
//		bytecode.WithPool(bytecode.OpInvokestatic, counter), // ->
//	}
//	rewritten, err := code.Rewrite([]bytecode.Insertion{
//		{At: 7, Where: bytecode.Always, Code: count},
//		{At: 12, Where: bytecode.Taken, From: []int{3}, Code: count},
//	})
//	...
//	attribute = rewritten.Code
//
// Code.RewriteCatching adds catchers besides: handlers in front of the body's own
// that run some code when a range throws, and throw on. Code.RewriteEntering puts a
// prologue in front, whose result the rest of the body finds in a local variable.
//
// Opcodes know their mnemonics, operands, stack effect, whether they throw and
// whether control goes on behind them; Code.StackDepths and Code.Check apply
// this to a body, and Code.Text lists it.
//
// The package does not know basic blocks or types: it neither computes frames
// nor verifies. Bytes may come from anybody. Decode returns an error or a body
// all of whose branches go to instructions; it never panics, and it takes no
// more memory than a small multiple of its input. An offset in a debugging
// table that is no instruction's survives as a stray label.
package bytecode
