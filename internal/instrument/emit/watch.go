package emit

import "mallard/internal/bytecode"

// A Reading is the code around an instruction that reads a field or an element, which tells who watches the object.
type Reading struct {
	Before, Behind []bytecode.Instruction
	Stack          int // operand slots that Before needs, and Behind as well, beyond those in use
}

// Reads gives the code around a getfield of a field with this descriptor, or a load from an array, given its place in
// the class file as it was. The value goes through the call, but for a reference, whose type would be lost:
//
//	dup                     ..., object, object
//	getfield                ..., object, value
//	dup_x1                  ..., value, object, value
//	sipush 12               ..., value, object, value, place
//	invokestatic $MallardWatch.read (Ljava/lang/Object;Ljava/lang/Object;I)V
func (m *Method) Reads(op bytecode.Opcode, descriptor string, place int) (Reading, error) {
	method, r := readReference, Reading{Stack: 3}
	if op == bytecode.OpGetfield {
		r.Before = []bytecode.Instruction{bytecode.Insn(bytecode.OpDup)}
		method = readings[descriptor[0]]
		if method == None {
			method = readReference
		}
		if method == readReference {
			r.Behind = []bytecode.Instruction{bytecode.Insn(bytecode.OpDupX1)}
		}
	} else {
		r.Before = []bytecode.Instruction{bytecode.Insn(bytecode.OpDup2)}
		method = loads[op]
		if method == readReferenceAt {
			r.Behind = []bytecode.Instruction{bytecode.Insn(bytecode.OpDupX2)}
		}
		r.Stack = 4
	}
	push, err := m.pushInt(int32(place))
	if err != nil {
		return Reading{}, err
	}
	invoke, err := m.Invoke(method)
	r.Behind = append(r.Behind, push, invoke)
	return r, err
}

// readings are the methods for fields, by the first letter of descriptors.
var readings = [128]RuntimeMethod{'Z': readInt, 'B': readInt, 'C': readInt, 'S': readInt, 'I': readInt, 'J': readLong,
	'F': readFloat, 'D': readDouble, 'L': readReference, '[': readReference}

var loads = map[bytecode.Opcode]RuntimeMethod{
	bytecode.OpIaload: readIntAt, bytecode.OpBaload: readIntAt, bytecode.OpCaload: readIntAt,
	bytecode.OpSaload: readIntAt, bytecode.OpLaload: readLongAt, bytecode.OpFaload: readFloatAt,
	bytecode.OpDaload: readDoubleAt, bytecode.OpAaload: readReferenceAt,
}

// IsLoad reports whether an instruction reads an element of an array.
func IsLoad(op bytecode.Opcode) bool { return loads[op] != None }
