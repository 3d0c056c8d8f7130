package instrument

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
	"mallard/internal/instrument/emit"
	"mallard/internal/jvmtest"
	"mallard/internal/placement"
)

// TestContexts: what Context says of a method is what its new code does, in a sample of the corpus.
func TestContexts(t *testing.T) {
	var s contextStatistics
	for _, archive := range corpus.All(t) {
		eachClass(t, archive, oneIn(40), func(c *corpusClass) {
			for _, representation := range []Representation{Tree, Hashed, Encoded} {
				if err := s.add(c.bytes, Options{Placement: placement.Optimal, Contexts: representation}); err != nil {
					t.Errorf("%s: %v", c, err)
				}
			}
		})
	}
	t.Logf("%+v", s)
	if s.methods < 1000 || s.without*100 > s.methods {
		t.Errorf("%d methods have contexts, %d ought to", s.methods, s.without)
	}
}

// contextStatistics counts methods with contexts, those that have none although they call or allocate, and calls.
type contextStatistics struct{ methods, without, calls int }

// checkContexts holds a class against what Rewrite says.
func checkContexts(class []byte, o Options) error { return new(contextStatistics).add(class, o) }

func (s *contextStatistics) add(class []byte, o Options) error {
	const base, callBase = 3_000_000, 5_000_000
	old, err := classfile.Parse(class)
	if err != nil {
		return err
	}
	r, err := Rewrite(class, o)
	if err != nil || r.Bytes == nil {
		return err
	}
	r.PatchMethods(base)
	r.PatchCalls(callBase)
	rewritten, err := classfile.Parse(r.Bytes)
	if err != nil {
		return err
	}
	methods := methodsByName(old, r)
	if methods == nil {
		return nil
	}
	numbers, firstCall := uint32(0), callBase
	for i := range old.Methods {
		if old.Pool.FindAttribute(old.Methods[i].Attributes, classfile.AttrCode) == nil {
			continue
		}
		name, _ := old.Pool.Utf8(old.Methods[i].Name)
		descriptor, _ := old.Pool.Utf8(old.Methods[i].Descriptor)
		before, err1 := decodeBody(old, i)
		after, err2 := decodeBody(rewritten, i)
		if err1 != nil || err2 != nil {
			return nil // not a class that a JVM would take
		}
		c := contextCheck{class: rewritten, pool: rewritten.Pool, before: before, after: after,
			objects: o.Constructors || finalizes(rewritten), representation: o.Contexts, firstCall: firstCall}
		m := methods[name+descriptor]
		if m == nil || m.Context == nil {
			if m != nil || !c.isLeafBody(before) && o.Contexts != NoContexts {
				s.without++
			}
			continue
		}
		s.methods++
		s.calls += len(m.Context.Calls)
		if m.Context.Number != numbers {
			return fmt.Errorf("%s%s has number %d, not %d", name, descriptor, m.Context.Number, numbers)
		}
		numbers++
		// or it is not code that a JVM would take
		if err := c.check(m, base); err != nil && before.Check(old.Pool) == nil {
			return fmt.Errorf("%s%s: %w\n%s", name, descriptor, err, after.Text(rewritten.Pool))
		}
		firstCall += len(m.Context.Calls)
	}
	if numbers != r.Contexts {
		return fmt.Errorf("%d numbers, Result.Contexts %d", numbers, r.Contexts)
	}
	return nil
}

// A contextCheck compares the code of a method before and after.
type contextCheck struct {
	class          *classfile.Class // as it is now
	pool           *classfile.Pool
	before, after  *bytecode.Code
	representation Representation
	firstCall      int    // its number, with Encoded
	objects        bool   // calls of Object's constructor count as calls
	closed         []bool // by instruction of the new code: nobody may come there from elsewhere than the one before
}

// called counts the calls of a body as it was.
func (c *contextCheck) called(code *bytecode.Code) int {
	n := 0
	for i := range code.Insns {
		if in := code.Insns[i]; in.Op.IsInvoke() && c.runtime(code, i) == "" && !c.isObject(in) {
			n++
		}
	}
	return n
}

