package instrument

import (
	"sort"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// Method is a method that allocates, or one that calls others and has contexts.
type Method struct {
	Name, Descriptor string
	Sites            []allocations.Site
	Counters         []Counter
	Context          *Context // nil without; what it counts belongs to the thread then
	Fallback         string   // why it does not have the placement asked for; "" where it has
	// another placement may be better, depending on how often the edges of the method are taken
	Adaptable bool
	// an exception may leave one of its paths between two counters, and then its counts are off
	Crosses bool
	// without an agent, counters: the first of each call whose code does not tell the class of what it makes
	Made            []uint32
	phis            []phiEntry
	shifts          []shift
	codeFingerprint uint64 // of the new code
}

// Has reports whether code, as a JVM has it, is that of the instrumented method: the same instructions, whatever
// numbers their constants have.
func (m *Method) Has(code []byte) bool { return bytecode.Fingerprint(code) == m.codeFingerprint }

// Phi gives φ of an invocation that stands at pc of the new code: what it has counted and not allocated yet, over
// Sites. Coefficients may be negative. (DESIGN: "Live frames")
func (m *Method) Phi(pc int) placement.Vector {
	last := sort.Search(len(m.phis), func(i int) bool { return int(m.phis[i].pc) > pc }) - 1
	first := last
	for first >= 0 && m.phis[first].relative {
		first--
	}
	if first < 0 {
		return nil
	}
	if first == last {
		return m.phis[first].phi
	}
	var phi balance
	phi.reset(len(m.Sites))
	for _, o := range m.phis[first : last+1] {
		phi.add(o.phi)
	}
	return phi.vector()
}

// PhiAfterCall is Phi for an invocation whose call at pc of a method of the runtime class is as good as over.
func (m *Method) PhiAfterCall(pc int) placement.Vector {
	const invokestatic = 3 // bytes
	return m.Phi(pc + invokestatic)
}

// Next is the bytecode at which an invocation stands that calls nothing, as a vector over Sites: control has come to
// it in Phi, and it has not begun. HotSpot's interpreter stands at the next one already while it waits in a
// monitorenter.
func (m *Method) Next() placement.Vector {
	if last := len(m.Sites) - 1; last >= 0 && m.Sites[last].Kind == allocations.Executed {
		return placement.Unit(last)
	}
	return nil
}

// BCIAt gives the place in the class file, as it was, of an instruction of it that is at pc of the new code.
func (m *Method) BCIAt(pc int) int {
	i := sort.Search(len(m.shifts), func(i int) bool { return int(m.shifts[i].pc) > pc })
	if i == 0 {
		return pc
	}
	return pc - int(m.shifts[i-1].by)
}
