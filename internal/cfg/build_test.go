package cfg

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
)

// TestCorpus builds the graphs of methods of every installed JDK and jar: those of
// one class in five, in the long test of every one. New has checked each; beside
// that, every instruction is in just one block.
func TestCorpus(t *testing.T) {
	archives := corpus.All(t)
	for _, archive := range archives {
		t.Run(archive.Name, func(t *testing.T) {
			t.Parallel()
			methods, large := 0, 0
			err := archive.EachOf(corpus.Sample(5), func(name string, b []byte) error {
				class, err := classfile.Parse(b)
				if err != nil {
					return err
				}
				return eachMethod(class, func(name string, code *bytecode.Code, g *Graph) error {
					methods++
					if len(g.Blocks) > 1000 {
						large++
					}
					for i := range code.Insns {
						if b := g.Blocks[g.BlockAt(i)]; i < b.First || i >= b.End {
							return errors.New("BlockAt gives the wrong block")
						}
					}
					return nil
				})
			})
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d methods, %d of them with more than 1000 blocks", methods, large)
		})
	}
}

const (
	aload0       = bytecode.OpAload0
	monitorenter = bytecode.OpMonitorenter
	monitorexit  = bytecode.OpMonitorexit
)

// code makes a body of instructions without operands, and branches "op target".
func code(insns ...bytecode.Instruction) *bytecode.Code {
	return &bytecode.Code{MaxStack: 9, MaxLocals: 9, Insns: insns}
}

func op(o bytecode.Opcode) bytecode.Instruction { return bytecode.Insn(o) }

// build makes the graph of a method that refers to no constants.
func build(t *testing.T, c *bytecode.Code) *Graph {
	t.Helper()
	g, err := Build(c, new(classfile.Pool), MethodInfo{Name: "run", Class: "C", Super: "java/lang/Object"})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func compare(t *testing.T, g *Graph, want string) {
	t.Helper()
	want = strings.ReplaceAll(strings.TrimPrefix(want, "\n"), "\n\t\t", "\n")
	want = strings.TrimLeft(want, "\t")
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(g.String())); diff != "" {
		t.Error(diff)
	}
}

// TestSubroutine: zeros at the subroutine's entry, at its ret, and after each jsr.
func TestSubroutine(t *testing.T) {
	c := code(
		op(bytecode.OpNop),
		bytecode.Jump(bytecode.OpJsr, 5),
		op(bytecode.OpNop),
		bytecode.Jump(bytecode.OpJsr, 5),
		op(bytecode.OpReturn),
		bytecode.LoadStore(bytecode.OpAstore, 1),
		bytecode.LoadStore(bytecode.OpRet, 1),
	)
	compare(t, build(t, c), `
		b0 [0,2) freq 1 zero
		    -> b3 taken 1
		b1 [2,4) freq 1 zero idom b4 loop b3 depth 1
		    -> b3 taken 1
		b2 [4,5) freq 1 zero idom b4
		    -> exit return 1
		b3 [5,6) freq 2 zero idom b0 loop b3 depth 1
		    -> b4 fallthrough 2
		b4 [6,7) freq 2 zero idom b3 loop b3 depth 1
		    -> b1 ret 1
		    -> b2 ret 1
		exit`)
}

// TestMonitorGap: what is allocated between monitorenter and the range that follows
// is not owed there, and whoever jumps in owes nothing.
func TestMonitorGap(t *testing.T) {
	c := code(
		op(aload0),
		op(monitorenter),
		bytecode.WithPool(bytecode.OpNew, 1),
		op(bytecode.OpPop),
		op(bytecode.OpIconst0),
		bytecode.Jump(bytecode.OpIfeq, 4),
		op(aload0), // the range starts here
		op(monitorexit),
		op(bytecode.OpReturn),
		op(bytecode.OpAthrow),
	)
	c.Handlers = []bytecode.Handler{{Start: 6, End: 8, Target: 9}}
	g := build(t, c)
	var zeros []int
	for _, b := range g.Blocks {
		if b.Zero {
			zeros = append(zeros, b.First)
		}
	}
	// 4 and 6 are blocks anyway; 1, 3 and 9 are made for the zero.
	if diff := cmp.Diff([]int{0, 1, 3, 4, 6, 9, 10}, zeros); diff != "" {
		t.Error(diff)
	}
}

