package instrument

import (
	"errors"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// A method that counts asks first thing whether there is room on the stack for what it will call:
//
//	iconst_0
//	invokestatic java/lang/$Mallard.probeStack (I)V
//
// Where there is not, the StackOverflowError leaves an invocation with φ zero; where there is, all else that it calls
// here, for an exception too, finds room. Compiled code has nothing left of the call: it needs no frames for the
// runtime class.

// probe gives what a method that counts begins with. Where no constant is left for it, counting matters more.
func (p *plan) probe(b *body) (bytecode.Prologue, error) {
	if !p.emit.Traits().ProbesStack || len(p.method.Counters) == 0 || isReserved(b.rewriter.result.Name) {
		return bytecode.Prologue{}, nil
	}
	code, err := p.emit.Probe()
	if err != nil {
		if errors.Is(err, classfile.ErrPoolFull) {
			err = nil
		}
		return bytecode.Prologue{}, err
	}
	return bytecode.Prologue{Code: code, Stack: 1}, nil
}

// isReserved reports whether methods of a class may run where the VM has kept one page of the stack for them
// (jdk.internal.vm.annotation.ReservedStackAccess), so that locks are left as they should be. Asking for more would
// take that away.
func isReserved(class string) bool {
	return strings.HasPrefix(class, "java/util/concurrent/locks/") || class == emit.VirtualThreadClass ||
		class == "jdk/internal/vm/StackableScope"
}
