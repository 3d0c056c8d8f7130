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
