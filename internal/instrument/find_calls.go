package instrument

import (
	"fmt"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// findCalls lists a method's calls in the order of its code, all but those of leaves and of Object's constructor,
// which does nothing, unless constructors are asked for or the VM has it call Finalizer.register.
func (w *rewriter) findCalls(code *bytecode.Code) ([]callSite, error) {
	var sites []callSite
	var table *bytecode.LineTable
	for i, in := range code.Insns {
		if !in.Op.IsInvoke() {
			continue
		}
		called, err := w.called(in)
		if err != nil {
			return nil, fmt.Errorf("pc %d: %w", code.PC(i), err)
		}
		if called.leaf || called.object && !w.options.Constructors && !w.finalizes() {
			continue
		}
		if table == nil {
			table = bytecode.NewLineTable(code)
		}
		sites = append(sites, callSite{at: i, Call: Call{BCI: code.PC(i), Line: table.Line(i), Callee: called.name},
			transaction: called.transaction})
	}
	return sites, nil
}

// finalizes reports whether objects of the class are to be finalized.
func (w *rewriter) finalizes() bool {
	for i := range w.class.Methods {
		m := &w.class.Methods[i]
		if name, _ := w.class.Pool.Utf8(m.Name); name != "finalize" {
			continue
		}
		if descriptor, _ := w.class.Pool.Utf8(m.Descriptor); descriptor == "()V" {
			return true
		}
	}
	return false
}

// called looks at the constant of a call, once for all that have the same.
func (w *rewriter) called(in bytecode.Instruction) (called, error) {
	if in.Op == bytecode.OpInvokedynamic {
		return called{}, nil
	}
	if known, found := w.callees[in.Pool()]; found {
		return known, nil
	}
	class, name, descriptor, err := w.class.Pool.Ref(in.Pool())
	if err != nil {
		return called{}, err
	}
	var c called
	if !isPolymorphic(class, name) {
		c.name, c.object = strings.Clone(emit.CallName(class, name, descriptor)), class == objectClass &&
			name == "<init>"
		c.transaction = w.traits.TransactionOf(in, class, c.name)
		c.leaf = !c.object && c.transaction == emit.NoTransaction && w.isLeaf(class, name, descriptor)
	}
	if w.callees == nil {
		w.callees = map[classfile.PoolIndex]called{}
	}
	w.callees[in.Pool()] = c
	return c, nil
}
