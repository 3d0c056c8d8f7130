package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// calls makes the instruction sequences that call the runtime class, and the constants they use.
type calls struct {
	pool    *classfile.Pool
	numbers []classfile.PoolIndex // constants that hold counter numbers
	next    uint32                // counter number
}

// take gives the first of n new counter numbers.
func (c *calls) take(n uint32) uint32 {
	number := c.next
	c.next += n
	return number
}

func (c *calls) invoke(method, descriptor string) (bytecode.Instruction, error) {
	i, err := c.pool.AddMethodref(RuntimeName, method, descriptor)
	return bytecode.WithPool(bytecode.OpInvokestatic, i), err
}

// push gives the instruction that pushes a counter's number, from a constant of its own.
func (c *calls) push(number uint32) (bytecode.Instruction, error) {
	i, err := c.pool.AppendInteger(int32(number))
	if err == nil {
		c.numbers = append(c.numbers, i)
	}
	return bytecode.Ldc(i), err
}

// call gives the code that pushes number and calls a method of the runtime class.
func (c *calls) call(number uint32, method, descriptor string, before ...bytecode.Instruction) ([]bytecode.Instruction, error) {
	push, err := c.push(number)
	if err != nil {
		return nil, err
	}
	invoke, err := c.invoke(method, descriptor)
	return append(before, push, invoke), err
}

// count adds 1 to a counter.
func (c *calls) count(number uint32) (code []bytecode.Instruction, stack int, err error) {
	code, err = c.call(number, "count", "(I)V") // ..., number → ...
	return code, 1, err
}

// sum adds the array on top of the stack to the counters of elements and of bytes from number on.
func (c *calls) sum(number uint32, array string) (code []bytecode.Instruction, stack int, err error) {
	code, err = c.call(number, sumMethod(array), "(II)V",
		bytecode.Insn(bytecode.OpDup),         // ..., array, array
		bytecode.Insn(bytecode.OpArraylength), // ..., array, length
	) // ..., array, length, number → ..., array
	return code, 2, err
}

// multi adds the arrays that a multianewarray of that many levels made, its result on top of the stack.
func (c *calls) multi(number uint32, array string, levels int) (code []bytecode.Instruction, stack int, err error) {
	code, err = c.call(number, "multi", "(Ljava/lang/Object;III)V",
		bytecode.Insn(bytecode.OpDup),                         // ..., array, array
		bytecode.PushInt(int16(levels)),                       // ..., array, array, levels
		bytecode.PushInt(int16(elementShift(array[levels:]))), // ..., array, array, levels, leaf
	) // ..., array, array, levels, leaf, number → ..., array
	return code, 4, err
}

// elementShift gives the binary logarithm of the size of elements of this descriptor; -1 for references, whose size is the JVM's choice.
func elementShift(descriptor string) int {
	switch descriptor[0] {
	case 'Z', 'B':
		return 0
	case 'C', 'S':
		return 1
	case 'I', 'F':
		return 2
	case 'J', 'D':
		return 3
	}
	return -1
}

func sumMethod(array string) string {
	switch elementShift(array[1:]) {
	case 0:
		return "array1"
	case 1:
		return "array2"
	case 2:
		return "array4"
	case 3:
		return "array8"
	}
	return "arrayRef"
}
