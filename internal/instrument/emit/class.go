package emit

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

type poolIndex = classfile.PoolIndex

// Options says how a class counts.
type Options struct {
	Contexts Representation

	// Portable is what the names of the classes begin with, in internal form, that code calls where no agent is; ""
	// where the runtime classes are in the JVM.
	Portable string

	Redefined       bool // the JVM will add the new constants to those that it has
	MarksStrings    bool // see [allocations.Options]
	OwnsArrays      bool
	ReportBytecodes bool // threads are told how many bytecodes they execute
	ForCallers      bool // what calls make is counted for those who have called a method handle
}

// names gives the classes that code calls.
func (o *Options) names() [len(RuntimeNames)]string {
	if o.Portable != "" {
		counters, transactions := o.Portable+"Counters", o.Portable+"Transactions"
		return [len(RuntimeNames)]string{
			inCounters: counters, inObjects: counters, inVM: counters, inReplaced: counters, inReflection: counters,
			inTree: o.Portable + "Node", inTransactions: transactions, inEntered: transactions,
		}
	}
	return RuntimeNames
}

// through gives the runtime class by which code calls the methods of one. A class that counts names as few of them as
// can be: for each name the JVM calls the class's loader. Those that most code calls extend each other, and inherit
// methods.
func (o *Options) through(class int) int {
	if o.Portable != "" || class != inCounters && class != inObjects {
		return class
	}
	switch o.Contexts {
	case Hashed:
		return inHash
	case Tree:
		return inTree
	case Encoded:
		return inCode
	}
	return inObjects
}

// A Class gives the code of one class its constants and its counters' numbers. Constants are always new ones: searching
// the constant pool for equal ones would cost more than all else here.
type Class struct {
	options   Options
	pool      *classfile.Pool
	names     [len(RuntimeNames)]string      // of the runtime classes
	runtime   [len(RuntimeNames)]poolIndex   // the runtime classes; 0 before the first call
	methods   [len(runtimeMethods)]poolIndex // references to their methods, 0 before the first call
	overloads [len(runtimeMethods)]poolIndex // the same, to the methods that count in a node
	classes   map[string]classfile.PoolIndex // constants for frames

	stackMapTable poolIndex // name of the attribute; 0 before the first use

	numbering
}

// numbering is what has been numbered, relative to the class's first of each.
type numbering struct {
	next     uint32 // counter number
	nextCall uint32
	counters []poolIndex // constants that hold counter numbers
	contexts []poolIndex // and numbers of methods, in their order
	calls    []poolIndex // and numbers of calls
}

// NewClass prepares code for a class, given its constant pool.
func NewClass(pool *classfile.Pool, o Options) *Class {
	return &Class{options: o, pool: pool, names: o.names()}
}

// Counters and Contexts are how many numbers have been taken of each.
func (c *Class) Counters() uint32 { return c.next }

func (c *Class) Contexts() uint32 { return uint32(len(c.contexts)) }

// Take gives the first of n new counter numbers.
func (c *Class) Take(n uint32) uint32 {
	number := c.next
	c.next += n
	return number
}

// Mark remembers what has been numbered; the function that it gives forgets what has been numbered since. Constants
// stay in the pool, unused.
func (c *Class) Mark() (undo func()) {
	before := c.numbering
	return func() { c.numbering = before }
}

// Patches lists where the class file has the numbers of counters, methods and calls, once it has been written.
func (c *Class) Patches() (counters, methods, calls []int) {
	offsets := func(constants []poolIndex) (list []int) {
		for _, i := range constants {
			list = append(list, c.pool.Offset(i)+1)
		}
		return list
	}
	return offsets(c.counters), offsets(c.contexts), offsets(c.calls)
}

// IsRuntime reports whether a class is one of those that code calls.
func (c *Class) IsRuntime(class string) bool {
	for _, name := range c.names {
		if name == class {
			return true
		}
	}
	return false
}

// Invoke gives the call of a method of a runtime class.
func (c *Class) Invoke(m RuntimeMethod) (bytecode.Instruction, error) {
	return c.invokeAs(m, &c.methods[m], runtimeMethods[m].descriptor)
}

