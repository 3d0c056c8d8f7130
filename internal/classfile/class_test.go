package classfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sampleClass is a class with a constant of each kind, and with attributeForms
// at the places where they belong.
func sampleClass(t testing.TB) *Class {
	t.Helper()
	p := NewPool()
	add := func(i PoolIndex, err error) PoolIndex {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	for i := range 16 { // attributeForms uses them as names of attributes
		add(p.AddUtf8(fmt.Sprint("constant ", i+1)))
	}
	c := &Class{
		Major: MaxMajor, Pool: p, AccessFlags: AccPublic | AccSuper,
		ThisClass:  add(p.AddClass("a/Sample")),
		SuperClass: add(p.AddClass("java/lang/Object")),
		Interfaces: []PoolIndex{add(p.AddClass("java/lang/Runnable"))},
		Fields:     []Member{{AccStatic, add(p.AddUtf8("n")), add(p.AddUtf8("I")), nil}},
		Methods:    []Member{{AccPublic, add(p.AddUtf8("run")), add(p.AddUtf8("()V")), nil}},
	}
	add(p.AddInteger(-1))
	add(p.AddFloat(1.5))
	add(p.AddLong(-2))
	add(p.AddDouble(2.5))
	add(p.AddString("text"))
	add(p.AddFieldref("a/Sample", "n", "I"))
	add(p.AddMethodHandle(RefInvokeStatic, add(p.AddMethodref("a/Sample", "run", "()V"))))
	add(p.AddInterfaceMethodref("java/lang/Runnable", "run", "()V"))
	add(p.AddMethodType("()V"))
	add(p.AddDynamic(0, "n", "I"))
	add(p.AddInvokeDynamic(1, "run", "()V"))
	add(p.AddModule("a.module"))
	add(p.AddPackage("a"))

	code := Code{MaxStack: 1, MaxLocals: 1, Bytecode: []byte{0xb1}}
	lists := map[Location]*[]Attribute{
		InClass: &c.Attributes, InField: &c.Fields[0].Attributes,
		InMethod: &c.Methods[0].Attributes, InCode: &code.Attributes,
	}
	for _, row := range attributeForms {
		if list := lists[row.at]; list != nil {
			*list = append(*list, Attribute{add(p.AddUtf8(row.name)), unhex(t, row.bytes)})
		}
	}
	info, err := code.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Methods[0].Attributes = append(c.Methods[0].Attributes, Attribute{add(p.AddUtf8(AttrCode)), info})
	return c
}

// sampleBytes is sampleClass encoded.
func sampleBytes(t testing.TB) []byte {
	t.Helper()
	b, err := sampleClass(t).AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestParseSample(t *testing.T) {
	want := sampleClass(t)
	b := sampleBytes(t)
	got, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	ignorePool := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Pool" }, cmp.Ignore())
	if diff := cmp.Diff(want, got, ignorePool); diff != "" {
		t.Errorf("parsed (-want +got):\n%s", diff)
	}
	if _, err := roundTrip(bytes.Clone(b)); err != nil {
		t.Error(err)
	}
	if name, err := got.Name(); name != "a/Sample" || err != nil {
		t.Errorf("Name: %q, error %v", name, err)
	}
	if name, err := got.SuperName(); name != "java/lang/Object" || err != nil {
		t.Errorf("SuperName: %q, error %v", name, err)
	}
	if m := got.FindMethod("run", "()V"); m != &got.Methods[0] {
		t.Errorf("FindMethod: %v", m)
	}
	if m := got.FindMethod("run", "()I"); m != nil {
		t.Errorf("FindMethod of another descriptor: %v", m)
	}
}

func TestParseTruncated(t *testing.T) {
	b := sampleBytes(t)
	for n := range b {
		if c, err := Parse(b[:n]); !errors.Is(err, io.ErrUnexpectedEOF) || c != nil {
			t.Fatalf("cut to %d of %d bytes: %v, error %v", n, len(b), c, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const header = "cafebabe 0000 0034 "
	for _, row := range []struct{ bytes, want string }{
		{"cafebabf 0000 0034 0001", "magic is 0xcafebabf"},
		{"cafebabe 0003 002c 0001", "version 44.3"},
		{"cafebabe 0000 0046 0001", "version 70.0"},
		{header + "0000", "byte 10: constant_pool_count is 0"},
		{header + "0002 02 0000", "byte 10: constant 1: tag 2 does not exist"},
		{header + "0003 07 0001 00 0000", "byte 13: constant 2: tag 0 does not exist"},
		{header + "0002 05 0000000000000001", "byte 10: constant 1: Long takes an index past the end"},
		{header + "ffff", "byte 10: unexpected EOF"},
		{header + "0001 0000 0000 0000 0000 0001", "byte 20: unexpected EOF"},
		{header + "0001 0000 0000 0000 0000 0000 0001 0000 0001 0002 0001 0003 ffffffff",
			"method 0: byte 30: unexpected EOF"},
		{header + "0001 0000 0000 0000 0000 0000 0000 0000 00", "byte 24: 1 bytes follow the class"},
	} {
		c, err := Parse(unhex(t, row.bytes))
		if err == nil || c != nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, error %v, want %q", row.bytes, c, err, row.want)
		}
	}
}

func TestTablesTooLong(t *testing.T) {
	for want, c := range map[string]*Class{
		"65536 interfaces": {Pool: NewPool(), Interfaces: make([]PoolIndex, 65536)},
		"65536 fields":     {Pool: NewPool(), Fields: make([]Member, 65536)},
		"65536 methods":    {Pool: NewPool(), Methods: make([]Member, 65536)},
		"65536 attributes": {Pool: NewPool(), Attributes: make([]Attribute, 65536)},
	} {
		b, err := c.AppendTo(nil)
		if err == nil || b != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d bytes, error %v", want, len(b), err)
		}
	}
}

// What an instrumenter does: a field, constants, an attribute replaced and one
// added, and nothing else changes.
func TestChangeClass(t *testing.T) {
	before := sampleBytes(t)
	c, err := Parse(before)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddField(AccStatic, "n", "I"); err == nil {
		t.Error("a second n:I was added")
	}
	if err := c.AddField(AccStatic, "m", "LX"); err == nil {
		t.Error("a field was added with no type")
	}
	if err := c.AddField(AccTransient, "n", "[J"); err != nil {
		t.Fatal(err)
	}
	c.Pool.FindAttribute(c.Attributes, AttrSourceFile).Info = []byte{0, 1}
	m := &c.Methods[0]
	if m.Attributes, err = c.Pool.SetAttribute(m.Attributes, AttrSynthetic, nil); err != nil {
		t.Fatal(err)
	}
	if c.Attributes, err = c.Pool.SetAttribute(c.Attributes, AttrNestHost, []byte{0, 2}); err != nil {
		t.Fatal(err)
	}
	patched, err := c.Pool.AppendInteger(7)
	if err != nil {
		t.Fatal(err)
	}
	after, err := c.AppendTo([]byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	after = after[len("before"):]
	at := c.Pool.Offset(patched)
	if Tag(after[at]) != TagInteger || binary.BigEndian.Uint32(after[at+1:]) != 7 {
		t.Errorf("at Offset(%d) = %d are % x", patched, at, after[at:at+5])
	}

	got, err := Parse(after)
	if err != nil {
		t.Fatal(err)
	}
	if f := got.FindField("n", "[J"); f == nil || f.AccessFlags != AccTransient || len(got.Fields) != 2 {
		t.Errorf("fields: %v", got.Fields)
	}
	if len(got.Methods[0].Attributes) != len(m.Attributes) || got.Pool.FindAttribute(got.Methods[0].Attributes,
		AttrSynthetic) == nil {
		t.Error("the method is not Synthetic")
	}
	for name, want := range map[string]string{AttrSourceFile: "\x00\x01", AttrNestHost: "\x00\x02",
		AttrNestMembers: "\x00\x01\x00\x05"} {
		if a := got.Pool.FindAttribute(got.Attributes, name); a == nil || string(a.Info) != want {
			t.Errorf("%s: %v", name, a)
		}
	}
	if !bytes.Equal(before, sampleBytes(t)) {
		t.Error("the parsed bytes were changed")
	}
}

// Attribute lists lie side by side in memory; appending to one must not write
// into the next.
func TestAttributeListsAreApart(t *testing.T) {
	c, err := Parse(sampleBytes(t))
	if err != nil {
		t.Fatal(err)
	}
	first := c.Methods[0].Attributes[0]
	c.Fields[0].Attributes = append(c.Fields[0].Attributes, Attribute{Name: 999})
	if diff := cmp.Diff(first, c.Methods[0].Attributes[0]); diff != "" {
		t.Error(diff)
	}
}
