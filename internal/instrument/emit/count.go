package emit

import (
	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
)

// update gives the code that pushes where a counter is, after some other instructions, and updates it.
func (m *Method) update(number uint32, method RuntimeMethod,
	before ...bytecode.Instruction) ([]bytecode.Instruction, error) {
	return m.call(number, method, before)
}

// Count adds 1 to a counter.
func (m *Method) Count(number uint32) (code []bytecode.Instruction, stack int, err error) {
	code, err = m.update(number, count) // ..., number → ...
	return code, 1, err
}

// AddBytecodes adds a number of bytecodes to a counter.
func (m *Method) AddBytecodes(bytecodes int32, number uint32) (code []bytecode.Instruction, stack int, err error) {
	push, err := m.pushInt(bytecodes)
	if err != nil {
		return nil, 0, err
	}
	if code, err = m.update(number, executed, push); err != nil { // ..., bytecodes, number → ...
		return nil, 0, err
	}
	code, err = m.ReportBytecodes(bytecodes, code)
	return code, 2, err
}

// Array adds the array on top of the stack to its counters.
func (m *Method) Array(number uint32, array string) (code []bytecode.Instruction, stack int, err error) {
	code, err = m.update(number, sumMethod(array),
		bytecode.Insn(bytecode.OpDup),         // ..., array, array
		bytecode.Insn(bytecode.OpArraylength), // ..., array, length
	) // ..., array, length, number → ..., array
	return code, 2, err
}

// MultiArray adds the arrays that a multianewarray of that many levels made, its result on top of the stack.
func (m *Method) MultiArray(number uint32, array string,
	levels int) (code []bytecode.Instruction, stack int, err error) {
	code, err = m.update(number, multi,
		bytecode.Insn(bytecode.OpDup),                                     // ..., array, array
		bytecode.PushInt(int16(levels)),                                   // ..., array, array, levels
		bytecode.PushInt(int16(allocations.ElementShift(array[levels:]))), // ..., array, array, levels, leaf
	) // ..., array, array, levels, leaf, number → ..., array
	return code, 4, err
}

func sumMethod(array string) RuntimeMethod {
	switch allocations.ElementShift(array[1:]) {
	case 0:
		return array1
	case 1:
		return array2
	case 2:
		return array4
	case 3:
		return array8
	}
	return arrayRef
}

// ReportBytecodes gives code that counts bytecodes, and before it what tells the thread of them, where that is asked
// for:
//
//	bipush 7
//	invokestatic java/lang/$MallardBytecodes.passed (I)V
//	ldc 3
//	invokestatic java/lang/$Mallard.count (I)V
//
// It waits in there while a snapshot is taken, with φ as it is before the counter. The operand stack has a slot for the
// number where it has one for a counter's.
func (m *Method) ReportBytecodes(bytecodes int32, code []bytecode.Instruction) ([]bytecode.Instruction, error) {
	if !m.options.ReportBytecodes {
		return code, nil
	}
	push, err := m.pushInt(bytecodes)
	if err != nil {
		return nil, err
	}
	invoke, err := m.Invoke(passed) // ..., bytecodes → ...
	return append([]bytecode.Instruction{push, invoke}, code...), err
}

// Probe gives the code that asks whether the stack has room for all that the method calls.
//
//	iconst_0
//	invokestatic java/lang/$Mallard.probeStack (I)V
func (m *Method) Probe() ([]bytecode.Instruction, error) {
	invoke, err := m.Invoke(stackProbe)
	return []bytecode.Instruction{bytecode.Insn(bytecode.OpIconst0), invoke}, err
}

// Defer gives the code that has a new byte[] counted by whoever called the method, or marks a string.
func (m *Method) Defer(d allocations.Deferral) ([]bytecode.Instruction, error) {
	method := deferArray
	switch d {
	case allocations.DefersEarly:
		method = deferEarly
	case allocations.MarksDeferred:
		method = chainMade
	case allocations.MarksOwn:
		method = ownMade
	}
	invoke, err := m.Invoke(method)
	return []bytecode.Instruction{bytecode.Insn(bytecode.OpDup), invoke}, err // ..., array, array → ..., array
}
