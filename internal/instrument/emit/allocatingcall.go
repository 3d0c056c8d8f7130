package emit

import "mallard/internal/bytecode"

// An AllocatingCall says what a call leaves on the stack that is new.
type AllocatingCall uint8

const (
	NoAllocatingCall AllocatingCall = iota
	MakesClone                      // an array of the class that the call names
	MayClone                        // an object, if its class inherits clone from Object: who overrides it calls it
	MaySuperClone                   // an object, if the class that the call names does
	MakesArray                      // an array of references
	MakesObject                     // anything; the VM knows its size
	MakesLambda                     // an object of a hidden class
	MakesHandled                    // an object, unless the caller of the method handle counts it
	MakesNested                     // an array of arrays, all levels new
	MakesBacktrace                  // a Throwable's record of the stack
	MakesString                     // a String, and its byte[] unless it shares another's
	CopiesString                    // a String that shares its byte[]; told apart where nobody can give
	TakesBytes                      // byte[] that were announced to give
	TakesStrings                    // the same, each of them in a String
	MakesHandles                    // a method handle of Array.newInstance, by whose name it asks
)

// Made gives the code that adds up what a call has made.
func (m *Method) Made(made AllocatingCall, number uint32,
	in bytecode.Instruction) (code []bytecode.Instruction, stack int, err error) {
	dup := bytecode.Insn(bytecode.OpDup)
	switch made {
	case MakesString, TakesBytes, TakesStrings:
		if m.Traits().MeasuresStrings {
			method := concat
			if made == TakesStrings {
				method = record
			}
			code, err = m.update(number, method, dup) // ..., string, string, number → ..., string
			return code, 2, err
		}
		code, err = m.update(number, take) // ..., number → ...
		return code, 1, err
	case MakesClone:
		code, err = m.update(number, array, dup) // ..., object, object, number → ..., object
	case MayClone:
		code, err = m.update(number, cloned, dup) // ..., object, object, number → ..., object
	case MaySuperClone:
		class, e := m.pool.RefClass(in.Pool())
		if e != nil {
			return nil, 0, e
		}
		// ..., object, object, class, number → ..., object
		code, err = m.update(number, superCloned, dup, bytecode.Ldc(class))
		return code, 3, err
	case MakesHandled:
		code, err = m.update(number, handled, dup) // ..., object, object, number → ..., object
	case MakesBacktrace:
		code, err = m.update(number, backtrace, dup) // ..., throwable, throwable, number → ..., throwable
	case MakesNested:
		code, err = m.update(number, nested, dup) // ..., object, object, number → ..., object
	case MakesArray:
		return m.Array(number, "[Ljava/lang/Object;")
	case MakesHandles:
		return m.arrays(number)
	default:
		code, err = m.update(number, object, dup) // ..., object, object, number → ..., object
	}
	return code, 2, err
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
