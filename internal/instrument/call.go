package instrument

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// calls makes the instruction sequences that call the runtime classes, and the constants they use. These are always new ones: searching the
// constant pool for equal ones would cost more than all else here.
type calls struct {
	pool    *classfile.Pool
	names   [len(runtimeNames)]string                // of the runtime classes
	runtime [len(runtimeNames)]classfile.PoolIndex   // the runtime classes; 0 before the first call
	methods [len(runtimeMethods)]classfile.PoolIndex // references to their methods, 0 before the first call
	numbers []classfile.PoolIndex                    // constants that hold counter numbers
	next    uint32                                   // counter number
	wide    bool                                     // push them with ldc_w
	alone   bool                                     // the runtime class is the portable one
	steps   bool                                     // see told
	classes map[string]classfile.PoolIndex           // constants for frames

	stackMapTable classfile.PoolIndex // name of the attribute; 0 before the first use

	inContexts
}

// A runtimeMethod is a method of a runtime class, an index of runtimeMethods.
type runtimeMethod uint8

const (
	none runtimeMethod = iota
	count
	executed
	array1
	array2
	array4
	array8
	arrayRef
	multi
	array
	object
	nested
	backtrace
	handled
	cloned
	superCloned
	give
	take
	concat
	record
	boot
	mount
	own
	reflecting
	reflected
	hidden
	thrown
	arrayMaker
	newArray
	terminated
	hide
	show
	resumes
	left
	enter
	call
	leave
	begin
	beginAny
	announce
	end
	nodeOf
	beginEncoded
	announceEncoded
	endEncoded
	nodeEncoded
	current
	passed
	room
	beginTransaction
	beginTransactionHash
	beginTransactionCode
	endTransaction
	transactionsOver
	forgetTransactions
	forgetTransactionsHash
	forgetTransactionsCode
	enterTransactionTree
	enterTransactionHash
	enterTransactionCode
	exitTransactionTree
	exitTransactionHash
	exitTransactionCode

	// Where nodes are objects; alone.go and alonetransactions.go have the descriptors.
	enterAnyAlone
	construct
	chain
	thrownAlone
	enterTransactionAlone
	exitTransactionAlone
)

// Indexes of runtimeNames, of those that instrumented code calls.
const (
	inCounters = iota
	inObjects
	inThreads
	inTree
	inHash
	inCode
	inTransactions
	inEntered
	inSteps

	calledClasses = iota
)

