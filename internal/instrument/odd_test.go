package instrument

import (
	"strings"
	"testing"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
	"mallard/internal/placement"
)

// A classBuilder makes class files that no compiler at hand makes. What fails fails the test.
type classBuilder struct {
	t     *testing.T
	class classfile.Class
}

func newClassBuilder(t *testing.T, name string, version uint16) *classBuilder {
	// public, super
	b := &classBuilder{t, classfile.Class{Major: version, Pool: classfile.NewPool(), AccessFlags: 0x0021}}
	b.class.ThisClass, b.class.SuperClass = b.ref(name), b.ref("java/lang/Object")
	b.text(classfile.AttrCode)
	return b
}

func (b *classBuilder) text(s string) classfile.PoolIndex {
	i, err := b.class.Pool.AddUtf8(s)
	b.must(err)
	return i
}

func (b *classBuilder) ref(class string) classfile.PoolIndex {
	i, err := b.class.Pool.AddClass(class)
	b.must(err)
	return i
}

func (b *classBuilder) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// method adds a static method without arguments.
func (b *classBuilder) method(name, result string, code *bytecode.Code) {
	b.t.Helper()
	if len(code.Frames) > 0 {
		code.Attributes = append(code.Attributes, bytecode.Attribute{Name: b.text(classfile.AttrStackMapTable),
			Kind: bytecode.StackMapTable, Count: len(code.Frames)})
	}
	encoded, err := code.Encode()
	b.must(err)
	info, err := encoded.AppendTo(nil)
	b.must(err)
	b.class.Methods = append(b.class.Methods, classfile.Member{
		AccessFlags: 0x0009, // public static
		Name:        b.text(name), Descriptor: b.text("()" + result),
		Attributes: []classfile.Attribute{{Name: b.text(classfile.AttrCode), Info: info}},
	})
}

// fill adds constants until the pool has n entries.
func (b *classBuilder) fill(n int) {
	for i := int32(1 << 20); b.class.Pool.Len() < n; i++ {
		_, err := b.class.Pool.AddInteger(i)
		b.must(err)
	}
}

func (b *classBuilder) bytes() []byte {
	b.t.Helper()
	out, err := b.class.AppendTo(nil)
	b.must(err)
	return out
}

// garbage is code that makes n objects and drops them, four bytes each.
func (b *classBuilder) garbage(n int) []bytecode.Instruction {
	var code []bytecode.Instruction
	for range n {
		code = append(code, bytecode.WithPool(bytecode.OpNew, b.ref("java/lang/Object")), bytecode.Insn(bytecode.OpPop))
	}
	return code
}

// garbageMethod adds a method that makes n objects.
func (b *classBuilder) garbageMethod(name string, n int) {
	b.method(name, "V", &bytecode.Code{MaxStack: 1, Insns: append(b.garbage(n), bytecode.Insn(bytecode.OpReturn))})
}

// skips rewrites a class and compares the reasons for methods left alone; want has parts of them.
func skips(t *testing.T, class []byte, s placement.Strategy, want ...string) *Result {
	t.Helper()
	r, err := Rewrite(class, Options{Placement: s})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Skipped) != len(want) {
		t.Fatalf("%v: skipped %v, want %q", s, r.Skipped, want)
	}
	for i, skipped := range r.Skipped {
		if got := skipped.Method + ": " + skipped.Reason; !strings.Contains(got, want[i]) {
			t.Errorf("%v: skipped %q, want %q", s, got, want[i])
		}
	}
	if _, err := executeClass(class, Options{Placement: s}, 77); err != nil {
		t.Errorf("%v: %v", s, err)
	}
	return r
}

// linkAll has every JDK verify classes after Rewrite.
func linkAll(t *testing.T, classes map[string]*Result) {
	t.Helper()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		set := jvmtest.NewClassSet(t)
		addRuntime(t, jdk, set)
		for name, r := range classes {
			set.AddToJar("", name, r.Bytes)
		}
		for class, reason := range set.Link(t, jdk) {
			t.Errorf("%s: %s", class, reason)
		}
	})
}

// TestLimits: what does not fit stays as it was, with a reason, and the class's other methods are instrumented.
func TestLimits(t *testing.T) {
	classes := map[string]*Result{}
	for _, s := range strategies {
		b := newClassBuilder(t, "FullPool", 61)
		b.garbageMethod("fits", 1)
		b.garbageMethod("not", 1)
		b.fill(classfile.MaxPoolCount - 7) // a reference to a method of the runtime class takes 6, a counter's number 1
		classes["FullPool"] = skips(t, b.bytes(), s, "not()V: "+classfile.ErrPoolFull.Error())

		b = newClassBuilder(t, "NoRoom", 61)
		b.garbageMethod("not", 1)
		b.fill(classfile.MaxPoolCount)
		if r := skips(t, b.bytes(), s, "not()V: "+classfile.ErrPoolFull.Error()); r.Bytes != nil {
			t.Error("a class without a change has new bytes")
		}

		// ldc reaches constants up to 255, ldc_w the others.
		b = newClassBuilder(t, "Boundary", 61)
		b.garbageMethod("a", 3)
		b.garbageMethod("b", 3)
		b.garbageMethod("c", 3)
		b.fill(253)
		classes["Boundary"+s.String()] = skips(t, b.rename("Boundary"+s.String()), s)

		b = newClassBuilder(t, "Long", 61)
		b.garbageMethod("compiled", 7900/4) // 1975 counters at sites, 1 on paths
		b.garbageMethod("interpreted", 20000/4)
		b.garbageMethod("most", 65532/4)
		r := skips(t, b.rename("Long"+s.String()), s, "most()V: would have 655")
		compiled, interpreted := r.Methods[0], r.Methods[1]
		if compiled.Fallback == "" || (interpreted.Fallback == "") != (s == placement.Site) {
			t.Errorf("%v: fallbacks %q, %q", s, compiled.Fallback, interpreted.Fallback)
		}
		// there is room for a counter at each site, and they need no corrections
		if !compiled.Crosses || interpreted.Crosses {
			t.Errorf("%v: exceptions cross paths: %v, %v", s, compiled.Crosses, interpreted.Crosses)
		}
		classes["Long"+s.String()] = r
	}
	linkAll(t, classes)
}

