package classfile

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// attributeForms has every predefined attribute in every form that it has.
// Bytes are hexadecimal, in groups as the structures of JVMS 4.7 have them.
var attributeForms = []struct {
	name  string
	at    Location
	bytes string
	want  Info
}{
	{AttrConstantValue, InField, "0102", &ConstantValue{0x102}},
	{AttrCode, InMethod, "0003 0004 00000001 b1 0000 0000", &Code{MaxStack: 3, MaxLocals: 4, Bytecode: []byte{0xb1}}},
	{AttrCode, InMethod, "0001 0001 00000002 57b1 0001 0000 0001 0001 0005 0001 0006 00000002 abcd", &Code{
		MaxStack: 1, MaxLocals: 1, Bytecode: []byte{0x57, 0xb1},
		Handlers:   []Handler{{StartPC: 0, EndPC: 1, HandlerPC: 1, CatchType: 5}},
		Attributes: []Attribute{{Name: 6, Info: []byte{0xab, 0xcd}}},
	}},
	{AttrStackMapTable, InCode, "0000", &StackMapTable{}},
	{AttrStackMapTable, InCode, "0003 3f 40 01 7f 07 0009", &StackMapTable{[]Frame{
		{Type: 63, OffsetDelta: 63},
		{Type: 64, OffsetDelta: 0, Stack: []VerificationType{{Tag: ItemInteger}}},
		{Type: 127, OffsetDelta: 63, Stack: []VerificationType{{Tag: ItemObject, Class: 9}}},
	}}},
	{AttrStackMapTable, InCode, "0004 f7 0007 05 f8 0001 fa 0002 fb ffff", &StackMapTable{[]Frame{
		{Type: 247, OffsetDelta: 7, Stack: []VerificationType{{Tag: ItemNull}}},
		{Type: 248, OffsetDelta: 1},
		{Type: 250, OffsetDelta: 2},
		{Type: 251, OffsetDelta: 65535},
	}}},
	{AttrStackMapTable, InCode, "0002 fc 0001 03 fe 0001 00 02 04", &StackMapTable{[]Frame{
		{Type: 252, OffsetDelta: 1, Locals: []VerificationType{{Tag: ItemDouble}}},
		{Type: 254, OffsetDelta: 1, Locals: []VerificationType{{Tag: ItemTop}, {Tag: ItemFloat}, {Tag: ItemLong}}},
	}}},
	{AttrStackMapTable, InCode, "0002 ff 0000 0001 06 0001 08 0010 ff 0001 0000 0000", &StackMapTable{[]Frame{
		{
			Type: 255, Locals: []VerificationType{{Tag: ItemUninitializedThis}},
			Stack: []VerificationType{{Tag: ItemUninitialized, NewPC: 16}},
		},
		{Type: 255, OffsetDelta: 1},
	}}},
	{AttrExceptions, InMethod, "0002 0001 0002", &Exceptions{[]PoolIndex{1, 2}}},
	{AttrInnerClasses, InClass, "0001 0001 0002 0003 0004", &InnerClasses{[]InnerClass{
		{Inner: 1, Outer: 2, Name: 3, AccessFlags: 4},
	}}},
	{AttrEnclosingMethod, InClass, "0001 0000", &EnclosingMethod{Class: 1}},
	{AttrSynthetic, InField, "", &Synthetic{}},
	{AttrDeprecated, InMethod, "", &Deprecated{}},
	{AttrSignature, InRecordComponent, "0007", &Signature{7}},
	{AttrSourceFile, InClass, "0008", &SourceFile{8}},
	{AttrSourceDebugExtension, InClass, "534d4150", &SourceDebugExtension{[]byte("SMAP")}},
	{AttrLineNumberTable, InCode, "0002 0000 000a 0005 000b", &LineNumberTable{[]LineNumber{{0, 10}, {5, 11}}}},
	{AttrLocalVariableTable, InCode, "0001 0001 0002 0003 0004 0005", &LocalVariableTable{[]LocalVariable{
		{StartPC: 1, Length: 2, Name: 3, Type: 4, Slot: 5},
	}}},
	{AttrLocalVariableTypeTable, InCode, "0001 0001 0002 0003 0004 0005", &LocalVariableTypeTable{[]LocalVariable{
		{StartPC: 1, Length: 2, Name: 3, Type: 4, Slot: 5},
	}}},
	{AttrRuntimeVisibleAnnotations, InClass, "0001 0001 0004" +
		"0002 49 0003  0004 65 0005 0006  0007 40 0008 0000  0009 5b 0002 63 000a 5b 0000",
		&Annotations{[]Annotation{{1, []Element{
			{2, ElementValue{Tag: 'I', Value: 3}},
			{4, ElementValue{Tag: 'e', EnumType: 5, Value: 6}},
			{7, ElementValue{Tag: '@', Annotation: &Annotation{Type: 8}}},
			{9, ElementValue{Tag: '[', Array: []ElementValue{{Tag: 'c', Value: 10}, {Tag: '['}}}},
		}}}}},
	{AttrRuntimeInvisibleAnnotations, InField, "0000", &Annotations{}},
	{AttrRuntimeVisibleParameterAnnotations, InMethod, "02 0000 0001 0003 0000", &ParameterAnnotations{[]Annotations{
		{}, {[]Annotation{{Type: 3}}},
	}}},
	{AttrRuntimeInvisibleParameterAnnotations, InMethod, "00", &ParameterAnnotations{}},
	{AttrRuntimeVisibleTypeAnnotations, InMethod, "0004 01 07 00 0001 0000  12 07 08 00 0001 0000" +
		"16 02 00 0001 0000  17 0102 00 0001 0000", &TypeAnnotations{[]TypeAnnotation{
		{Target: Target{Type: TargetMethodTypeParameter, Index: 7}, Annotation: Annotation{Type: 1}},
		{Target: Target{Type: TargetMethodTypeParameterBound, Index: 7, Bound: 8}, Annotation: Annotation{Type: 1}},
		{Target: Target{Type: TargetMethodFormalParameter, Index: 2}, Annotation: Annotation{Type: 1}},
		{Target: Target{Type: TargetThrows, Index: 0x102}, Annotation: Annotation{Type: 1}},
	}}},
	{AttrRuntimeInvisibleTypeAnnotations, InClass, "0002 10 ffff 02 0000 0301 0001 0000  14 00 0002 0001 0003 73 0004",
		&TypeAnnotations{[]TypeAnnotation{
			{
				Target:     Target{Type: TargetSupertype, Index: 65535},
				Path:       []PathStep{{Kind: PathArray}, {Kind: PathTypeArgument, Argument: 1}},
				Annotation: Annotation{Type: 1},
			},
			{
				Target:     Target{Type: TargetMethodReturn},
				Annotation: Annotation{2, []Element{{3, ElementValue{Tag: 's', Value: 4}}}},
			},
		}}},
	{AttrRuntimeVisibleTypeAnnotations, InCode, "0004 40 0001 0001 0002 0003 00 0001 0000" +
		"42 0005 00 0001 0000  44 0006 00 0001 0000  4b 0007 08 00 0001 0000", &TypeAnnotations{[]TypeAnnotation{
		{
			Target:     Target{Type: TargetLocalVariable, Ranges: []LocalRange{{StartPC: 1, Length: 2, Slot: 3}}},
			Annotation: Annotation{Type: 1},
		},
		{Target: Target{Type: TargetExceptionParameter, Index: 5}, Annotation: Annotation{Type: 1}},
		{Target: Target{Type: TargetNew, PC: 6}, Annotation: Annotation{Type: 1}},
		{Target: Target{Type: TargetMethodReferenceArgument, PC: 7, Argument: 8}, Annotation: Annotation{Type: 1}},
	}}},
	{AttrAnnotationDefault, InMethod, "5a 0001", &AnnotationDefault{ElementValue{Tag: 'Z', Value: 1}}},
	{AttrBootstrapMethods, InClass, "0002 0001 0000 0002 0002 0003 0004", &BootstrapMethods{[]BootstrapMethod{
		{Handle: 1}, {Handle: 2, Arguments: []PoolIndex{3, 4}},
	}}},
	{AttrMethodParameters, InMethod, "02 0001 0010 0000 8000", &MethodParameters{[]MethodParameter{
		{Name: 1, AccessFlags: AccFinal}, {AccessFlags: AccMandated},
	}}},
	{AttrModule, InClass, "0001 0020 0002  0001 0003 0040 0004  0002 0005 0000 0000 0006 0000 0001 0007" +
		"0001 0008 0000 0001 0009  0001 000a  0001 000b 0002 000c 000d", &Module{
		Name: 1, Flags: AccOpen, Version: 2,
		Requires: []Requires{{Module: 3, Flags: AccStaticPhase, Version: 4}},
		Exports:  []Exports{{Package: 5}, {Package: 6, To: []PoolIndex{7}}},
		Opens:    []Opens{{Package: 8, To: []PoolIndex{9}}},
		Uses:     []PoolIndex{10},
		Provides: []Provides{{Service: 11, With: []PoolIndex{12, 13}}},
	}},
	{AttrModulePackages, InClass, "0001 0002", &ModulePackages{[]PoolIndex{2}}},
	{AttrModuleMainClass, InClass, "0003", &ModuleMainClass{3}},
	{AttrNestHost, InClass, "0004", &NestHost{4}},
	{AttrNestMembers, InClass, "0001 0005", &NestMembers{[]PoolIndex{5}}},
	{AttrRecord, InClass, "0001 0001 0002 0001 0003 00000002 0004", &Record{[]RecordComponent{
		{Name: 1, Descriptor: 2, Attributes: []Attribute{{Name: 3, Info: []byte{0, 4}}}},
	}}},
	{AttrPermittedSubclasses, InClass, "0001 0006", &PermittedSubclasses{[]PoolIndex{6}}},
	{"Unheard-Of", InClass, "0102030405", &Unknown{[]byte{1, 2, 3, 4, 5}}},
	{AttrCode, InClass, "01", &Unknown{[]byte{1}}},
}

