package bytecode

import (
	"math"
	"strings"
	"testing"

	"mallard/internal/classfile"
)

// TestPrologueErrors: what no body can have in front, or has no place for.
func TestPrologueErrors(t *testing.T) {
	integer := []VerificationType{{Tag: Integer}}
	for _, c := range []struct {
		body     string
		locals   int
		prologue Prologue
		want     string
	}{
		{"return", 0, Prologue{Code: []Instruction{Insn(OpAthrow)}, Local: VerificationType{Tag: Long}},
			"prologue: athrow is not straight-line code"},
		{"return", math.MaxUint16 - 1, Prologue{Code: nop, Local: VerificationType{Tag: Long}},
			"prologue: max_locals 65536"},
		{"return", math.MaxUint16 - 1, Prologue{Code: nop, Local: VerificationType{Tag: Integer}}, ""},
		{"iconst_0\nifeq L\nL:\nframe append [ long ]\nreturn", 2,
			Prologue{Code: nop, Local: VerificationType{Tag: Long},
				Entry: integer}, "a frame has more locals than max_locals"},
	} {
		code := must(assemble("max_stack 1 max_locals 0\n"+c.body, classfile.NewPool()))
		code.MaxLocals = uint16(c.locals)
		_, err := code.RewriteEntering(nil, Catching{}, c.prologue)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestPrologueCatcher: the frame of a catcher lists the variable behind what locals it has, and nothing covers the
// prologue.
func TestPrologueCatcher(t *testing.T) {
	p := classfile.NewPool()
	c := must(assemble("max_stack 1 max_locals 3\ninvokestatic C.first()V\nreturn", p))
	enter := []Instruction{WithPool(OpInvokestatic, must(p.AddMethodref("C", "enter", "()J"))), LoadStore(OpLstore, 3)}
	catchers := catching(p, Catcher{Ranges: [][2]int{{0, 1}}, Locals: []VerificationType{{Tag: Integer}}})
	r := must(c.RewriteEntering([]Insertion{{At: 1, Code: nop}}, catchers, Prologue{Code: enter, Stack: 2,
		Local: VerificationType{Tag: Long}}))
	const want = `	max_stack 2, max_locals 5
0	invokestatic C.enter()J
3	lstore_3
L2:
4	invokestatic C.first()V
L3:
7	nop
8	return
L5:
	frame full [int top top long] [java/lang/Throwable]
9	nop
10	athrow
handler L2..L3 -> L5 any
`
	squeeze := func(s string) string { return strings.ReplaceAll(s, "\t", "") }
	if got := must(Decode(r.Code, p)).Text(p); squeeze(got) != squeeze(want) {
		t.Errorf("got\n%s", got)
	}
	if pc := r.StartPC(0); pc != 4 {
		t.Errorf("the old body starts at %d", pc)
	}
}
