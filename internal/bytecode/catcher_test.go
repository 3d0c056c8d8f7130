package bytecode

import (
	"errors"
	"strings"
	"testing"

	"mallard/internal/classfile"
)

// twoHandlers has a call in two nested handlers, one outside of them, and handlers that want different locals.
const twoHandlers = `
	max_stack 1 max_locals 3
S:
	iconst_0
	istore_1
A:
	invokestatic C.first()V
	invokestatic C.second()V
B:
	goto E
H:
	frame full [ int int ] [ java/lang/RuntimeException ]
	pop
	goto E
T:
	frame full [ int ] [ java/lang/Throwable ]
	pop
E:
	frame full [ int ] [ ]
	invokestatic C.third()V
	return
handler A..B -> H java/lang/RuntimeException
handler A..E -> T any
`

// catching makes catchers that put nop in front of their athrow.
func catching(p *classfile.Pool, catchers ...Catcher) Catching {
	for i := range catchers {
		catchers[i].Code = nop
	}
	return Catching{catchers, must(p.AddClass("java/lang/Throwable")), must(p.AddUtf8("StackMapTable"))}
}

// index returns the place of the n-th instruction with an opcode.
func index(c *Code, op Opcode, n int) int {
	for i, in := range c.Insns {
		if in.Op == op {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return -1
}

func TestCatcher(t *testing.T) {
	p := classfile.NewPool()
	c := must(assemble(twoHandlers, p))
	second, third := index(c, OpInvokestatic, 1), index(c, OpInvokestatic, 2)
	integer := []VerificationType{{Tag: Integer}}
	locals, err := c.NewHandlerLocals(integer, p).Common([]int32{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.RewriteCatching([]Insertion{{At: second, Code: nop}}, catching(p,
		Catcher{Ranges: [][2]int{{second - 1, second + 1}}, Locals: locals},
		Catcher{Ranges: [][2]int{{third, third + 1}}, Stack: 4}))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Body.Check(p); err != nil {
		t.Error(err)
	}
	if r.Body.MaxStack != 5 {
		t.Errorf("max_stack %d", r.Body.MaxStack)
	}
	new := must(Decode(r.Code, p))
	const want = `	max_stack 5, max_locals 3
0	iconst_0
1	istore_1
L2:
2	invokestatic C.first()V
L3:
5	nop
L4:
6	invokestatic C.second()V
L5:
9	goto L9
L6:
	frame full [int int] [java/lang/RuntimeException]
12	pop
13	goto L9
L8:
	frame full [int] [java/lang/Throwable]
16	pop
L9:
	frame full [int] []
17	invokestatic C.third()V
L10:
20	return
L11:
	frame full [int int] [java/lang/Throwable]
21	nop
22	athrow
L13:
	frame full [] [java/lang/Throwable]
23	nop
24	athrow
handler L2..L3 -> L11 any
handler L4..L5 -> L11 any
handler L9..L10 -> L13 any
handler L2..L5 -> L6 java/lang/RuntimeException
handler L2..L9 -> L8 any
handler L11..L13 -> L6 java/lang/RuntimeException
handler L11..L13 -> L8 any
`
	squeeze := func(s string) string { return strings.ReplaceAll(s, "\t", "") }
	if got := new.Text(p); squeeze(got) != squeeze(want) {
		t.Errorf("got\n%s", got)
	}
	for k, want := range [][2]int{{21, 22}, {23, 24}} {
		if start, athrow := r.CatcherPC(k); start != want[0] || athrow != want[1] {
			t.Errorf("catcher %d: %d, %d", k, start, athrow)
		}
	}
}

// TestFirstFrames adds a catcher to a body without frames: it gets a StackMapTable, unless its class is older than
// that.
func TestFirstFrames(t *testing.T) {
	for _, version := range []uint16{49, 52} {
		p := classfile.NewPool()
		c := must(assemble("max_stack 1 max_locals 0\ninvokestatic C.first()V\nreturn", p))
		c.Version = version
		r, err := c.RewriteCatching(nil, catching(p, Catcher{Ranges: [][2]int{{0, 1}}}))
		if err != nil {
			t.Fatal(err)
		}
		if frames := len(must(Decode(r.Code, p)).Frames); (frames == 1) != (version == 52) || frames > 1 {
			t.Errorf("version %d: %d frames", version, frames)
		}
	}
}

// TestCatchAnnotations moves the index of a type annotation on a catch behind the new entries.
func TestCatchAnnotations(t *testing.T) {
	p := classfile.NewPool()
	c := must(assemble(twoHandlers, p))
	c.Annotations = []TypeAnnotation{{TargetType: classfile.TargetExceptionParameter, Index: 1,
		Rest: []byte{0, 0, 1, 0, 0}}}
	third := index(c, OpInvokestatic, 2)
	r, err := c.RewriteCatching(nil, catching(p, Catcher{Ranges: [][2]int{{third, third + 1}}}))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Body.Annotations[0].Index; got != 2 {
		t.Errorf("the annotation is on handler %d", got)
	}
}

func TestBadCatchers(t *testing.T) {
	p := classfile.NewPool()
	c := must(assemble(twoHandlers, p))
	first, third := index(c, OpInvokestatic, 0), index(c, OpInvokestatic, 2)
	for _, test := range []struct {
		name    string
		catcher Catcher
		want    string
	}{
		{"no range", Catcher{}, "no range"},
		{"empty range", Catcher{Ranges: [][2]int{{1, 1}}}, "range [1,1)"},
		{"range behind the end", Catcher{Ranges: [][2]int{{0, len(c.Insns) + 1}}}, "range [0,"},
		{"ranges out of order", Catcher{Ranges: [][2]int{{third, third + 1}, {0, 1}}}, "range [0,1)"},
		{"partly covered", Catcher{Ranges: [][2]int{{first - 1, first + 1}}}, "covers a part"},
		{"covered differently", Catcher{Ranges: [][2]int{{first, first + 1}, {third, third + 1}}}, "covers only some"},
	} {
		_, err := c.RewriteCatching(nil, catching(p, test.catcher))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	bad := catching(p, Catcher{Ranges: [][2]int{{third, third + 1}}})
	bad.Catchers[0].Code = []Instruction{Insn(OpReturn)}
	if _, err := c.RewriteCatching(nil, bad); err == nil || !strings.Contains(err.Error(), "straight-line") {
		t.Errorf("return in a catcher: %v", err)
	}
}

// TestCommonLocals merges the locals of two handlers.
func TestCommonLocals(t *testing.T) {
	for _, test := range []struct{ outer, inner, want string }{
		{"int", "int int", "[int int]"},
		{"top long", "int", "[int long]"},
		{"top top A", "", "[top top A]"},
		{"int long A", "int long A", "[int long A]"},
		{"int", "float", "slot 0"},
		{"long", "top int", "slot 1"},
		{"A", "B", "slot 0"},
		{"A", "java/lang/Object", "[A]"},
		{"java/lang/Object", "A", "[A]"},
		{"null", "A", "[null]"},
		{"A", "null", "[null]"},
		{"top", "", "[]"},
	} {
		text := strings.NewReplacer("[ int int ] [ java", "[ "+test.inner+" ] [ java", "[ int ] [ java",
			"[ "+test.outer+" ] [ java").Replace(twoHandlers)
		p := classfile.NewPool()
		c := must(assemble(text, p))
		locals, err := c.NewHandlerLocals(nil, p).Common([]int32{0, 1})
		got := (&listing{code: c, pool: p}).types(locals)
		if err != nil {
			got = err.Error()
			if wrong := (*LocalsError)(nil); !errors.As(err, &wrong) {
				t.Errorf("%q, %q: %T", test.outer, test.inner, err)
			}
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%q, %q: %s, want %s", test.outer, test.inner, got, test.want)
		}
	}
}

// TestUninitializedThis finds super() among constructors of other objects.
func TestUninitializedThis(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       int // the first instruction with this initialised; -1: not clear
	}{
		{"plain", "aload_0\ninvokespecial A.<init>()V\nreturn", 2},
		{"new of the superclass as argument",
			"aload_0\nnew A\ndup\ninvokespecial A.<init>()V\ninvokespecial A.<init>(LA;)V\nreturn", 5},
		{"frame", `aload_0
			iload_1
			ifeq X
			iconst_1
			goto Y
		X:
			frame full [ uninitializedThis int ] [ uninitializedThis ]
			iconst_2
		Y:
			frame full [ uninitializedThis int ] [ uninitializedThis int ]
			invokespecial A.<init>(I)V
			return`, 7},
		{"swapped", "iconst_0\naload_0\nswap\ninvokespecial A.<init>(I)V\nreturn", -1},
		{"moved", "aload_0\nastore_1\nreturn", -1},
	} {
		p := classfile.NewPool()
		c := must(assemble("max_stack 4 max_locals 2\n"+test.text, p))
		this, err := c.UninitializedThis([]VerificationType{{Tag: UninitializedThis}, {Tag: Integer}}, p)
		first := -1
		if err == nil {
			for first = 0; this[first]; first++ {
			}
		}
		if first != test.want {
			t.Errorf("%s: %d, want %d (%v)", test.name, first, test.want, err)
		}
	}
}