func TestAttributeForms(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range attributeForms {
		t.Run(row.name, func(t *testing.T) {
			c := &Class{Major: MaxMajor, Pool: NewPool()}
			b := unhex(t, row.bytes)
			got, err := decodeNamed(c, row.name, b, row.at)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
			again, err := AppendInfo([]byte("before"), row.want)
			if err != nil {
				t.Fatal(err)
			}
			if want := "before" + string(b); string(again) != want {
				t.Errorf("encoded %x, want %x", again, want)
			}
			if _, unknown := got.(*Unknown); unknown {
				return
			}
			seen[row.name] = true
			if row.name == AttrSourceDebugExtension {
				return // any bytes will do
			}
			for n := range b {
				if got, err := decodeNamed(c, row.name, b[:n], row.at); !errors.Is(err, io.ErrUnexpectedEOF) ||
					got != nil {
					t.Errorf("cut to %d bytes: %v, error %v", n, got, err)
				}
			}
			if got, err := decodeNamed(c, row.name, append(b, 0), row.at); err == nil || got != nil {
				t.Errorf("one byte more: %v, error %v", got, err)
			}
		})
	}
	for name := range definitions {
		if !seen[name] {
			t.Errorf("%s has no row", name)
		}
	}
}

func decodeNamed(c *Class, name string, info []byte, at Location) (Info, error) {
	i, err := c.Pool.AddUtf8(name)
	if err != nil {
		return nil, err
	}
	return c.DecodeAttribute(Attribute{i, info}, at)
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An attribute counts only from the version on that introduced it.
func TestAttributeVersions(t *testing.T) {
	for name, d := range definitions {
		old := &Class{Major: d.since - 1, Pool: NewPool()}
		info, err := decodeNamed(old, name, []byte("not decoded"), d.in)
		if _, unknown := info.(*Unknown); err != nil || !unknown {
			t.Errorf("%s in version %d: %T, error %v", name, old.Major, info, err)
		}
	}
}

func TestAttributesThatCannotBe(t *testing.T) {
	deep := append(bytes.Repeat([]byte{'[', 0, 1}, MaxElementDepth), 'I', 0, 1)
	for _, row := range []struct{ name, bytes, want string }{
		{AttrCode, "0000 0000 00000000 0000 0000", "code_length 0"},
		{AttrCode, "0000 0000 00010000" + strings.Repeat("00", 65536) + "0000 0000", "code_length 65536"},
		{AttrStackMapTable, "0001 80", "frame_type 128 is reserved"},
		{AttrStackMapTable, "0001 f6", "frame_type 246 is reserved"},
		{AttrStackMapTable, "0001 40 09", "verification type 9"},
		{AttrStackMapTable, "ffff 00", "unexpected EOF"},
		{AttrAnnotationDefault, "78 0001", "tag 120"},
		{AttrAnnotationDefault, hex.EncodeToString(deep), "nest deeper than 64"},
		{AttrRuntimeVisibleTypeAnnotations, "0001 02 00 0001 0000", "target_type 0x02"},
		{AttrRecord, "0001 0001 0002 0001 0003 ffffffff", "unexpected EOF"},
		{AttrSynthetic, "00", "1 bytes follow"},
	} {
		info, err := definitions[row.name].decode(unhex(t, row.bytes))
		if err == nil || info != nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s %.40s: %v, error %v, want %q", row.name, row.bytes, info, err, row.want)
		}
	}
}

