package bytecode

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
	"mallard/internal/jvmtest"
)

// A tracer follows the edges of a body through its rewritten form. Inserted code
// announces itself: insertion k is "sipush k; pop". Everything is read from
// the bytes of the new body and the offsets that Rewritten tells, so no part
// of the rewriter checks itself.
type tracer struct {
	old   *Code
	ins   []Insertion
	r     *Rewritten
	new   *Code       // decoded from r.Code
	oldAt map[int]int // old instruction by its index in new
}

func newTracer(old *Code, ins []Insertion, r *Rewritten, p *classfile.Pool) (*tracer, error) {
	decoded, err := Decode(r.Code, p)
	if err != nil {
		return nil, err
	}
	t := &tracer{old: old, ins: ins, r: r, new: decoded, oldAt: map[int]int{}}
	for i, in := range old.Insns {
		at, ok := decoded.Find(r.PC(i))
		if !ok {
			return nil, fmt.Errorf("instruction %d: nothing at its new offset %d", i, r.PC(i))
		}
		if op := decoded.Insns[at].Op; op != in.Op && !t.inverted(i, at) && op != OpGotoW && op != OpJsrW {
			return nil, fmt.Errorf("instruction %d: %s became %s", i, in.Op, op)
		}
		t.oldAt[at] = i
	}
	return t, nil
}

// inverted reports whether old branch i has become its opposite over a goto_w.
func (t *tracer) inverted(i, at int) bool {
	old := t.old.Insns[i].Op
	return old.IsConditional() && t.new.Insns[at].Op == old.Negate() && t.new.Insns[at+1].Op == OpGotoW
}

// follow runs from a place in the new body to the next old instruction and
// returns it, with the insertions on the way.
func (t *tracer) follow(at int) (old int, passed []int, err error) {
	for range len(t.new.Insns) + 1 {
		if at >= len(t.new.Insns) {
			break
		}
		if i, ok := t.oldAt[at]; ok {
			return i, passed, nil
		}
		switch in := t.new.Insns[at]; in.Op {
		case OpSipush:
			passed = append(passed, int(in.Arg))
			at += 2
		case OpGoto, OpGotoW:
			at = int(in.Target())
		default:
			return 0, nil, fmt.Errorf("%s at %d belongs to nothing", in.Op, at)
		}
	}
	return 0, nil, fmt.Errorf("no old instruction after %d", at)
}

// wanted returns the insertions that an arrival at instruction to must run:
// by falling in, by a branch from an instruction, or (neither) by exception.
func (t *tracer) wanted(to int, falls bool, from int) []int {
	var first, last []int
	for k, ins := range t.ins {
		switch {
		case ins.At != to:
		case ins.Position == Always:
			last = append(last, k)
		case ins.Position == FallThrough && falls, ins.Position == Taken && slices.Contains(ins.From, from):
			first = append(first, k)
		}
	}
	return append(first, last...)
}

func (t *tracer) expect(what string, at, to int, falls bool, from int) error {
	arrived, passed, err := t.follow(at)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if want := t.wanted(to, falls, from); arrived != to || !slices.Equal(passed, want) {
		return fmt.Errorf("%s: came to %d by %v, not to %d by %v", what, arrived, passed, to, want)
	}
	return nil
}

// edges checks entry, every edge and every handler.
func (t *tracer) edges() error {
	if err := t.expect("entry", 0, 0, true, -1); err != nil {
		return err
	}
	for i, in := range t.old.Insns {
		at, _ := t.new.Find(t.r.PC(i))
		next, branch := at+1, at
		if t.inverted(i, at) {
			next, branch = int(t.new.Insns[at].Target()), at+1
		}
		if in.Op.FallsThrough() && i+1 < len(t.old.Insns) {
			if err := t.expect(fmt.Sprintf("fall from %d", i), next, i+1, true, -1); err != nil {
				return err
			}
		}
		old, now := slices.Collect(t.old.Targets(i)), slices.Collect(t.new.Targets(branch))
		if len(old) != len(now) {
			return fmt.Errorf("instruction %d has %d targets, had %d", i, len(now), len(old))
		}
		for k := range old {
			if err := t.expect(fmt.Sprintf("branch %d of %d", k, i), int(now[k]), int(old[k]), false, i); err != nil {
				return err
			}
		}
	}
	for k, h := range t.old.Handlers {
		if err := t.expect(fmt.Sprintf("handler %d", k), int(t.new.Handlers[k].Target), int(h.Target), false,
			-1); err != nil {
			return err
		}
	}
	return nil
}

