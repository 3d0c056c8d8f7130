package bytecode

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/classfile"
)

// namesPool returns a pool with the names of attributes. All test pools begin
// with them, so that bodies of one are understood with another.
func namesPool() *classfile.Pool {
	p := classfile.NewPool()
	for _, name := range []string{
		classfile.AttrStackMapTable, classfile.AttrLineNumberTable, classfile.AttrLocalVariableTable,
		classfile.AttrLocalVariableTypeTable, classfile.AttrRuntimeVisibleTypeAnnotations,
		classfile.AttrRuntimeInvisibleTypeAnnotations, "StackMap",
	} {
		must(p.AddUtf8(name))
	}
	return p
}

// fuzzPool returns the pool of all fuzzed bodies: the names, and one constant
// of each kind that instructions use.
func fuzzPool() *classfile.Pool {
	p := namesPool()
	must(p.AddClass("java/lang/Object"))
	must(p.AddFieldref("F", "f", "J"))
	must(p.AddMethodref("M", "m", "(I[[DLjava/lang/String;J)D"))
	must(p.AddInterfaceMethodref("I", "i", "()V"))
	must(p.AddInvokeDynamic(0, "d", "(Z)I"))
	must(p.AddString("s"))
	must(p.AddLong(1))
	return p
}

// FuzzDecode decodes any bytes as a Code attribute. What can be decoded must
// encode to the same bytes, and no method may panic on it; what Rewrite makes
// of it must be consistent.
func FuzzDecode(f *testing.F) {
	for _, c := range rewriteCases(f) {
		if len(c.body.Insns) > 1000 {
			continue
		}
		encoded, err := c.body.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(must(encoded.AppendTo(nil)), c.version)
	}
	f.Fuzz(func(t *testing.T, info []byte, version uint16) {
		p := fuzzPool()
		raw, err := classfile.DecodeCode(bytes.Clone(info))
		if err != nil {
			return
		}
		code, err := Decode(raw, p)
		if err != nil {
			if code != nil {
				t.Fatal("a value and an error")
			}
			return
		}
		encoded, err := code.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again := must(encoded.AppendTo(nil)); !bytes.Equal(again, info) {
			t.Fatalf("encoding gave\n%x, not\n%x", again, info)
		}
		exercise(code, p)
		code.Version = version
		if len(info) > 4096 {
			return
		}
		for _, s := range schemes {
			checkRewritten(t, code, p, s)
		}
	})
}

// exercise calls everything that reads a body.
func exercise(code *Code, p *classfile.Pool) {
	code.Text(p)
	code.Text(nil)
	code.Check(p)
	code.StackDepths(p)
	for i := range code.Insns {
		code.Line(i)
		code.Find(code.PC(i) + 1)
		in := code.Insns[i]
		in.Slot()
		in.CanThrow(p)
		in.StackEffect(p)
	}
	code.PC(-1)
	code.PC(len(code.Insns) + 1)
}

func checkRewritten(t *testing.T, code *Code, p *classfile.Pool, s scheme) {
	r, err := code.Rewrite(s.insert(code))
	if err != nil {
		return
	}
	again, err := Decode(r.Code, p)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	if diff := cmp.Diff(r.Body.Text(p), again.Text(p)); diff != "" && !hasStray(code) {
		t.Fatalf("%s: decoding the new body gave (-want +got)\n%s", s.name, diff)
	}
}

// hasStray reports whether a label is stray. The new place of a stray offset
// may be that of an instruction.
func hasStray(c *Code) bool {
	for l := range c.namedLabels() {
		if l < 0 {
			return true
		}
	}
	for _, l := range c.Lines {
		if l.Start < 0 {
			return true
		}
	}
	return false
}
