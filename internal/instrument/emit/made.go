package emit

import (
	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
)

// Made gives the code that adds up what a call has made.
func (m *Method) Made(by allocations.Call, number uint32,
	in bytecode.Instruction) (code []bytecode.Instruction, stack int, err error) {
	dup := bytecode.Insn(bytecode.OpDup)
	switch by {
	case allocations.MakesString, allocations.TakesBytes, allocations.TakesStrings:
		if m.Traits().MeasuresStrings {
			method := concat
			if by == allocations.TakesStrings {
				method = record
			}
			code, err = m.update(number, method, dup) // ..., string, string, number → ..., string
			return code, 2, err
		}
		code, err = m.update(number, take) // ..., number → ...
		return code, 1, err
	case allocations.MakesClone:
		class, _, _, e := m.pool.Ref(in.Pool())
		if e != nil {
			return nil, 0, e
		}
		if m.Traits().TellsClasses && allocations.ElementShift(class[1:]) < 0 {
			return m.byClass(number, copied, dup) // ..., object, object, number → ..., object
		}
		code, err = m.update(number, array, dup) // ..., object, object, number → ..., object
	case allocations.MayClone:
		return m.byClass(number, cloned, dup) // ..., object, object, number → ..., object
	case allocations.MaySuperClone:
		class, e := m.pool.RefClass(in.Pool())
		if e != nil {
			return nil, 0, e
		}
		// ..., object, object, class, number → ..., object
		return m.byClass(number, superCloned, dup, bytecode.Ldc(class))
	case allocations.MakesHandled:
		return m.byClass(number, handled, dup) // ..., object, object, number → ..., object
	case allocations.MakesBacktrace:
		code, err = m.update(number, backtrace, dup) // ..., throwable, throwable, number → ..., throwable
	case allocations.MakesNested:
		return m.byClass(number, nested, dup) // ..., object, object, number → ..., object
	case allocations.MakesArray:
		if m.Traits().TellsClasses {
			return m.byClass(number, copied, dup) // ..., array, array, number → ..., array
		}
		return m.Array(number, "[Ljava/lang/Object;")
	case allocations.MakesHandles:
		return m.arrays(number)
	case allocations.EndsChain:
		// ..., before, string → ..., string, before, string, number → ..., string
		code, err = m.update(number, chainEnded, bytecode.Insn(bytecode.OpDupX1))
		return code, 3, err
	case allocations.MakesReplaced:
		code, err = m.update(number, replaced, dup) // ..., array, array, number → ..., array
	case allocations.MakesFresh:
		// ..., array, array, given, number → ..., array
		code, err = m.update(number, fresh, dup, bytecode.LoadStore(bytecode.OpAload, 4))
		return code, 3, err
	case allocations.MakesObject:
		if m.Traits().TellsClasses {
			return m.byClass(number, made, dup) // ..., object, object, number → ..., object
		}
		code, err = m.update(number, object, dup) // ..., object, object, number → ..., object
	default:
		code, err = m.update(number, object, dup) // ..., object, object, number → ..., object
	}
	return code, 2, err
}

// byClass is update for a method that finds out of what class an object is, given instructions that push one operand
// each. With contexts it takes two numbers more.
func (m *Method) byClass(number uint32, method RuntimeMethod,
	before ...bytecode.Instruction) (code []bytecode.Instruction, stack int, err error) {
	code, err = m.update(number, method, before...)
	return code, len(before) + 1 + m.Slots(0), err
}

// BeforeEnd gives the code in front of the call that ends a chain: it leaves below the builder how many builders have
// made Strings.
func (m *Method) BeforeEnd() (code []bytecode.Instruction, stack int, err error) {
	invoke, err := m.Invoke(chainsEnded) // ..., builder → ..., builder, before → ..., before, builder
	return []bytecode.Instruction{invoke, bytecode.Insn(bytecode.OpSwap)}, 1, err
}

// arrays puts a method of the runtime class, which counts, in the place of Array.newInstance, where class and name of
// that have been pushed.
func (m *Method) arrays(number uint32) (code []bytecode.Instruction, stack int, err error) {
	invoke, err := m.Invoke(arrayMaker)
	if err != nil {
		return nil, 0, err
	}
	push, err := m.push(number)
	if err != nil {
		return nil, 0, err
	}
	name, err := m.pool.AddString(runtimeMethods[newArray].name)
	// ..., class, name → ..., number → ..., class of the runtime → ..., class, name
	return []bytecode.Instruction{bytecode.Insn(bytecode.OpPop2), push, invoke, m.ldc(name)}, 0, err
}