// isLeafBody reports whether a body calls nothing but leaves.
func (c *contextCheck) isLeafBody(code *bytecode.Code) bool {
	return !slices.ContainsFunc(code.Insns, func(in bytecode.Instruction) bool {
		return in.Op.IsInvoke() && !c.isObject(in) && !c.isLeaf(in)
	})
}

// finalizes reports whether a class declares finalize().
func finalizes(class *classfile.Class) bool {
	return slices.ContainsFunc(class.Methods, func(m classfile.Member) bool {
		name, _ := class.Pool.Utf8(m.Name)
		descriptor, _ := class.Pool.Utf8(m.Descriptor)
		return name+descriptor == "finalize()V"
	})
}

func (c *contextCheck) isObject(in bytecode.Instruction) bool {
	class, name, _, err := c.pool.Ref(in.Pool())
	return err == nil && class == "java/lang/Object" && name == "<init>" && !c.objects
}

// isLeaf reports whether a call can only come to a method of the class that calls nothing, ours included, or to one
// of the VM's.
func (c *contextCheck) isLeaf(in bytecode.Instruction) bool {
	if in.Op == bytecode.OpInvokedynamic || c.representation == Tree {
		return false
	}
	class, name, descriptor, err := c.pool.Ref(in.Pool())
	if own, _ := c.class.Name(); err != nil || class != own {
		return err == nil && (class[0] == '[' && name == "clone" || isLeafInVM(class, name))
	}
	i := slices.IndexFunc(c.class.Methods, func(m classfile.Member) bool {
		n, _ := c.pool.Utf8(m.Name)
		d, _ := c.pool.Utf8(m.Descriptor)
		return n+d == name+descriptor
	})
	if i < 0 {
		return false
	}
	m := &c.class.Methods[i]
	if c.pool.FindAttribute(m.Attributes, classfile.AttrCode) == nil {
		return false
	}
	code, err := decodeBody(c.class, i)
	return err == nil &&
		(name == "<init>" ||
			(m.AccessFlags|c.class.AccessFlags)&(classfile.AccFinal|classfile.AccPrivate|classfile.AccStatic) != 0) &&
		!slices.ContainsFunc(code.Insns, func(in bytecode.Instruction) bool { return in.Op.IsInvoke() })
}

// runtime gives the name of the method of a runtime class that instruction i calls, "" for others.
func (c *contextCheck) runtime(code *bytecode.Code, i int) string {
	if i < 0 || code.Insns[i].Op != bytecode.OpInvokestatic {
		return ""
	}
	class, name, descriptor, err := c.pool.Ref(code.Insns[i].Pool())
	if err != nil || !IsRuntime(class) {
		return ""
	}
	return name + descriptor
}

func (c *contextCheck) pushed(i int) int {
	n, ok := c.after.Insns[i].Int(c.pool)
	if !ok {
		return -1
	}
	return int(n)
}

