package bytecode

import (
	"testing"

	"mallard/internal/classfile"
)

func TestOpcodes(t *testing.T) {
	valid := 0
	for b := range 256 {
		op := Opcode(b)
		if !op.Valid() {
			continue
		}
		valid++
		if op.IsReturn() && op.FallsThrough() {
			t.Errorf("%s returns and falls through", op)
		}
		if !op.IsConditional() {
			continue
		}
		opposite := op.Negate()
		if opposite == op || !opposite.IsConditional() || opposite.Negate() != op ||
			opcodes[opposite].pops != opcodes[op].pops {
			t.Errorf("%s negated is %s", op, opposite)
		}
	}
	if valid != 201 {
		t.Errorf("%d instructions, want the 201 of JVMS 6.5 that are no prefix", valid)
	}
	for op, want := range map[Opcode]string{
		0x00: "nop", 0x12: "ldc", 0x2a: "aload_0", 0x57: "pop", 0x84: "iinc", 0xa7: "goto", 0xaa: "tableswitch",
		0xb1: "return", 0xba: "invokedynamic", 0xc4: "wide", 0xc9: "jsr_w", 0xca: "opcode 0xca",
	} {
		if op.String() != want {
			t.Errorf("%#x is %s, want %s", uint8(op), op, want)
		}
	}
}

// TestConstructors checks that the forms chosen hold their operands and mean
// what was asked for.
func TestConstructors(t *testing.T) {
	for v := -32768; v <= 32767; v++ {
		in := PushInt(int16(v))
		pushed := int(in.Arg)
		if in.Op >= OpIconstM1 && in.Op <= OpIconst5 {
			pushed = int(in.Op) - int(OpIconst0)
		}
		if err := in.checkOperands(); err != nil || pushed != v {
			t.Fatalf("PushInt(%d) is %s %d: %v", v, in.Op, in.Arg, err)
		}
	}
	for _, op := range []Opcode{OpIload, OpLload, OpFload, OpDload, OpAload, OpIstore, OpLstore, OpFstore, OpDstore,
		OpAstore, OpRet} {
		for _, slot := range []uint16{0, 1, 3, 4, 255, 256, 65535} {
			in := LoadStore(op, slot)
			got, ok := in.Slot()
			if err := in.checkOperands(); err != nil || !ok || got != int(slot) {
				t.Errorf("LoadStore(%s, %d) is %s %d: %v", op, slot, in.Op, got, err)
			}
			if slot <= 3 && op != OpRet && in.size() != 1 {
				t.Errorf("LoadStore(%s, %d) has %d bytes", op, slot, in.size())
			}
		}
	}
	if a, b := Ldc(255), Ldc(256); a.Op != OpLdc || b.Op != OpLdcW {
		t.Errorf("Ldc chose %s and %s", a.Op, b.Op)
	}
}

func TestStackEffect(t *testing.T) {
	p := classfile.NewPool()
	field := must(p.AddFieldref("C", "f", "J"))
	virtual := must(p.AddMethodref("C", "m", "(I[[DLjava/lang/String;J)D"))
	dynamic := must(p.AddInvokeDynamic(0, "d", "(ZD[J)V"))
	array := must(p.AddClass("[[[I"))
	for _, test := range []struct {
		in           Instruction
		pops, pushes int
	}{
		{WithPool(OpGetstatic, field), 0, 2},
		{WithPool(OpPutstatic, field), 2, 0},
		{WithPool(OpGetfield, field), 1, 2},
		{WithPool(OpPutfield, field), 3, 0},
		{WithPool(OpInvokevirtual, virtual), 6, 2},
		{WithPool(OpInvokestatic, virtual), 5, 2},
		{WithPool(OpInvokedynamic, dynamic), 4, 0},
		{Instruction{Op: OpMultianewarray, Arg: int32(array), Extra: 2}, 2, 1},
		{Insn(OpDup2X2), 4, 6},
		{Insn(OpLastore), 4, 0},
	} {
		pops, pushes, err := test.in.StackEffect(p)
		if err != nil || pops != test.pops || pushes != test.pushes {
			t.Errorf("%s: takes %d, puts %d, %v; want %d, %d", test.in.Op, pops, pushes, err, test.pops, test.pushes)
		}
	}
	if _, _, err := WithPool(OpInvokevirtual, field+100).StackEffect(p); err == nil {
		t.Error("no error for a constant outside the pool")
	}
	for _, bad := range []string{"", "I", "(", "(I", "(I)", "(L", "([", "(Lx;"} {
		if _, _, err := DescriptorSlots(bad); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// TestLdcThrows checks that pushing a number cannot throw.
func TestLdcThrows(t *testing.T) {
	p := classfile.NewPool()
	number, text := must(p.AddInteger(7)), must(p.AddString("seven"))
	if Ldc(number).CanThrow(p) {
		t.Error("ldc of a number throws")
	}
	if !Ldc(text).CanThrow(p) {
		t.Error("ldc of a string does not throw")
	}
}
