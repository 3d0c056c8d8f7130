package calltree

import (
	"encoding/binary"

	"mallard/internal/abi"
)

// MethodNumbers are those that the methods of a class have: in a row from First on, or, where some were free already,
// each its own.
type MethodNumbers struct {
	First MethodID   // of the first method; 0: there are none
	Each  []MethodID // nil: they are in a row
	Calls []uint32   // with Each, where contexts are encoded: the number of each call of the class
}

// Of gives the number of a method, given its number relative to the class's first.
func (n *MethodNumbers) Of(relative uint32) MethodID {
	if n.Each != nil {
		return n.Each[relative]
	}
	return n.First + MethodID(relative)
}

// A MethodShape is the shape of one method: words of its nodes, and how many calls it has, with abi.MethodRaised.
type MethodShape struct{ Words, Calls uint32 }

// MethodShapeOf gives the shape of a method.
func MethodShapeOf(m *Method) MethodShape {
	if m.Words == 0 {
		return MethodShape{}
	}
	calls := uint32(len(m.Calls))
	if m.Raised {
		calls |= abi.MethodRaised
	}
	return MethodShape{uint32(m.Words), calls}
}

// MethodShape gives that of a method with a number.
func (a *Arena) MethodShape(id MethodID) MethodShape {
	row := a.memory[a.methodAt(id):]
	le := binary.LittleEndian
	return MethodShape{le.Uint32(row[abi.MethodWords:]), le.Uint32(row[abi.MethodCalls:])}
}