func (c *contextCheck) check(m *Method, base int) error {
	x, code, local := m.Context, c.after, int(c.before.MaxLocals)
	ofClasses := 0 // slots for nodes of classes
	if x.Words != emit.NodeHeader+len(x.Calls)+len(m.Counters) {
		return fmt.Errorf("%d words for %d calls and %d counters", x.Words, len(x.Calls), len(m.Counters))
	}
	for i, counter := range m.Counters {
		if counter.Number != x.First+uint32(i) || x.Word(counter.Number) != emit.NodeHeader+len(x.Calls)+i {
			return fmt.Errorf("counter %d has number %d and word %d", i, counter.Number, x.Word(counter.Number))
		}
	}
	c.closed = make([]bool, len(code.Insns)+1)
	loads := func(i int) bool {
		return i >= 0 && code.Insns[i] == bytecode.LoadStore(bytecode.OpLload, uint16(local))
	}
	store := bytecode.LoadStore(bytecode.OpLstore, uint16(local))
	body, calls, plain, enters, hashes := slices.Index(code.Insns, store)+1, 0, 0, 0, 0
	if body == 0 || body > 11 {
		return fmt.Errorf("the body begins at %d", body)
	}
	c.close(1, body)
	late := c.beginsLate(body)
	for i, in := range code.Insns {
		if slot, ok := in.Slot(); ok && slot >= local && !loads(i) && i+1 != body &&
			!strings.HasPrefix(c.runtime(code, i-1), "begin") {
			return fmt.Errorf("instruction %d uses slot %d", i, slot)
		}
		switch called := c.runtime(code, i); {
		case called == "enter(II)J":
			enters++
			if i+2 != body || c.pushed(i-2) != int(x.Number)+base || c.pushed(i-1) != x.Words {
				return fmt.Errorf("instruction %d does not ask for the node", i)
			}
		case called == "begin(III)J":
			enters, hashes = enters+1, 1
			if (i+2 == body) == late || c.pushed(i-3) != int(x.Number)+base || c.pushed(i-2) != x.Words ||
				len(x.Calls) > 0 && c.pushed(i-1) != c.firstCall || code.Insns[i+1] != store {
				return fmt.Errorf("instruction %d does not ask for the number", i)
			}
			c.close(i-2, i+2)
		case strings.HasPrefix(called, "begin"):
			enters, hashes = enters+1, 1
			if (i+2 == body) == late || c.pushed(i-2) != int(x.Number)+base || c.pushed(i-1)>>17 != x.Words ||
				(called == "beginAny(II)J") != (x.Name == emit.Lambda) || code.Insns[i+1] != store {
				return fmt.Errorf("instruction %d does not ask for the hash", i)
			}
			c.close(i-1, i+2)
		case called == "node(JI)J":
			if !loads(i-2) || c.pushed(i-1) != int(x.Number)+base {
				return fmt.Errorf("instruction %d asks for another node", i)
			}
			c.close(i-1, i+2)
		case called == "announce(JI)V":
			if !loads(i-2) || !code.Insns[i+1].Op.IsInvoke() {
				return fmt.Errorf("instruction %d announces", i)
			}
		case called == "end(JI)V":
			if !loads(i-2) || c.pushed(i-1) != int(x.Number)+base || !code.Insns[i+1].Op.IsReturn() {
				return fmt.Errorf("instruction %d ends", i)
			}
			c.close(i-1, i+2)
		case strings.HasSuffix(called, "JI)V"):
			if !loads(i-2) && c.runtime(code, i-2) != "node(JI)J" || c.pushed(i-1) < emit.NodeHeader ||
				c.pushed(i-1) >= x.Words {
				return fmt.Errorf("instruction %d is for another word", i)
			}
		case strings.HasSuffix(called, "JIII)V"): // behind the word are a slot and the call's number
			if !loads(i-4) && c.runtime(code, i-4) != "node(JI)J" || c.pushed(i-3) < emit.NodeHeader ||
				c.pushed(i-3) >= x.Words || c.pushed(i-2) != emit.NodeHeader+len(x.Calls)-1 {
				return fmt.Errorf("instruction %d is for another word", i)
			}
			ofClasses = 1
		case called == "leave(J)V":
			if !loads(i-1) || !code.Insns[i+1].Op.IsReturn() {
				return fmt.Errorf("instruction %d leaves", i)
			}
			c.close(i, i+2)
		case called == "" && in.Op.IsInvoke() && !c.isObject(in) &&
			(calls == len(x.Calls) || x.Calls[calls].PC != code.PC(i)):
			if !c.isLeaf(in) {
				return fmt.Errorf("instruction %d calls and announces nothing", i)
			}
			plain++
		case called == "" && in.Op.IsInvoke() && !c.isObject(in):
			old, found := c.before.Find(x.Calls[calls].BCI)
			if !found || c.before.Insns[old].Op != in.Op || x.Calls[calls].PC != code.PC(i) ||
				x.Calls[calls].Line != c.before.Line(old) {
				return fmt.Errorf("instruction %d is not %+v", i, x.Calls[calls])
			}
			want := emit.Announcement(calls, x.Calls[calls].Callee)
			if c.representation == Encoded {
				want = int32(c.firstCall + calls)
			}
			announced := c.runtime(code, i-1) == "announce(JI)V" && int32(c.pushed(i-2)) == want
			if !announced && (c.runtime(code, i-1) != "call(JI)V" || c.pushed(i-2) != emit.NodeHeader+calls) {
				return fmt.Errorf("instruction %d calls from an unknown place", i)
			}
			c.close(i-2, i+1)
			calls++
		case in.Op.IsReturn() && c.runtime(code, i-1) != "leave(J)V" && c.representation == Tree:
			return fmt.Errorf("instruction %d returns without leaving", i)
		}
	}
	if calls+ofClasses != len(x.Calls) || calls+plain != c.called(c.before) || enters != 1 && !late || enters == 0 ||
		enters > mostBeginnings {
		return fmt.Errorf("%d calls, %d nodes", calls, enters)
	}
	if hashes != 0 {
		if err := c.checkProgress(); err != nil {
			return err
		}
	}
	return c.checkControl(body)
}

