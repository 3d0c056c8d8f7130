package bytecode

import (
	"math/rand/v2"
	"testing"
)

// TestLineTable compares with Code.Line for tables in any order, with lines that start together and inside
// instructions.
func TestLineTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		code := &Code{}
		for range 1 + r.IntN(12) {
			code.Insns = append(code.Insns, PushInt(int16(r.IntN(400))), Insn(OpPop))
		}
		code.Insns = append(code.Insns, Insn(OpReturn))
		encoded, err := code.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if code, err = Decode(encoded, nil); err != nil {
			t.Fatal(err)
		}
		for n := range r.IntN(10) {
			start := Label(r.IntN(len(code.Insns)))
			if r.IntN(4) == 0 {
				start = Stray(r.IntN(40))
			}
			code.Lines = append(code.Lines, Line{Start: start, Line: uint16(n + 1)})
		}
		table := NewLineTable(code)
		for i := 0; i < len(code.Insns); i += 1 + r.IntN(2) {
			if got, want := table.Line(i), code.Line(i); got != want {
				t.Fatalf("instruction %d at %d: line %d, want %d\n%v", i, code.PC(i), got, want, code.Lines)
			}
		}
	}
}
