package bytecode

import (
	"bytes"
	"testing"

	"mallard/internal/classfile"
)

// TestTwoFramesAtOneOffset takes a table whose second frame has the delta 65535,
// that is, the offset of the first.
func TestTwoFramesAtOneOffset(t *testing.T) {
	p := namesPool()
	frames := []byte{0, 2, 4, 251, 0xff, 0xff}
	raw := &classfile.Code{MaxStack: 1, MaxLocals: 1,
		Bytecode:   []byte{0x1a, 0x99, 0, 3, 0xb1}, // iload_0; ifeq 4; return
		Attributes: []classfile.Attribute{{Name: must(p.AddUtf8(classfile.AttrStackMapTable)), Info: frames}},
	}
	code, err := Decode(raw, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(code.Frames) != 2 || code.Frames[0].At != 2 || code.Frames[1].At != 2 {
		t.Fatalf("frames %+v", code.Frames)
	}
	encoded := must(code.Encode())
	if !bytes.Equal(encoded.Attributes[0].Info, frames) {
		t.Errorf("encoded %x", encoded.Attributes[0].Info)
	}
	r, err := code.Rewrite([]Insertion{{At: 2, Position: Taken, From: []int{1}, Code: nop}, {At: 0, Code: nop}})
	if err != nil {
		t.Fatal(err)
	}
	// nop; iload_0; ifeq 8; goto 9; 8: nop; 9: return: both at the pad, the last again at 9
	if want := []byte{0, 3, 8, 251, 0xff, 0xff, 0}; !bytes.Equal(r.Code.Attributes[0].Info, want) {
		t.Errorf("rewritten %x, want %x", r.Code.Attributes[0].Info, want)
	}
}

// TestVerbatim has attributes that the package does not take apart: the table
// of CLDC, and type annotations that are none.
func TestVerbatim(t *testing.T) {
	p := namesPool()
	raw := &classfile.Code{MaxLocals: 1, Bytecode: []byte{0xb1}, Attributes: []classfile.Attribute{
		{Name: must(p.AddUtf8("StackMap")), Info: []byte{0, 1, 0, 9, 9, 9}},
		{Name: must(p.AddUtf8(classfile.AttrRuntimeVisibleTypeAnnotations)), Info: []byte{0, 1, 0x99}},
		{Name: must(p.AddUtf8(classfile.AttrLineNumberTable)), Info: []byte{0, 1, 0, 0, 0, 7}},
		{Name: must(p.AddUtf8(classfile.AttrLineNumberTable)), Info: []byte{0, 1, 0, 0x40, 0, 8}},
	}}
	code, err := Decode(raw, p)
	if err != nil {
		t.Fatal(err)
	}
	encoded := must(code.Encode())
	for i, a := range raw.Attributes {
		if !bytes.Equal(encoded.Attributes[i].Info, a.Info) || encoded.Attributes[i].Name != a.Name {
			t.Errorf("attribute %d: %x became %x", i, a.Info, encoded.Attributes[i].Info)
		}
	}
	if code.Line(0) != 7 {
		t.Errorf("line %d", code.Line(0))
	}
}