func (c *contextCheck) close(start, end int) {
	for i := start; i < end; i++ {
		c.closed[i] = true
	}
}

// checkControl: nobody comes into the middle of what belongs together, or into the prologue, and no handler is in
// force there.
func (c *contextCheck) checkControl(body int) error {
	c.closed[0] = true
	for i, target := range c.after.Arrivals() {
		if target && c.closed[i] && i != body {
			return fmt.Errorf("control comes to instruction %d", i)
		}
	}
	for _, h := range c.after.Handlers {
		if int(h.Start) < body {
			return fmt.Errorf("a handler covers instruction %d", h.Start)
		}
	}
	return nil
}

// TestContextsRun runs the test programs, with contexts, against a runtime class that knows which invocations there
// are.
func TestContextsRun(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel()
		checking := compileRuntime(t, jdk, "checking")
		run := func(t *testing.T, command jvmtest.Command, killed bool) jvmtest.Output {
			command.Classpath = []string{inContextsFolder(t, command.Classpath[0])}
			command.Options = []string{"--patch-module", "java.base=" + checking}
			output := jdk.MustRun(t, command)
			if !killed && !strings.Contains(output.Stderr, " calls") {
				t.Errorf("the runtime class was not called\n%s", output.Stderr)
			}
			return output
		}
		compare := func(t *testing.T, program jvmtest.Program, got jvmtest.Output) {
			want := jvmtest.RunPlain(t, jdk, program.Command(t, jdk))
			if got.Stdout != want.Stdout || got.ExitCode != want.ExitCode {
				t.Errorf("%s: exit code %d, want %d\n%s\nwant\n%s\n%s", program.Name, got.ExitCode, want.ExitCode,
					got.Stdout, want.Stdout, got.Stderr)
			}
		}
		t.Run(jvmtest.TogetherClass, func(t *testing.T) {
			programs, command := jvmtest.Together(t, jdk)
			outputs := jvmtest.Divide(run(t, command, false))
			for _, program := range programs {
				compare(t, program, outputs[program.Name])
			}
		})
		for _, program := range jvmtest.Programs(t) {
			if program.Shares() && !jvmtest.Long() {
				continue
			}
			t.Run(program.Name, func(t *testing.T) {
				compare(t, program, run(t, program.Command(t, jdk), program.Killed()))
			})
		}
	})
}

// inContextsFolder instruments the classes of a folder, which is flat.
func inContextsFolder(t *testing.T, classes string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(classes, "*.class"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v %v", paths, err)
	}
	dir := t.TempDir()
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Rewrite(b, Options{Placement: placement.Optimal, Contexts: Tree})
		if err != nil {
			t.Fatal(err)
		}
		if r.Bytes != nil {
			r.PatchMethods(1_000_000)
			b = r.Bytes
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
