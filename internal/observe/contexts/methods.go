package contexts

import (
	"slices"

	"mallard/internal/calltree"
	"mallard/internal/classes"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

type methodKey struct {
	class  classes.Key
	method string // name and descriptor
}

// method is a method that stands in contexts.
type method struct {
	counts   bool             // it has code of ours
	counters trace.CounterID  // number of the first counter in its nodes
	calls    []methodCall     // by slot
	lines    []transport.Line // where the agent has said
	raised   bool             // it is the constructor of an exception
	version  *classes.Version // that it is of, nil without code of ours
	index    int              // in the version's methods
	ending   bool             // its class was unloaded: all about it is being recorded for the last time
	unloaded bool             // all about it is recorded, and no other method has its number
}

// methodCall is where a call is: in the code as the JVM has it and as it was in the class file, and in the source.
type methodCall struct{ pc, bci, line int32 }

// methodOfEntry is a method of all classes out of the cache that an entry is of.
type methodOfEntry struct {
	entry uint64
	index int
}

func (m *method) ofEntry() (of methodOfEntry, ok bool) {
	if m.version == nil || m.version.Entry() == 0 {
		return of, false
	}
	return methodOfEntry{m.version.Entry(), m.index}, true
}

// call gives the caller's call that led to a context, nil where it was no call of ours.
func (m *method) call(x *calltree.Context) *methodCall {
	i, ok := x.Slot, x.Slot >= 0 && x.Slot < len(m.calls)
	if x.Slot < 0 {
		i, ok = slices.BinarySearchFunc(m.calls, x.PC, func(c methodCall, pc int) int { return int(c.pc) - pc })
	}
	if !ok {
		return nil
	}
	return &m.calls[i]
}

// bci gives the place in the class file, as it was, of an instruction at pc of the code that the JVM has, -1 unknown.
func (m *method) bci(pc int) int32 {
	if m.version == nil {
		return int32(pc)
	}
	methods, err := m.version.Methods()
	if err != nil || m.index >= len(methods) {
		return -1
	}
	return int32(methods[m.index].BCIAt(pc))
}

// line gives the source line of a position in the code as the JVM has it, -1 unknown: as stack traces do, of the first
// entry that starts just there, else of the last of those that start closest before.
func (m *method) line(pc int) int32 {
	line := int32(-1)
	best := int32(-1)
	for _, e := range m.lines {
		if int(e.PC) == pc {
			return int32(e.Line)
		}
		if int(e.PC) < pc && int32(e.PC) >= best {
			line, best = int32(e.Line), int32(e.PC)
		}
	}
	return line
}
