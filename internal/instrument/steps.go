package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/placement"
)

// Where snapshots are taken every so many executed bytecodes, a thread is told how many right before they are added to a counter:
//
//	bipush 7
//	invokestatic java/lang/$MallardBytecodes.passed (I)V
//	ldc 3
//	invokestatic java/lang/$Mallard.count (I)V
//
// It waits in there while the snapshot is taken, with φ as it is before the counter.

// told gives code that adds a vector to the counts, and before it what tells the thread of the bytecodes in it.
func (p *plan) told(adds placement.Vector, code []bytecode.Instruction) ([]bytecode.Instruction, error) {
	site := p.executedSite()
	if n := len(adds); p.calls.steps && n > 0 && site >= 0 && adds[n-1].Site == site {
		return p.calls.tell(adds[n-1].N, code)
	}
	return code, nil
}

// tell is told for a number of bytecodes. The operand stack has room for it where there is room for the number of a counter.
func (c *calls) tell(bytecodes int32, code []bytecode.Instruction) ([]bytecode.Instruction, error) {
	if !c.steps {
		return code, nil
	}
	push, err := c.pushInt(bytecodes)
	if err != nil {
		return nil, err
	}
	invoke, err := c.invoke(passed) // ..., bytecodes → ...
	return append([]bytecode.Instruction{push, invoke}, code...), err
}

// pushInt gives the instruction that pushes a number that is nobody's.
func (c *calls) pushInt(n int32) (bytecode.Instruction, error) {
	if int32(int16(n)) == n {
		return bytecode.PushInt(int16(n)), nil
	}
	i, err := c.pool.AppendInteger(n)
	return c.ldc(i), err
}
