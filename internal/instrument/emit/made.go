package emit

import (
	"slices"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
)

// Made gives the code that adds up what a call has made.
func (m *Method) Made(by allocations.Call, number uint32,
	in bytecode.Instruction) (code []bytecode.Instruction, stack int, err error) {
	dup := bytecode.Insn(bytecode.OpDup)
	switch by {
	case allocations.MakesString:
		if m.options.MarksStrings {
			code, err = m.update(number, concatenatedOwn, dup) // ..., string, string, number → ..., string
			return code, 2, err
		}
		code, err = m.update(number, concatenated) // ..., number → ...
		return code, 1, err
	case allocations.MakesOwnString:
		code, err = m.update(number, concat, dup) // ..., string, string, number → ..., string
	case allocations.TakesBytes, allocations.TakesStrings:
		if m.Traits().MeasuresStrings {
			code, err = m.update(number, record, dup) // ..., string, string, number → ..., string
			return code, 2, err
		}
		if m.ownsArray(in) {
			return m.Array(number, "[B") // ..., array, length, number → ..., array
		}
		code, err = m.update(number, countDeferred) // ..., number → ...
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
	case allocations.MakesMembers:
		code, err = m.update(number, members, dup) // ..., array, array, number → ..., array
	case allocations.MakesReturned:
		code, err = m.update(number, returned, dup) // ..., object, object, number → ..., object
	case allocations.MakesNested:
		return m.byClass(number, nested, dup) // ..., object, object, number → ..., object
	case allocations.MakesArray:
		if m.Traits().TellsClasses {
			return m.byClass(number, copied, dup) // ..., array, array, number → ..., array
		}
		return m.Array(number, "[Ljava/lang/Object;")
	case allocations.CallsHandle:
		invoke, e := m.Invoke(endsCall)
		return []bytecode.Instruction{invoke}, 0, e
	case allocations.MakesForCaller:
		return m.byClass(number, forCaller, dup) // ..., object, object, number → ..., object
	case allocations.MakesBox:
		// ..., array, box → ..., box, array, box, number → ..., box
		code, stack, err = m.byClass(number, boxed, bytecode.Insn(bytecode.OpDupX1))
		return code, stack + 1, err
	case allocations.MakesInvoked:
		// ..., object, object, accessor, arguments, number → ..., object
		return m.byClass(number, invoked, dup, bytecode.LoadStore(bytecode.OpAload, 0),
			bytecode.LoadStore(bytecode.OpAload, 2))
	case allocations.EndsChain:
		// ..., before, string → ..., string, before, string, number → ..., string
		code, err = m.update(number, chainEnded, bytecode.Insn(bytecode.OpDupX1))
		return code, 3, err
	case allocations.CountsChain:
		code, err = m.update(number, chainOver, bytecode.Insn(bytecode.OpDupX1)) // as above
		return code, 3, err
	case allocations.MakesReplaced:
		code, err = m.update(number, replaced, dup) // ..., array, array, number → ..., array
	case allocations.MakesFresh:
		// ..., array, array, given, number → ..., array
		code, err = m.update(number, fresh, dup, bytecode.LoadStore(bytecode.OpAload, 4))
		return code, 3, err
	case allocations.MakesTable:
		// ..., array, length, before, number → ..., array
		code, err = m.update(number, arrayAfter, dup, bytecode.Insn(bytecode.OpArraylength),
			bytecode.LoadStore(bytecode.OpAload, allocations.TableBefore))
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
	if err == nil && m.options.ForCallers && m.Traits().NamesCallers && method != copied && method != made {
		var invoke bytecode.Instruction
		invoke, err = m.Invoke(caller) // ..., number → ..., number
		code = slices.Insert(code, len(code)-1, invoke)
	}
	return code, len(before) + 1 + m.Slots(0), err
}

// Failed adds the array in a local variable, which a call was to return that has thrown, or what the Constructor there
// has made, if the exception says so that has been thrown. The array of a string is one of bytes.
func (m *Method) Failed(number uint32, local uint16, constructs, concatenates bool) (code []bytecode.Instruction,
	stack int, err error) {
	if constructs { // ..., exception, exception, constructor, number → ..., exception
		return m.byClass(number, lost, bytecode.Insn(bytecode.OpDup), bytecode.LoadStore(bytecode.OpAload, local))
	}
	if concatenates {
		code, err = m.update(number, array1, bytecode.LoadStore(bytecode.OpAload, local),
			bytecode.Insn(bytecode.OpArraylength)) // ..., length, number → ...
		return code, 2, err
	}
	return m.byClass(number, forCaller, bytecode.LoadStore(bytecode.OpAload, local)) // ..., array, number → ...
}

// Before gives the code in front of a call; none for most.
func (m *Method) Before(by allocations.Call, number uint32) (code []bytecode.Instruction, stack int, err error) {
	switch by {
	case allocations.EndsChain, allocations.CountsChain: // how many builders have made Strings
		invoke, err := m.Invoke(chainsEnded) // ..., builder → ..., builder, before → ..., before, builder
		return []bytecode.Instruction{invoke, bytecode.Insn(bytecode.OpSwap)}, 1, err
	case allocations.MakesBox: // ..., array, index → ..., array, index, array, index → ..., array, array, index
		return []bytecode.Instruction{bytecode.Insn(bytecode.OpDup2), bytecode.Insn(bytecode.OpPop),
			bytecode.Insn(bytecode.OpSwap)}, 2, nil
	case allocations.Stops:
		code, err = m.update(number, stops) // ..., this, number → ..., this
		return code, 1, err
	case allocations.CallsHandle:
		push, err := m.push(number)
		if err != nil {
			return nil, 0, err
		}
		invoke, err := m.Invoke(calls) // ..., number → ...
		return []bytecode.Instruction{push, invoke}, 1, err
	}
	return nil, 0, nil
}

// ownsArray reports whether nobody has deferred the byte[] that a call gives.
func (m *Method) ownsArray(in bytecode.Instruction) bool {
	if !m.options.OwnsArrays || in.Op != bytecode.OpInvokestatic {
		return false
	}
	_, _, descriptor, err := m.pool.Ref(in.Pool())
	return err == nil && descriptor == "(I)[B"
}
