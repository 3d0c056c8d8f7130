package instrument

import (
	"slices"
	"testing"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
	"mallard/internal/instrument/emit"
)

// TestCarrier: what carries virtual threads has a context where these are hashed, from its first instruction on, and
// announces what it calls when they have been unmounted, nothing else.
func TestCarrier(t *testing.T) {
	looked := false
	for _, archive := range corpus.JDKs() {
		virtual := func(c *corpusClass) bool { return c.name == emit.VirtualThreadClass }
		eachClass(t, archive, virtual, func(c *corpusClass) {
			looked = true
			for _, representation := range []Representation{Hashed, Encoded, Tree} {
				checkCarrier(t, c, representation)
			}
		})
	}
	if !looked {
		t.Skip("no JDK has virtual threads")
	}
}

func checkCarrier(t *testing.T, c *corpusClass, representation Representation) {
	t.Helper()
	const name, descriptor = "runContinuation", "()V"
	r, err := Rewrite(c.bytes, Options{Contexts: representation})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(r.Methods, func(m Method) bool { return m.Name == name })
	if representation != Hashed {
		if at >= 0 && r.Methods[at].Context != nil {
			t.Errorf("%v: in representation %v it has a context", c, representation)
		}
		return
	}
	if at < 0 || r.Methods[at].Context == nil {
		t.Fatalf("%v: no context", c)
	}
	var callees []string
	for _, call := range r.Methods[at].Context.Calls {
		callees = append(callees, call.Callee)
	}
	slices.Sort(callees)
	callees = slices.Compact(callees) // the code has them twice, also for what is thrown
	if !slices.Equal(callees, []string{"afterDone()V", "afterYield()V"}) &&
		!slices.Equal(callees, []string{"afterTerminate()V", "afterYield()V"}) {
		t.Errorf("%v: it announces %v", c, callees)
	}
	class, err := classfile.Parse(r.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	attribute := class.Pool.FindAttribute(class.FindMethod(name, descriptor).Attributes, classfile.AttrCode)
	code, err := classfile.DecodeCode(attribute.Info)
	if err != nil {
		t.Fatal(err)
	}
	if op := bytecode.Opcode(code.Bytecode[0]); op != bytecode.OpLdc && op != bytecode.OpLdcW {
		t.Errorf("%v: its context does not begin first", c)
	}
}