// TestSwitchEdges: cases that lead to one target are one edge.
func TestSwitchEdges(t *testing.T) {
	c := code(
		op(bytecode.OpIconst0),
		bytecode.Instruction{Op: bytecode.OpTableswitch},
		op(bytecode.OpReturn),
		op(bytecode.OpReturn),
	)
	c.Switches = []bytecode.Switch{{Default: 2, Low: 0, High: 3, Targets: []bytecode.Label{3, 2, 3, 3}}}
	compare(t, build(t, c), `
		b0 [0,2) freq 1 zero
		    -> b2 switch(3) 0.5
		    -> b1 switch(2) 0.5
		b1 [2,3) freq 0.5 idom b0
		    -> exit return 0.5
		b2 [3,4) freq 0.5 idom b0
		    -> exit return 0.5
		exit`)
}

// TestUnreachable: dead code, and a handler that only covers dead code, have no
// edges and no frequency.
func TestUnreachable(t *testing.T) {
	c := code(
		op(bytecode.OpReturn),
		op(bytecode.OpAconstNull),
		op(bytecode.OpAthrow),
		op(bytecode.OpAthrow),
	)
	c.Handlers = []bytecode.Handler{{Start: 1, End: 3, Target: 3}}
	compare(t, build(t, c), `
		b0 [0,1) freq 1 zero
		    -> exit return 1
		b1 [1,2) freq 0 unreachable
		b2 [2,3) freq 0 unreachable
		b3 [3,4) freq 0 unreachable
		exit`)
}