// invokeAs is Invoke for a method with this descriptor, given the reference to it or 0.
func (c *Class) invokeAs(m RuntimeMethod, known *poolIndex, descriptor string) (bytecode.Instruction, error) {
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
func (c *Class) reference(m RuntimeMethod, parameters string) (poolIndex, error) {
	var err error
	method := &runtimeMethods[m]
	add := func(x classfile.Entry) (i poolIndex) {
		if err == nil {
			i, err = c.pool.Append(x)
		}
		return i
	}
	in := c.options.through(method.class)
	class := &c.runtime[in]
	if *class == 0 {
		name := add(classfile.Entry{Tag: classfile.TagUtf8, Utf8: c.names[in]})
		*class = add(classfile.Entry{Tag: classfile.TagClass, A: name})
	}
	name := add(classfile.Entry{Tag: classfile.TagUtf8, Utf8: method.name})
	descriptor := add(classfile.Entry{Tag: classfile.TagUtf8, Utf8: parameters})
	nameAndType := add(classfile.Entry{Tag: classfile.TagNameAndType, A: name, B: descriptor})
	reference := add(classfile.Entry{Tag: classfile.TagMethodref, A: *class, B: nameAndType})
	return reference, err
}

// ClassConstant gives a constant for a class that frames name.
func (c *Class) ClassConstant(name string) (poolIndex, error) {
	if c.classes == nil && c.options.Contexts != NoContexts {
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
		c.classes = map[string]poolIndex{}
	}
	c.classes[strings.Clone(name)] = i
	return i, nil
}

// Catching gives the constants that frames of catchers need.
func (c *Class) Catching(catchers []bytecode.Catcher) (bytecode.Catching, error) {
	throwable, err := c.ClassConstant("java/lang/Throwable")
	if err == nil && c.stackMapTable == 0 {
		c.stackMapTable, err = c.pool.Append(classfile.Entry{Tag: classfile.TagUtf8, Utf8: classfile.AttrStackMapTable})
	}
	return bytecode.Catching{Catchers: catchers, Throwable: throwable, StackMapTable: c.stackMapTable}, err
}

// guard gives a guard that runs code, which needs so many operand slots.
func (c *Class) guard(code []bytecode.Instruction, stack int) (*bytecode.Guard, error) {
	constants, err := c.Catching(nil)
	return &bytecode.Guard{Code: code, Stack: stack, Throwable: constants.Throwable,
		StackMapTable: constants.StackMapTable}, err
}

// push gives the instruction that pushes a counter's number, from a constant of its own. When HotSpot merges the
// constants of a redefined class with those it has, new ones get other indices; were they not to fit an ldc any more,
// it would insert a byte and move the code behind.
func (c *Class) push(number uint32) (bytecode.Instruction, error) {
	i, err := c.pool.AppendInteger(int32(number))
	if err == nil {
		c.counters = append(c.counters, i)
	}
	return c.ldc(i), err
}

// ldc gives the instruction that pushes a constant.
func (c *Class) ldc(i poolIndex) bytecode.Instruction {
	if c.options.Redefined {
		return bytecode.WithPool(bytecode.OpLdcW, i)
	}
	return bytecode.Ldc(i)
}

// callNumber gives the instruction that pushes a call's number.
func (c *Class) callNumber(number uint32) (bytecode.Instruction, error) {
	i, err := c.pool.AppendInteger(int32(number))
	if err == nil {
		c.calls = append(c.calls, i)
	}
	return c.ldc(i), err
}

// pushInt gives the instruction that pushes a number that is nobody's.
func (c *Class) pushInt(n int32) (bytecode.Instruction, error) {
	if int32(int16(n)) == n {
		return bytecode.PushInt(int16(n)), nil
	}
	i, err := c.pool.AppendInteger(n)
	return c.ldc(i), err
}

// ownClasses gives the classes that a pool has constants for. With contexts, so many frames name classes that looking
// for them pays.
func ownClasses(pool *classfile.Pool) map[string]poolIndex {
	classes := map[string]poolIndex{}
	for i := poolIndex(1); int(i) < pool.Len(); i++ {
		if pool.Tag(i) != classfile.TagClass {
			continue
		}
		if name, err := pool.ClassName(i); err == nil {
			classes[name] = i
		}
	}
	return classes
}
