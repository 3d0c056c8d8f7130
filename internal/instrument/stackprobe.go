package instrument

import (
	"encoding/binary"
	"errors"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// A method that counts asks first thing whether there is room on the stack for what it will call:
//
//	iconst_0
//	invokestatic java/lang/$Mallard.room (I)V
//
// Where there is not, the StackOverflowError leaves an invocation with φ zero; where there is, all else that it calls
// here, for an exception too, finds room. Compiled code has nothing left of the call: it needs no frames for the
// runtime class.

// roomLocals makes the frame of $Mallard.room larger than a page of 4 KB. Interpreted code is let in only if there is
// room for the frame; a method that is compiled, and called by interpreted code, checks for what is beyond its
// caller's next page only if a frame that it may have in the interpreter is larger than a page.
const roomLocals = 520

// enlargeRoom gives $Mallard.room its locals.
func enlargeRoom(class []byte) error {
	c, err := classfile.Parse(class)
	if err != nil {
		return err
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		name, err := c.Pool.Utf8(m.Name)
		if err != nil {
			return err
		}
		if code := c.Pool.FindAttribute(m.Attributes, classfile.AttrCode); code != nil && name == emit.ProbeName {
			binary.BigEndian.PutUint16(code.Info[2:], roomLocals)
			return nil
		}
	}
	return errors.New("there is no method room")
}

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