var runtimeMethods = [...]struct {
	name, descriptor string
	class            int
}{
	count:           {"count", "(I)V", inCounters},
	executed:        {"executed", "(II)V", inCounters},
	array1:          {"array1", "(II)V", inCounters},
	array2:          {"array2", "(II)V", inCounters},
	array4:          {"array4", "(II)V", inCounters},
	array8:          {"array8", "(II)V", inCounters},
	arrayRef:        {"arrayRef", "(II)V", inCounters},
	multi:           {"multi", "(Ljava/lang/Object;III)V", inObjects},
	array:           {"array", "(Ljava/lang/Object;I)V", inObjects},
	object:          {"object", "(Ljava/lang/Object;I)V", inObjects},
	nested:          {"nested", "(Ljava/lang/Object;I)V", inObjects},
	backtrace:       {"backtrace", "(Ljava/lang/Throwable;I)V", inObjects},
	handled:         {"handled", "(Ljava/lang/Object;I)V", inObjects},
	cloned:          {"cloned", "(Ljava/lang/Object;I)V", inObjects},
	superCloned:     {"superCloned", "(Ljava/lang/Object;Ljava/lang/Class;I)V", inObjects},
	give:            {"give", "(Ljava/lang/Object;)V", inCounters},
	take:            {"take", "(I)V", inCounters},
	concat:          {"concat", "(Ljava/lang/String;I)V", inCounters},
	record:          {"record", "(Ljava/lang/String;I)V", inCounters},
	boot:            {"boot", "()V", inThreads},
	mount:           {"mount", "(Ljava/lang/Thread;)V", inThreads},
	own:             {"own", "()V", inThreads},
	terminated:      {"terminated", "(Ljava/lang/Thread;)V", inThreads},
	hide:            {"hide", "()V", inThreads},
	show:            {"show", "()V", inThreads},
	resumes:         {"resumes", "(Z)V", inThreads},
	left:            {"left", "()V", inThreads},
	enter:           {"enter", "(II)J", inTree},
	call:            {"call", "(JI)V", inTree},
	leave:           {"leave", "(J)V", inTree},
	begin:           {"begin", "(II)J", inHash},
	beginAny:        {"beginAny", "(II)J", inHash},
	announce:        {"announce", "(JI)V", inHash},
	end:             {"end", "(JI)V", inHash},
	nodeOf:          {"node", "(JI)J", inHash},
	beginEncoded:    {"begin", "(III)J", inCode},
	announceEncoded: {"announce", "(JI)V", inCode},
	endEncoded:      {"end", "(JI)V", inCode},
	nodeEncoded:     {"node", "(JI)J", inCode},
	current:         {"current", "(J)J", inTree},
	passed:          {"passed", "(I)V", inSteps},
	room:            {"room", "(I)V", inCounters},
	reflecting:      {"reflecting", "()V", inObjects},
	reflected:       {"reflected", "()V", inObjects},
	arrayMaker:      {"arrayMaker", "(I)Ljava/lang/Class;", inObjects},
	newArray:        {"newArray", "(Ljava/lang/Class;I)Ljava/lang/Object;", inObjects},
	thrown:          {"thrown", "(Ljava/lang/Throwable;)V", inObjects},
	hidden:          {"hidden", "(Ljava/lang/ClassLoader;[BI)[B", inCounters},

	beginTransaction:       {"begin", "(Ljava/lang/String;JII)J", inTransactions},
	beginTransactionHash:   {"beginHash", "(Ljava/lang/String;JII)J", inTransactions},
	beginTransactionCode:   {"beginCode", "(Ljava/lang/String;JII)J", inTransactions},
	endTransaction:         {"end", "(J)J", inTransactions},
	transactionsOver:       {"over", "(J)J", inTransactions},
	forgetTransactions:     {"forget", "(JI)V", inTransactions},
	forgetTransactionsHash: {"forgetHash", "(JI)V", inTransactions},
	forgetTransactionsCode: {"forgetCode", "(JI)V", inTransactions},
	enterTransactionTree:   {"enterTree", "(Ljava/lang/String;JII)V", inEntered},
	enterTransactionHash:   {"enterHash", "(Ljava/lang/String;JII)V", inEntered},
	enterTransactionCode:   {"enterCode", "(Ljava/lang/String;JII)V", inEntered},
	exitTransactionTree:    {"exitTree", "(Ljava/lang/String;JII)V", inEntered},
	exitTransactionHash:    {"exitHash", "(Ljava/lang/String;JII)V", inEntered},
	exitTransactionCode:    {"exitCode", "(Ljava/lang/String;JII)V", inEntered},

	enterAnyAlone: {"enterAny", "", inTree},
	construct:     {"construct", "", inTree},
	chain:         {"chain", "", inTree},
	thrownAlone:   {"thrown", "", inTree},

	enterTransactionAlone: {"enter", "", inEntered},
	exitTransactionAlone:  {"exit", "", inEntered},
}

// take gives the first of n new counter numbers.
func (c *calls) take(n uint32) uint32 {
	number := c.next
	c.next += n
	return number
}

// invoke gives the call of a method of a runtime class.
func (c *calls) invoke(m runtimeMethod) (bytecode.Instruction, error) {
	return c.invokeAs(m, &c.methods[m], runtimeMethods[m].descriptor)
}

// invokeAs is invoke for a method with this descriptor, given the reference to it or 0.
func (c *calls) invokeAs(m runtimeMethod, known *classfile.PoolIndex, descriptor string) (bytecode.Instruction, error) {
	if *known == 0 {
		i, err := c.reference(m, descriptor)
		if err != nil {
			return bytecode.Instruction{}, err
		}
		*known = i
	}
	return bytecode.WithPool(bytecode.OpInvokestatic, *known), nil
}

// reference adds the constants that a call refers to.
func (c *calls) reference(m runtimeMethod, parameters string) (classfile.PoolIndex, error) {
	var err error
	method := &runtimeMethods[m]
	add := func(x classfile.Entry) (i classfile.PoolIndex) {
		if err == nil {
			i, err = c.pool.Append(x)
		}
		return i
	}
	class := &c.runtime[method.class]
	if *class == 0 {
		name := add(classfile.Entry{Tag: classfile.TagUtf8, Utf8: c.names[method.class]})
		*class = add(classfile.Entry{Tag: classfile.TagClass, A: name})
	}
	name := add(classfile.Entry{Tag: classfile.TagUtf8, Utf8: method.name})
	descriptor := add(classfile.Entry{Tag: classfile.TagUtf8, Utf8: parameters})
	nameAndType := add(classfile.Entry{Tag: classfile.TagNameAndType, A: name, B: descriptor})
	reference := add(classfile.Entry{Tag: classfile.TagMethodref, A: *class, B: nameAndType})
	return reference, err
}