func TestValuesWithoutForm(t *testing.T) {
	for _, row := range []struct {
		value Info
		want  string
	}{
		{&Code{}, "code_length 0"},
		{&Code{Bytecode: make([]byte, MaxCodeBytes+1)}, "code_length 65536"},
		{&Code{Bytecode: []byte{0}, Handlers: make([]Handler, 65536)}, "65536 handlers"},
		{&NestMembers{make([]PoolIndex, 65536)}, "65536 items"},
		{&MethodParameters{make([]MethodParameter, 256)}, "256 items"},
		{&StackMapTable{[]Frame{{Type: 5, OffsetDelta: 6}}}, "frame_type 5 has offset_delta 6"},
		{&StackMapTable{[]Frame{{Type: SameLocals1StackItem}}}, "0 stack items"},
		{&StackMapTable{[]Frame{{Type: AppendFrame}}}, "0 locals"},
		{&StackMapTable{[]Frame{{Type: SameFrameExtended, Locals: make([]VerificationType, 1)}}}, "1 locals"},
		{&AnnotationDefault{ElementValue{Tag: '@'}}, "has no annotation"},
		{&TypeAnnotations{[]TypeAnnotation{{Target: Target{Index: 256}}}}, "256 exceeds 255"},
	} {
		b, err := AppendInfo(nil, row.value)
		if err == nil || b != nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%T: %x, error %v, want %q", row.value, b, err, row.want)
		}
	}
}

func TestFramePCs(t *testing.T) {
	table := StackMapTable{[]Frame{
		{Type: 3, OffsetDelta: 3}, {Type: 0}, {Type: FullFrame, OffsetDelta: 300}, {Type: FullFrame,
			OffsetDelta: 65535},
	}}
	if diff := cmp.Diff([]int{3, 4, 305, 65841}, table.PCs()); diff != "" {
		t.Error(diff)
	}
}