// TestSuperCall follows a constructor's stack to the receiver of each <init>.
func TestSuperCall(t *testing.T) {
	var p classfile.Pool
	own, err := p.AddMethodref("C", "<init>", "(Ljava/lang/Object;)V")
	if err != nil {
		t.Fatal(err)
	}
	super, err := p.AddMethodref("java/lang/Object", "<init>", "()V")
	if err != nil {
		t.Fatal(err)
	}
	class, err := p.AddClass("C")
	if err != nil {
		t.Fatal(err)
	}
	init := func(i classfile.PoolIndex) bytecode.Instruction {
		return bytecode.WithPool(bytecode.OpInvokespecial, i)
	}
	alloc := bytecode.WithPool(bytecode.OpNew, class)
	for _, test := range []struct {
		name  string
		insns []bytecode.Instruction
		want  []int // where zeros start, the entry and the exit left out
	}{
		{"super", []bytecode.Instruction{op(aload0), init(super), op(bytecode.OpReturn)}, []int{1}},
		{"this, its argument a new object", []bytecode.Instruction{op(aload0), alloc, op(bytecode.OpDup), init(super),
			init(own), op(bytecode.OpReturn)}, []int{4}},
		{"a new object, duplicated below another value", []bytecode.Instruction{op(bytecode.OpIconst0), alloc,
			op(bytecode.OpDupX1), op(bytecode.OpSwap),
			op(bytecode.OpPop), init(super), op(aload0), init(super), op(bytecode.OpReturn)}, []int{7}},
		{"a new object left on the stack", []bytecode.Instruction{alloc, op(aload0), init(super),
			op(bytecode.OpReturn)}, []int{2}},
		{"an argument above the receiver is new", []bytecode.Instruction{op(aload0), alloc, init(own),
			op(bytecode.OpReturn)}, []int{2}},
		{"not known after a branch", []bytecode.Instruction{op(aload0), alloc, op(bytecode.OpIconst0),
			bytecode.Jump(bytecode.OpIfeq, 4), init(super), op(bytecode.OpReturn)}, []int{4}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := Build(code(test.insns...), &p, MethodInfo{Name: "<init>", Class: "C", Super: "java/lang/Object"})
			if err != nil {
				t.Fatal(err)
			}
			var zeros []int
			for _, b := range g.Blocks[1 : len(g.Blocks)-1] {
				if b.Zero {
					zeros = append(zeros, b.First)
				}
			}
			if diff := cmp.Diff(test.want, zeros); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAnyCode builds graphs of instructions in any order: Build gives a checked
// graph or an error, whatever it gets.
func TestAnyCode(t *testing.T) {
	ops := []bytecode.Opcode{
		bytecode.OpNop, aload0, monitorenter, bytecode.OpIadd, bytecode.OpReturn, bytecode.OpAthrow, bytecode.OpRet,
		bytecode.OpGoto, bytecode.OpIfeq, bytecode.OpIfnull, bytecode.OpJsr, bytecode.OpTableswitch,
		bytecode.OpNew, bytecode.OpInvokespecial, bytecode.OpDup2X2,
	}
	built := 0
	for seed := range 3000 {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		n := 1 + r.IntN(30)
		label := func() bytecode.Label { return bytecode.Label(r.IntN(n)) }
		c := code()
		for range n {
			in := op(ops[r.IntN(len(ops))])
			switch {
			case in.Op.IsBranch():
				in.Arg = int32(label())
			case in.Op.IsSwitch():
				in.Arg = int32(len(c.Switches))
				c.Switches = append(c.Switches, bytecode.Switch{Default: label(), Targets: []bytecode.Label{label(),
					label()}})
			}
			c.Insns = append(c.Insns, in)
		}
		for range r.IntN(3) {
			start := label()
			c.Handlers = append(c.Handlers, bytecode.Handler{Start: start, End: start + 1 +
				bytecode.Label(r.IntN(n-int(start))), Target: label()})
		}
		name := []string{"run", "<init>"}[seed%2]
		if _, err := Build(c, new(classfile.Pool), MethodInfo{Name: name, Class: "C"}); err == nil {
			built++
		} else if !strings.Contains(err.Error(), "falls off") {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if built < 500 {
		t.Errorf("only %d graphs", built)
	}
}

// TestTooLarge: products of code elements end in an error, not in memory.
func TestTooLarge(t *testing.T) {
	many := code()
	for range 1000 {
		many.Insns = append(many.Insns, bytecode.Jump(bytecode.OpJsr, 2000))
	}
	for len(many.Insns) < 2000 {
		many.Insns = append(many.Insns, op(bytecode.OpReturn))
	}
	for i := range 500 {
		many.Insns = append(many.Insns, bytecode.Jump(bytecode.OpIfeq, bytecode.Label(2000+2*((i+1)%500))),
			bytecode.LoadStore(bytecode.OpRet, 1))
	}
	if _, err := Build(many, new(classfile.Pool), MethodInfo{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("rets: %v", err)
	}
	covered := code()
	for range 4000 {
		covered.Insns = append(covered.Insns, op(aload0), op(bytecode.OpAthrow))
	}
	for i := range 2000 {
		covered.Handlers = append(covered.Handlers, bytecode.Handler{End: 8000, Target: bytecode.Label(2 * i)})
	}
	if _, err := Build(covered, new(classfile.Pool), MethodInfo{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("handlers: %v", err)
	}
}

// BenchmarkBuild builds graphs of the methods of java.base, one per operation.
func BenchmarkBuild(b *testing.B) {
	archives := corpus.JDKs()
	if len(archives) == 0 {
		b.Skip("no JDK")
	}
	type method struct {
		code *bytecode.Code
		pool *classfile.Pool
		info MethodInfo
	}
	var methods []method
	err := archives[0].Each(func(name string, data []byte) error {
		if !strings.HasPrefix(name, "java.base/java/") {
			return nil
		}
		class, err := classfile.Parse(data)
		if err != nil {
			return err
		}
		return eachMethod(class, func(name string, code *bytecode.Code, g *Graph) error {
			methods = append(methods, method{code, class.Pool, MethodInfo{Name: "run"}})
			return nil
		})
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		m := &methods[i%len(methods)]
		if _, err := Build(m.code, m.pool, m.info); err != nil {
			b.Fatal(err)
		}
	}
}