// class gives a constant for a class that frames name.
func (c *calls) class(name string) (classfile.PoolIndex, error) {
	if c.classes == nil && c.shape != NoContexts {
		c.classes = ownClasses(c.pool)
	}
	if i, found := c.classes[name]; found {
		return i, nil
	}
	n, err := c.pool.Append(classfile.Entry{Tag: classfile.TagUtf8, Utf8: name})
	if err != nil {
		return 0, err
	}
	i, err := c.pool.Append(classfile.Entry{Tag: classfile.TagClass, A: n})
	if err != nil {
		return 0, err
	}
	if c.classes == nil {
		c.classes = map[string]classfile.PoolIndex{}
	}
	c.classes[strings.Clone(name)] = i
	return i, nil
}

// catching gives the constants that frames of catchers need.
func (c *calls) catching(catchers []bytecode.Catcher) (bytecode.Catching, error) {
	throwable, err := c.class("java/lang/Throwable")
	if err == nil && c.stackMapTable == 0 {
		c.stackMapTable, err = c.pool.Append(classfile.Entry{Tag: classfile.TagUtf8, Utf8: classfile.AttrStackMapTable})
	}
	return bytecode.Catching{Catchers: catchers, Throwable: throwable, StackMapTable: c.stackMapTable}, err
}

// push gives the instruction that pushes a counter's number, from a constant of its own. When HotSpot merges the constants of a redefined class with
// those it has, new ones get other indices; were they not to fit an ldc any more, it would insert a byte and move the code behind.
func (c *calls) push(number uint32) (bytecode.Instruction, error) {
	i, err := c.pool.AppendInteger(int32(number))
	if err == nil {
		c.numbers = append(c.numbers, i)
	}
	return c.ldc(i), err
}

// ldc gives the instruction that pushes a constant.
func (c *calls) ldc(i classfile.PoolIndex) bytecode.Instruction {
	if c.wide {
		return bytecode.WithPool(bytecode.OpLdcW, i)
	}
	return bytecode.Ldc(i)
}

// call gives the code that pushes number, or where the counter is in a node, and calls a method of a runtime class, after some other instructions.
func (c *calls) call(number uint32, m runtimeMethod, before ...bytecode.Instruction) ([]bytecode.Instruction, error) {
	if c.node != nil {
		return c.callInNode(number, m, before)
	}
	invoke, err := c.invoke(m)
	if err != nil {
		return nil, err
	}
	push, err := c.push(number)
	code := make([]bytecode.Instruction, 0, len(before)+2)
	return append(append(code, before...), push, invoke), err
}

// count adds 1 to a counter.
func (c *calls) count(number uint32) (code []bytecode.Instruction, stack int, err error) {
	code, err = c.call(number, count) // ..., number → ...
	return code, 1, err
}

// add adds a number of bytecodes to a counter.
func (c *calls) add(bytecodes int32, number uint32) (code []bytecode.Instruction, stack int, err error) {
	push, err := c.pushInt(bytecodes)
	if err != nil {
		return nil, 0, err
	}
	if code, err = c.call(number, executed, push); err != nil { // ..., bytecodes, number → ...
		return nil, 0, err
	}
	code, err = c.tell(bytecodes, code)
	return code, 2, err
}

// sum adds the array on top of the stack to a packed counter.
func (c *calls) sum(number uint32, array string) (code []bytecode.Instruction, stack int, err error) {
	code, err = c.call(number, sumMethod(array),
		bytecode.Insn(bytecode.OpDup),         // ..., array, array
		bytecode.Insn(bytecode.OpArraylength), // ..., array, length
	) // ..., array, length, number → ..., array
	return code, 2, err
}

// multi adds the arrays that a multianewarray of that many levels made, its result on top of the stack.
func (c *calls) multi(number uint32, array string, levels int) (code []bytecode.Instruction, stack int, err error) {
	code, err = c.call(number, multi,
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

func sumMethod(array string) runtimeMethod {
	switch elementShift(array[1:]) {
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
