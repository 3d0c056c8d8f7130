package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// In the encoded shape an invocation has the number of its context in place of the node: a sum of constants of the calls, which stand in a table that the recorder fills
// (package callenc). Calls have numbers as well, in a row for each method:
//
//	ldc METHOD; sipush WORDS; ldc FIRST    Number and FirstCall, when PatchMethods and PatchCalls have made them absolute; Words
//	invokestatic java/lang/$MallardCode.begin (III)J
//	lstore N
//	...
//	lload N; ldc CALL                      FirstCall + the index in Calls
//	invokestatic java/lang/$MallardCode.announce (JI)V
//	invokevirtual ...
//	...
//	lload N; ldc METHOD
//	invokestatic java/lang/$MallardCode.node (JI)J
//	sipush WORD                            the node is the tree's
//	invokestatic java/lang/$Mallard.count (JI)V
//	...
//	lload N; ldc METHOD
//	invokestatic java/lang/$MallardCode.end (JI)V
//	return
//
// Methods that call nothing need no end.

// PatchCalls adds base to every call's number in Bytes. It is called once. 0 must not be the result for any.
func (r *Result) PatchCalls(base uint32) { addTo(r.Bytes, r.callPatches, base) }

// encodedCalls is what calls needs for calls that have numbers.
type encodedCalls struct {
	constants []classfile.PoolIndex // that hold them
	next      uint32                // relative to the class's first
}

// number gives a constant for a call's number.
func (c *calls) callNumber(number uint32) (bytecode.Instruction, error) {
	i, err := c.pool.AppendInteger(int32(number))
	if err == nil {
		c.encoded.constants = append(c.encoded.constants, i)
	}
	return c.ldc(i), err
}

// enterEncoded gives the code that pushes the number of an invocation that begins.
func (c *calls) enterEncoded(x *Context) ([]bytecode.Instruction, error) {
	first := bytecode.PushInt(0)
	if len(x.Calls) > 0 {
		var err error
		if first, err = c.callNumber(c.node.firstCall); err != nil {
			return nil, err
		}
	}
	invoke, err := c.invoke(beginEncoded)
	return []bytecode.Instruction{c.ldc(c.node.method), bytecode.PushInt(int16(x.Words)), first, invoke}, err // method, words, first call → number
}

// announceEncoded gives the code before a call.
func (c *calls) announceEncoded(slot int) ([]bytecode.Instruction, error) {
	number, err := c.callNumber(c.node.firstCall + uint32(slot))
	if err != nil {
		return nil, err
	}
	invoke, err := c.invoke(announceEncoded)
	return []bytecode.Instruction{c.node.load(), number, invoke}, err // ..., number, call → ...
}

// withMethod gives the code that hands an invocation's number, or hash, and its method to a method of the runtime classes.
func (c *calls) withMethod(m runtimeMethod) ([]bytecode.Instruction, error) {
	invoke, err := c.invoke(m)
	return []bytecode.Instruction{c.node.load(), c.ldc(c.node.method), invoke}, err // ..., number, method → ...
}
