package bytecode

import (
	"strings"
	"testing"
)

// TestCheck gives bodies with one mistake each.
func TestCheck(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"underflow", "max_stack 1, max_locals 0\n pop\n return", "with 0 slots on the stack"},
		{"overflow", "max_stack 1, max_locals 0\n iconst_0\n iconst_1\n return", "over max_stack 1"},
		{"end", "max_stack 1, max_locals 0\n iconst_0\n pop", "control leaves the code"},
		{"depths", "max_stack 1, max_locals 1\n iload_0\n ifeq A\n iconst_0\nA:\n return", "which has 0"},
		{"slot", "max_stack 2, max_locals 2\n lload_1\n pop2\n return", "lload_1 1 with max_locals 2"},
		{"keys", "max_stack 1, max_locals 1\n iload_0\n lookupswitch 5:A 4:A default:A\nA:\n return", "key 4 after 5"},
		{"frames", "max_stack 1, max_locals 1\n return\nframe same", "frame 0 at label 1"},
		{"line", "max_stack 1, max_locals 0\n return\nA:\nline 3", "line 0 begins at label 1"},
		{"new", "max_stack 1, max_locals 1\nA:\n nop\nframe same_locals_1 [new:A]\n return", "is no new"},
	} {
		p := fuzzPool()
		code, err := assemble(test.body, p)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if err := code.Check(p); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// TestCheckByFrames gives bodies of versions in which frames tell the depth, and of those in which they do not.
func TestCheckByFrames(t *testing.T) {
	const branch = "max_stack 1, max_locals 1\n iload_0\n ifeq A\n iconst_0\n pop\n"
	for _, test := range []struct {
		name, body string
		version    uint16
		want       string
	}{
		{"good", branch + "A:\nframe same\n return", 51, ""},
		{"no frame", branch + "A:\n return", 51, "no frame at label"},
		{"no frame needed", branch + "A:\n return", 50, ""},
		{"unreachable", "max_stack 1, max_locals 0\n return\n return", 51, "no frame"},
		{"never looked at", "max_stack 1, max_locals 0\n return\n pop\n return", 50, ""},
		{"overflow in unreachable code", "max_stack 1, max_locals 0\n return\nA:\nframe same\n lconst_0\n return", 51,
			"over max_stack 1"},
		{"depth of a frame", "max_stack 1, max_locals 0\n iconst_0\nA:\nframe same\n return", 51, "the frame has 0"},
		{"end", "max_stack 1, max_locals 0\n nop", 51, "control leaves the code"},
		{"first instruction",
			"max_stack 1, max_locals 0\nA:\n athrow\nB:\nhandler A..B to A any", 50, "target label 0"},
	} {
		p := fuzzPool()
		code, err := assemble(test.body, p)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		code.Version = test.version
		if err := code.Check(p); test.want == "" && err != nil ||
			test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// TestCheckIndexes gives code with an operand past the end of the pool.
func TestCheckIndexes(t *testing.T) {
	for _, test := range []struct {
		code  string
		wrong bool
	}{
		{"\x12\x09\xb1", false}, {"\x12\x0a\xb1", true}, // ldc
		{"\x13\x00\x0a\xb1", true}, {"\xb2\x00\x0a\xb1", true}, // ldc_w, getstatic
		{"\xb8\x00\x0a\xb1", true},                                             // invokestatic
		{"\xb9\x00\x0a\x01\x00\xb1", true}, {"\xba\x00\x0a\x00\x00\xb1", true}, // invokeinterface, invokedynamic
		{"\xbb\x00\x0a\xb1", true}, {"\xc5\x00\x0a\x01\xb1", true}, // new, multianewarray
		{"\x11\x00\x0a\xb1", false}, {"\xc4\x15\x00\x0a\xb1", false}, // sipush, wide iload
		{"\xaa\x00\x00\x00\x00\x00\x00\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0a\xb1", false}, // tableswitch
		{"\xff", true}, {"\x13\x00", true},
	} {
		if err := CheckIndexes([]byte(test.code), 10); (err != nil) != test.wrong {
			t.Errorf("% x: %v", test.code, err)
		}
	}
}

// TestEncodeErrors gives operands that their form does not hold.
func TestEncodeErrors(t *testing.T) {
	end := Insn(OpReturn)
	for _, test := range []struct {
		name string
		code Code
		want string
	}{
		{"empty", Code{}, "code length 0"},
		{"no opcode", Code{Insns: []Instruction{{Op: 0xfe}}}, "no instruction"},
		{"prefix", Code{Insns: []Instruction{{Op: OpWide}}}, "no instruction"},
		{"wide pop", Code{Insns: []Instruction{{Op: OpPop, Wide: true}, end}}, "no wide form"},
		{"byte", Code{Insns: []Instruction{{Op: OpBipush, Arg: 128}, end}}, "outside -128..127"},
		{"slot", Code{Insns: []Instruction{{Op: OpIload, Arg: 256}, end}}, "outside 0..255"},
		{"increment", Code{Insns: []Instruction{{Op: OpIinc, Extra: 200}, end}}, "needs the wide form"},
		{"dimensions", Code{Insns: []Instruction{{Op: OpMultianewarray, Extra: 300}, end}}, "300 dimensions"},
		{"label", Code{Insns: []Instruction{Jump(OpGoto, 5)}}, "no instruction at label 5"},
		{"stray target", Code{Insns: []Instruction{Jump(OpGoto, Stray(0)), end}}, "no instruction at label -1"},
		{"no switch", Code{Insns: []Instruction{{Op: OpTableswitch, Arg: 3}}}, "no switch 3"},
		{"switch keys", Code{Insns: []Instruction{{Op: OpTableswitch}}, Switches: []Switch{{Low: 1, High: 2}}},
			"0 targets for keys 1 to 2"},
		{"handler", Code{Insns: []Instruction{end}, Handlers: []Handler{{0, 1, 9, 0}}}, "label 9 past the end"},
		{"count", Code{Insns: []Instruction{end}, Attributes: []Attribute{{Kind: LineNumberTable, Count: 2}}},
			"2 entries"},
	} {
		_, err := test.code.Encode()
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}
