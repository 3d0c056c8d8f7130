package instrument

import (
	"slices"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// `Foo::new` makes its objects in a hidden class, which the JVM spins when it links the invokedynamic instruction that the compiler has put in its place. What
// that class allocates belongs to that instruction.

// A Place is an instruction at which the JVM has linked a hidden class.
type Place struct {
	Class, Source      string // internal form; SourceFile attribute, "" without one
	Method, Descriptor string
	BCI                int // in the class file as it was
	Line               int // -1 unknown
}

// PutAt says that what a class allocates is allocated at one place elsewhere.
func (r *Result) PutAt(p Place) {
	r.Name, r.Source = p.Class, p.Source
	for i := range r.Methods {
		m := &r.Methods[i]
		m.Name, m.Descriptor = p.Method, p.Descriptor
		for k := range m.Sites {
			m.Sites[k].BCI, m.Sites[k].Line = p.BCI, p.Line
		}
	}
}

// A Reference is a `Foo::new` in a method that was rewritten.
type Reference struct {
	PC  int // in the new code
	BCI int // in the class file as it was
}

// ReferenceAt gives the BCI of the `Foo::new` at pc of the new code; false if there is none.
func (m *Method) ReferenceAt(pc int) (bci int, ok bool) {
	i := slices.IndexFunc(m.references, func(r Reference) bool { return r.PC == pc })
	if i < 0 {
		return 0, false
	}
	return m.references[i].BCI, true
}

// constructs reports whether the arguments of LambdaMetafactory say that a constructor is to be called.
func (w *rewriter) constructs(arguments []classfile.PoolIndex) bool {
	if len(arguments) < 2 {
		return false
	}
	kind, _, err := w.class.Pool.MethodHandle(arguments[1]) // after the interface's method type
	return err == nil && kind == classfile.RefNewInvokeSpecial
}

// referencesIn lists where a method's references have gone.
func (w *rewriter) referencesIn(code *bytecode.Code, r *bytecode.Rewritten) []Reference {
	if len(w.references) == 0 {
		return nil
	}
	var list []Reference
	for i, in := range code.Insns {
		if in.Op == bytecode.OpInvokedynamic && slices.Contains(w.references, in.Pool()) {
			list = append(list, Reference{r.PC(i), code.PC(i)})
		}
	}
	return list
}