// TestUncorrectable has two handlers around a call that want to see a variable as different interfaces: no frame is
// good for a handler in front of both. The method gets one counter per site.
func TestUncorrectable(t *testing.T) {
	classes := map[string]*Result{}
	for _, s := range strategies {
		b := newClassBuilder(t, "Uncorrectable", 61)
		pool := b.class.Pool
		text, err := pool.AddString("text")
		b.must(err)
		gc, err := pool.AddMethodref("java/lang/System", "gc", "()V")
		b.must(err)
		code := &bytecode.Code{MaxStack: 1, MaxLocals: 1, Insns: []bytecode.Instruction{
			bytecode.Ldc(text),
			bytecode.LoadStore(bytecode.OpAstore, 0),
			bytecode.WithPool(bytecode.OpNew, b.ref("java/lang/Object")), // 2
			bytecode.Insn(bytecode.OpPop),
			bytecode.WithPool(bytecode.OpInvokestatic, gc),
			bytecode.WithPool(bytecode.OpNew, b.ref("java/lang/Object")), // 5
			bytecode.Insn(bytecode.OpPop),
			bytecode.Insn(bytecode.OpReturn), // 7
			bytecode.Insn(bytecode.OpPop),    // 8: handlers
			bytecode.Insn(bytecode.OpReturn),
			bytecode.Insn(bytecode.OpPop), // 10
			bytecode.Insn(bytecode.OpReturn),
		}}
		thrown := []bytecode.VerificationType{{Tag: bytecode.Object, Arg: int32(b.ref("java/lang/Throwable"))}}
		for i, wanted := range []string{"java/lang/CharSequence", "java/lang/Comparable"} {
			at := bytecode.Label(8 + 2*i)
			code.Handlers = append(code.Handlers, bytecode.Handler{Start: 2, End: 7, Target: at})
			code.AddFrame(at, bytecode.FullFrame, 0,
				[]bytecode.VerificationType{{Tag: bytecode.Object, Arg: int32(b.ref(wanted))}}, thrown)
		}
		b.method("run", "V", code)
		r := skips(t, b.rename("Uncorrectable"+s.String()), s)
		want := ""
		if s != placement.Site {
			want = "another wants a different type in slot 0"
		}
		if m := r.Methods[0]; m.Crosses || !strings.Contains(m.Fallback, want) || (m.Fallback == "") != (want == "") {
			t.Errorf("%v: crosses %v, fallback %q", s, m.Crosses, m.Fallback)
		}
		classes["Uncorrectable"+s.String()] = r
	}
	linkAll(t, classes)
}

// rename gives the class another name and encodes it.
func (b *classBuilder) rename(name string) []byte {
	b.t.Helper()
	b.class.ThisClass = b.ref(name)
	return b.bytes()
}

// TestOldClassFiles: jsr and ret, no frames.
func TestOldClassFiles(t *testing.T) {
	classes := map[string]*Result{}
	for _, version := range []uint16{45, 46, 47, 48, 49} {
		for _, s := range strategies {
			b := newClassBuilder(t, "Old", version)
			object := bytecode.WithPool(bytecode.OpNew, b.ref("java/lang/Object"))
			pop := bytecode.Insn(bytecode.OpPop)
			insns := []bytecode.Instruction{
				object, pop, // 0
				bytecode.Jump(bytecode.OpJsr, 9), // 2
				object, pop,                      // 3
				bytecode.Jump(bytecode.OpJsrW, 9),        // 5
				bytecode.PushInt(3),                      // 6
				{Op: bytecode.OpNewarray, Arg: 10},       // 7
				bytecode.Insn(bytecode.OpAreturn),        // 8
				bytecode.LoadStore(bytecode.OpAstore, 0), // 9: subroutine
				object, pop,                              // 10
				{Op: bytecode.OpRet, Arg: 0}, // 12
			}
			b.method("run", "[I", &bytecode.Code{MaxStack: 1, MaxLocals: 1, Insns: insns})
			name := "Old" + strings.Repeat("I", int(version-44)) + s.String()
			r := skips(t, b.rename(name), s)
			if len(r.Methods) != 1 || len(r.Methods[0].Sites) != 4 {
				t.Errorf("%v: %+v", s, r.Methods)
			}
			classes[name] = r
		}
	}
	linkAll(t, classes)
}
