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

// TestStartedInside: where VirtualThread itself tells JVMTI that a thread has started, as in JDK 21, its run does not
// say that stacks are told. No JDK that tests need is like that: a constant makes one so.
func TestStartedInside(t *testing.T) {
	for _, archive := range corpus.JDKs() {
		virtual := func(c *corpusClass) bool { return c.name == emit.VirtualThreadClass }
		eachClass(t, archive, virtual, func(c *corpusClass) {
			class, err := classfile.Parse(c.bytes)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := class.Pool.AddMethodref(emit.VirtualThreadClass, "notifyJvmtiStart", "()V"); err != nil {
				t.Fatal(err)
			}
			inside, err := class.AppendTo(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, hook := range []string{"runs", "runsHidden"} {
				if got := callsRuntime(t, inside, hook); got != (hook == "runsHidden") {
					t.Errorf("%v: started inside: it calls %s: %v", c, hook, got)
				}
			}
		})
	}
}

// TestFirstVirtualThread: the first virtual thread's stack is told from what it initialises first on.
func TestFirstVirtualThread(t *testing.T) {
	for _, archive := range corpus.JDKs() {
		event := func(c *corpusClass) bool { return c.name == "jdk/internal/event/VirtualThreadStartEvent" }
		eachClass(t, archive, event, func(c *corpusClass) {
			if !callsRuntime(t, c.bytes, "started") {
				t.Errorf("%v does not say that it has started", c)
			}
		})
	}
}

// TestYieldEnds: a thread is shown again however yieldContinuation ends.
func TestYieldEnds(t *testing.T) {
	looked := false
	for _, archive := range corpus.JDKs() {
		virtual := func(c *corpusClass) bool { return c.name == emit.VirtualThreadClass }
		eachClass(t, archive, virtual, func(c *corpusClass) {
			looked = true
			r, err := Rewrite(c.bytes, Options{Contexts: Hashed})
			if err != nil {
				t.Fatal(err)
			}
			class, code := codeOf(t, r.Bytes, "yieldContinuation", "()Z")
			decoded, err := bytecode.Decode(code, class.Pool)
			if err != nil {
				t.Fatal(err)
			}
			for i, in := range decoded.Insns {
				if !in.Op.IsReturn() && in.Op != bytecode.OpAthrow {
					continue
				}
				before := decoded.Insns[i-1]
				if before.Op != bytecode.OpInvokestatic {
					t.Errorf("%v: %v follows %v", c, in.Op, before.Op)
				} else if _, name, _, err := class.Pool.Ref(before.Pool()); err != nil || name != "show" {
					t.Errorf("%v: %v follows a call of %s", c, in.Op, name)
				}
			}
		})
	}
	if !looked {
		t.Skip("no JDK has virtual threads")
	}
}

// codeOf gives the code of a method of a class.
func codeOf(t *testing.T, bytes []byte, name, descriptor string) (*classfile.Class, *classfile.Code) {
	t.Helper()
	class, err := classfile.Parse(bytes)
	if err != nil {
		t.Fatal(err)
	}
	attribute := class.Pool.FindAttribute(class.FindMethod(name, descriptor).Attributes, classfile.AttrCode)
	code, err := classfile.DecodeCode(attribute.Info)
	if err != nil {
		t.Fatal(err)
	}
	return class, code
}

// callsRuntime reports whether a class, with contexts, names a method of the runtime classes.
func callsRuntime(t *testing.T, bytes []byte, name string) bool {
	t.Helper()
	r, err := Rewrite(bytes, Options{Contexts: Hashed})
	if err != nil {
		t.Fatal(err)
	}
	class, err := classfile.Parse(r.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	for i := range classfile.PoolIndex(class.Pool.Len()) {
		if class.Pool.Tag(i) != classfile.TagMethodref {
			continue
		}
		if owner, method, _, err := class.Pool.Ref(i); err == nil && IsRuntime(owner) && method == name {
			return true
		}
	}
	return false
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
	_, code := codeOf(t, r.Bytes, name, descriptor)
	if op := bytecode.Opcode(code.Bytecode[0]); op != bytecode.OpLdc && op != bytecode.OpLdcW {
		t.Errorf("%v: its context does not begin first", c)
	}
}
