package instrument

import (
	"math/rand/v2"
	"testing"

	"mallard/internal/bytecode"
)

// TestLines compares with bytecode's answer for tables in any order, with lines that start together and inside
// instructions.
func TestLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		code := &bytecode.Code{}
		for range 1 + r.IntN(12) {
			code.Insns = append(code.Insns, bytecode.PushInt(int16(r.IntN(400))), bytecode.Insn(bytecode.OpPop))
		}
		code.Insns = append(code.Insns, bytecode.Insn(bytecode.OpReturn))
		encoded, err := code.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if code, err = bytecode.Decode(encoded, nil); err != nil {
			t.Fatal(err)
		}
		for n := range r.IntN(10) {
			start := bytecode.Label(r.IntN(len(code.Insns)))
			if r.IntN(4) == 0 {
				start = bytecode.Stray(r.IntN(40))
			}
			code.Lines = append(code.Lines, bytecode.Line{Start: start, Line: uint16(n + 1)})
		}
		table := newLines(code)
		for i := 0; i < len(code.Insns); i += 1 + r.IntN(2) {
			if got, want := table.of(i), code.Line(i); got != want {
				t.Fatalf("instruction %d at %d: line %d, want %d\n%v", i, code.PC(i), got, want, code.Lines)
			}
		}
	}
}
