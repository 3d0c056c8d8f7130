package instrument

import (
	"fmt"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// A callSite is an instruction that calls a method.
type callSite struct {
	at int // instruction
	Call
	transaction emit.Transaction
	chains      bool // calls super() or this(), where no agent is
}

// mayInvoke is false for code that has no byte in common with a call.
func mayInvoke(code []byte) bool {
	for _, b := range code {
		if bytecode.Opcode(b).IsInvoke() {
			return true
		}
	}
	return false
}

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

// called is what a constant says about a callee. The strings are not the class's.
type called struct {
	name   string // as in [Call.Callee]
	object bool   // Object's constructor
	leaf   bool   // it can only be a leaf, which begins or ends no transaction

	transaction emit.Transaction
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

// isPolymorphic reports whether a method is signature polymorphic (JVMS 2.9.3), as far as the name of one of these
// classes tells.
func isPolymorphic(class, name string) bool {
	switch class {
	case "java/lang/invoke/MethodHandle":
		return name == "invoke" || name == "invokeExact" || name == "invokeBasic" || strings.HasPrefix(name, "linkTo")
	case "java/lang/invoke/VarHandle":
		for _, prefix := range [...]string{"get", "set", "compareAnd", "weakCompareAnd"} {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}

// uninitializedThis tells for each instruction of a constructor whether `this` is uninitialised when it starts; nil
// for other methods, and in classes without frames.
func (b *body) uninitializedThis() ([]bool, error) {
	if b.name != "<init>" || b.code.Version < framesVersion {
		return nil, nil
	}
	entry, err := b.entryLocals(func(string) (classfile.PoolIndex, error) { return 0, nil })
	if err != nil {
		return nil, err
	}
	return b.code.UninitializedThis(entry, b.rewriter.class.Pool)
}

// findChains finds the calls of super() or this().
func (b *body) findChains() error {
	if !b.rewriter.traits.AnnouncesChains {
		return nil
	}
	this, err := b.uninitializedThis()
	if err != nil {
		return err
	}
	for k := range b.calls {
		at := b.calls[k].at
		b.calls[k].chains = at+1 < len(this) && this[at] && !this[at+1] &&
			b.code.Insns[at].Op == bytecode.OpInvokespecial
	}
	return nil
}