// tables checks that what covered an instruction still does, and covers what
// is inserted before the instruction too; and that every frame, line and type
// annotation is where it was.
func (t *tracer) tables() error {
	starts := func(l Label) Label {
		if l < 0 {
			return l
		}
		i, _ := t.new.Find(t.r.StartPC(int(l)))
		return Label(i)
	}
	for k, h := range t.old.Handlers {
		if n := t.new.Handlers[k]; n.Start != starts(h.Start) || n.End != starts(h.End) || n.CatchType != h.CatchType {
			return fmt.Errorf("handler %d: %v became %v", k, h, n)
		}
	}
	for k, v := range t.old.Variables {
		if n := t.new.Variables[k]; v.Start >= 0 && v.End >= 0 && (n.Start != starts(v.Start) ||
			n.End != starts(v.End)) {
			return fmt.Errorf("variable %d: %v became %v", k, v, n)
		}
	}
	for i := range t.old.Insns {
		at, _ := t.new.Find(t.r.PC(i))
		if was, is := t.old.Line(i), t.new.Line(at); was != is {
			return fmt.Errorf("instruction %d: line %d became %d", i, was, is)
		}
	}
	for k, a := range t.old.Annotations {
		n := t.new.Annotations[k]
		if a.At >= 0 && a.TargetType >= classfile.TargetInstanceof && t.oldAt[int(n.At)] != int(a.At) {
			return fmt.Errorf("annotation %d: at %d, was at %d", k, n.At, a.At)
		}
		for j, r := range t.old.VariableRanges(&a) {
			if is := t.new.VariableRanges(&n)[j]; is.Start != starts(r.Start) || is.End != starts(r.End) {
				return fmt.Errorf("annotation %d: range %v became %v", k, r, is)
			}
		}
	}
	for _, f := range t.old.Frames {
		at, _ := t.new.Find(t.r.ArrivalPC(int(f.At)))
		if !t.new.hasFrame(Label(at)) {
			return fmt.Errorf("no frame at the new place of %d", f.At)
		}
	}
	return nil
}

// randomInsertions chooses insertions of every kind at about one place in n.
// Each edge has one pad at most.
func randomInsertions(c *Code, n int, random *rand.Rand) []Insertion {
	var all []Insertion
	add := func(at int, position Position, from ...int) {
		if len(all) == 1<<15 {
			return // the operand of sipush
		}
		all = append(all, Insertion{At: at, Position: position, From: from, Stack: 1})
	}
	sources := map[Label][]int{}
	for i, in := range c.Insns {
		for random.IntN(n) == 0 {
			add(i, Always)
		}
		for random.IntN(n) == 0 {
			add(i, FallThrough)
		}
		if !in.Op.IsSubroutineCall() {
			for l := range c.Targets(i) {
				if !slices.Contains(sources[l], i) {
					sources[l] = append(sources[l], i)
				}
			}
		}
	}
	for at := range c.Insns {
		from := sources[Label(at)]
		random.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		for len(from) > 0 && random.IntN(n) <= 1 {
			size := 1 + random.IntN(len(from))
			add(at, Taken, from[:size]...)
			from = from[size:]
		}
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for k := range all {
		all[k].Code = []Instruction{{Op: OpSipush, Arg: int32(k)}, {Op: OpPop}}
	}
	return all
}

// TestEdgesRunInsertions rewrites bodies of the corpus with random insertions
// and checks that each edge runs just those that it must.
func TestEdgesRunInsertions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	checked := 0
	for _, archive := range corpus.JDKs() {
		err := archive.EachOf(corpus.Sample(14), func(name string, b []byte) error {
			class, err := classfile.Parse(b)
			if err != nil {
				return err
			}
			err = eachCode(class, func(_ *classfile.Member, a *classfile.Attribute) error {
				_, code, err := decodeMethod(class, a)
				if err != nil || len(code.Insns) > 2000 {
					return err
				}
				checked++
				return traceRandom(code, class.Pool, random)
			})
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d bodies", checked)
}

// TestGoldenEdges does the same with the golden bodies, which have the rare
// forms.
func TestGoldenEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, c := range rewriteCases(t) {
		err := traceRandom(c.body, c.pool, random)
		var length *LengthError
		var distance *DistanceError
		var frame *FrameError
		if err != nil && !errors.As(err, &length) && !errors.As(err, &distance) && !errors.As(err, &frame) {
			t.Errorf("%s: %v", c.name(), err)
		}
	}
}

// TestAnnotatedEdges does the same with a program that has type annotations
// everywhere; those of the corpus have none in bodies.
func TestAnnotatedEdges(t *testing.T) {
	jdks := jvmtest.JDKs(t)
	jdk := jdks[len(jdks)-1]
	b, err := os.ReadFile(filepath.Join(jdk.MustJavac(t, []string{"-g"}, filepath.Join("testdata", "programs",
		"Annotated.java")), "Annotated.class"))
	if err != nil {
		t.Fatal(err)
	}
	class, err := classfile.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	targets := map[classfile.TargetType]bool{}
	err = eachCode(class, func(_ *classfile.Member, a *classfile.Attribute) error {
		var found features
		if err := roundTrip(class, &classfile.Attribute{Name: a.Name, Info: bytes.Clone(a.Info)}, &found); err != nil {
			return err
		}
		_, code, err := decodeMethod(class, a)
		if err != nil {
			return err
		}
		for _, annotation := range code.Annotations {
			targets[annotation.TargetType] = true
		}
		return traceRandom(code, class.Pool, random)
	})
	if err != nil {
		t.Error(err)
	}
	if len(targets) < 8 {
		t.Errorf("only %d kinds of targets: %v", len(targets), targets)
	}
}

func traceRandom(code *Code, p *classfile.Pool, random *rand.Rand) error {
	density := 1 + len(code.Insns)/500
	ins := randomInsertions(code, 2*density, random)
	r, err := code.Rewrite(ins)
	if err != nil {
		return err
	}
	tr, err := newTracer(code, ins, r, p)
	if err != nil {
		return err
	}
	if err := tr.edges(); err != nil {
		return err
	}
	return tr.tables()
}
