package instrument

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// TestPhi executes new code on every path at once: what has been counted less what has been allocated must be Phi's
// answer at each instruction, inserted ones included, and the same however control gets there.
func TestPhi(t *testing.T) {
	for _, archive := range corpus.All(t) {
		t.Run(archive.Name, func(t *testing.T) {
			t.Parallel()
			instructions := 0
			const parts = 90
			take := func(c *corpusClass) bool { return long || corpus.Part(c.name, parts) < uint32(len(variants)) }
			eachClass(t, archive, take, func(c *corpusClass) {
				part := corpus.Part(c.name, parts)
				for i, options := range variants {
					if !long && uint32(i) != part {
						continue
					}
					n, err := executeClass(c.bytes, options, 1000)
					if err != nil {
						t.Errorf("%s, %+v: %v", c, options, err)
					}
					instructions += n
				}
			})
			t.Logf("%d instructions", instructions)
		})
	}
}

// executeClass rewrites a class, patches it with base and executes its methods.
func executeClass(b []byte, options Options, base uint32) (instructions int, err error) {
	result, err := Rewrite(b, options)
	if err != nil || result.Bytes == nil {
		return 0, err
	}
	result.Patch(base)
	class, err := classfile.Parse(result.Bytes)
	if err != nil {
		return 0, err
	}
	methods := methodsByName(class, result)
	if methods == nil {
		return 0, nil
	}
	w, err := newRewriter(class, options)
	if err != nil {
		return 0, err
	}
	for i := range class.Methods {
		name, _ := class.Pool.Utf8(class.Methods[i].Name) // "" is no method's that was changed
		descriptor, _ := class.Pool.Utf8(class.Methods[i].Descriptor)
		m := methods[name+descriptor]
		if m == nil {
			continue
		}
		code, err := decodeBody(class, i)
		if err != nil {
			return 0, fmt.Errorf("%s%s: %w", name, descriptor, err)
		}
		e, err := newExecution(w, m, code, base)
		if err == nil {
			err = e.run()
		}
		if err != nil {
			return 0, fmt.Errorf("%s%s: %w\n%s", name, descriptor, err, code.Text(class.Pool))
		}
		instructions += len(code.Insns)
	}
	return instructions, nil
}

// methodsByName gives what has become of the methods of a class, by name and descriptor; nil if two have the same,
// which no JVM takes.
func methodsByName(class *classfile.Class, r *Result) map[string]*Method {
	known := map[string]bool{}
	for i := range class.Methods {
		name, _ := class.Pool.Utf8(class.Methods[i].Name)
		descriptor, _ := class.Pool.Utf8(class.Methods[i].Descriptor)
		if known[name+descriptor] {
			return nil
		}
		known[name+descriptor] = true
	}
	methods := map[string]*Method{}
	for i := range r.Methods {
		m := &r.Methods[i]
		methods[m.Name+m.Descriptor] = m
	}
	return methods
}

// decodeBody decodes the body of method i, which has one.
func decodeBody(class *classfile.Class, i int) (*bytecode.Code, error) {
	raw, err := classfile.DecodeCode(class.Pool.FindAttribute(class.Methods[i].Attributes, classfile.AttrCode).Info)
	if err != nil {
		return nil, err
	}
	return bytecode.Decode(raw, class.Pool)
}

// An execution follows control through new code. It reads instructions and the meaning of counters, and nothing of
// how they were placed.
type execution struct {
	method *Method
	code   *bytecode.Code
	pool   *classfile.Pool
	base   uint32
	passes []placement.Vector // by instruction: what its completion adds to φ
	phis   []placement.Vector // by instruction
	known  []bool
	work   []int
}

func newExecution(w *rewriter, m *Method, code *bytecode.Code, base uint32) (*execution, error) {
	n, pool := len(code.Insns), w.class.Pool
	e := &execution{method: m, code: code, pool: pool, base: base, passes: make([]placement.Vector, n),
		phis: make([]placement.Vector, n), known: make([]bool, n)}
	found, _, err := w.allocations.Find(m.Name, code)
	if err != nil {
		return nil, err
	}
	ends := endsOfChains(m)
	shift := 0 // the ends of chains are not found any more: there is code in front of them
	for _, a := range found {
		for ends[a.First+shift] {
			shift += 2
		}
		a.First += shift
		if a.OnPaths(m.Sites) {
			e.passes[a.At] = placement.Vector{{Site: int32(a.First), N: -1}}
		}
	}
	for i, in := range code.Insns {
		if in.Op != bytecode.OpInvokestatic {
			continue
		}
		if class, method, descriptor, err := pool.Ref(in.Pool()); err == nil && IsRuntime(class) &&
			(method == "count" || method == "chainOver" || method == "copied" || method == "concatenated" ||
				strings.HasPrefix(method, "array")) {
			number := i - 1
			if strings.HasSuffix(descriptor, "JIII)V") {
				number = i - 3 // behind it are what tells classes apart: a slot and the call's number
			}
			if e.passes[i], err = e.semantics(number); err != nil {
				return nil, err
			}
			if method == "chainOver" { // what C2 makes, or the builder; to this code it is that
				e.passes[i] = placement.Unit(builderBehind(m, e.passes[i]))
			} else if method == "concatenated" { // the array, behind the String, is on no path
				e.passes[i] = e.passes[i].Sub(placement.Unit(arrayBehind(m, e.passes[i])))
			}
		}
	}
	return e, nil
}

// builderBehind gives the site of the builder that is counted where what C2 makes in its place would be, given what
// that is.
func builderBehind(m *Method, made placement.Vector) int {
	for i, c := range m.Counters {
		if c.Kind == Arrays && c.Semantics.Equal(made) && i+3 < len(m.Counters) {
			if k := m.Counters[i+3]; k.Kind == Arrays && k.Site < c.Site &&
				allocations.IsBuilder(m.Sites[k.Site].Type) {
				return k.Site
			}
		}
	}
	return -1
}

// arrayBehind gives the site of the array that a String may have, given what its counter adds.
func arrayBehind(m *Method, made placement.Vector) int {
	for i, c := range m.Counters {
		if c.Kind == Arrays && c.Semantics.Equal(made) && i+1 < len(m.Counters) && m.Counters[i+1].Kind == Elements {
			return m.Counters[i+1].Site
		}
	}
	return -1
}

// endsOfChains tells the first sites of what C2 makes in the place of chains: what is counted there takes a builder
// back, or counts it else.
func endsOfChains(m *Method) map[int]bool {
	ends := map[int]bool{}
	for _, c := range m.Counters {
		takesBack := slices.ContainsFunc(c.Semantics, func(t placement.Term) bool { return t.N < 0 })
		if c.Kind == Arrays && (takesBack || builderBehind(m, c.Semantics) >= 0) &&
			m.Sites[c.Site].Type == "[B" && c.Site+1 < len(m.Sites) && m.Sites[c.Site+1].Type == "java/lang/String" &&
			m.Sites[c.Site].BCI == m.Sites[c.Site+1].BCI {
			ends[c.Site] = true
		}
	}
	return ends
}

// semantics is what the counter means whose number, or word in the node, instruction i pushes.
func (e *execution) semantics(i int) (placement.Vector, error) {
	number, ok := e.code.Insns[i].Int(e.pool)
	if !ok {
		return nil, fmt.Errorf("instruction %d pushes no number", i)
	}
	for _, c := range e.method.Counters {
		if x := e.method.Context; x == nil && c.Number+e.base == uint32(number) || x != nil &&
			x.Word(c.Number) == int(number) {
			construction := x != nil && slices.ContainsFunc(x.Constructions, func(k Construction) bool {
				return k.Counted && k.Counter == c.Number
			})
			if c.Kind != Arrays && (c.Kind != Path || c.Semantics.IsZero() != construction) {
				return nil, fmt.Errorf("counter %d: kind %d, semantics %v", number, c.Kind, c.Semantics)
			}
			return c.Semantics, nil
		}
	}
	return nil, fmt.Errorf("counter %d belongs to another method", number)
}

// run starts where φ is zero: at the entry and where subroutines return to. If exceptions are not corrected,
// handlers are such places as well.
func (e *execution) run() error {
	starts := []int{0}
	if e.method.Crosses {
		for _, h := range e.code.Handlers {
			starts = append(starts, int(h.Target))
		}
	}
	for i, in := range e.code.Insns {
		if in.Op.IsSubroutineCall() && i+1 < len(e.code.Insns) {
			starts = append(starts, i+1)
		}
	}
	for _, i := range starts {
		if err := e.arrive(i, nil); err != nil {
			return err
		}
	}
	for len(e.work) > 0 {
		i := e.work[len(e.work)-1]
		e.work = e.work[:len(e.work)-1]
		if err := e.leave(i); err != nil {
			return err
		}
	}
	return nil
}

// arrive comes to instruction i with phi.
func (e *execution) arrive(i int, phi placement.Vector) error {
	if e.known[i] {
		if !e.phis[i].Equal(phi) {
			return fmt.Errorf("pc %d: φ is %v, on another way %v", e.code.PC(i), phi, e.phis[i])
		}
		return nil
	}
	e.known[i], e.phis[i] = true, phi
	e.work = append(e.work, i)
	if want := e.method.Phi(e.code.PC(i)); !want.Equal(phi) {
		return fmt.Errorf("pc %d: φ is %v, Phi says %v", e.code.PC(i), phi, want)
	}
	op := e.code.Insns[i].Op
	if ends := op.IsReturn() || op == bytecode.OpAthrow || op == bytecode.OpRet || op.IsSubroutineCall(); ends &&
		!phi.IsZero() {
		return fmt.Errorf("pc %d: φ is %v at %s", e.code.PC(i), phi, op)
	}
	return nil
}

// throw has instruction i throw: what is owed before it is owed at the handlers, and nothing may be when the method
// is left.
func (e *execution) throw(i int) error {
	for _, h := range e.code.Handlers {
		if int(h.Start) > i || i >= int(h.End) {
			continue
		}
		if err := e.arrive(int(h.Target), e.phis[i]); err != nil {
			return fmt.Errorf("pc %d throws: %w", e.code.PC(i), err)
		}
		if h.CatchType == 0 {
			return nil
		}
	}
	if !e.phis[i].IsZero() {
		return fmt.Errorf("pc %d: φ is %v when %s throws out of the method", e.code.PC(i), e.phis[i],
			e.code.Insns[i].Op)
	}
	return nil
}

// inserted reports whether instruction i has been inserted: it calls the runtime class, which throws nothing, or asks
// for the length of a new array to hand it over, or for a class that the call before has used already.
func (e *execution) inserted(i int) bool {
	op := e.code.Insns[i].Op
	isClass := (op == bytecode.OpLdc || op == bytecode.OpLdcW) &&
		e.pool.Tag(e.code.Insns[i].Pool()) == classfile.TagClass
	pushed := 1 // after it, before the call
	if e.method.Context != nil {
		pushed = 2
	}
	if (op == bytecode.OpArraylength || isClass) && i+1+pushed < len(e.code.Insns) {
		i += 1 + pushed
	}
	if e.code.Insns[i].Op != bytecode.OpInvokestatic {
		return false
	}
	class, name, _, err := e.pool.Ref(e.code.Insns[i].Pool())
	return err == nil && IsRuntime(class) && (!isClass || name == "superCloned")
}

// beginsChain reports whether instruction i makes a builder that has been counted, and nothing else has: in a full heap
// that is one too many.
func (e *execution) beginsChain(i int) bool {
	phi := e.phis[i]
	return e.code.Insns[i].Op == bytecode.OpNew && len(phi) == 1 && phi[0].N == 1 &&
		allocations.IsBuilder(e.method.Sites[phi[0].Site].Type)
}

// leave completes instruction i, and has it throw if it can.
func (e *execution) leave(i int) error {
	if !e.method.Crosses && e.code.Insns[i].CanThrow(e.pool) && !e.inserted(i) && !e.beginsChain(i) {
		if err := e.throw(i); err != nil {
			return err
		}
	}
	phi := e.phis[i].Add(e.passes[i])
	for to := range e.code.Targets(i) {
		if err := e.arrive(int(to), phi); err != nil {
			return err
		}
	}
	// no JVM takes code that has an open end
	if op := e.code.Insns[i].Op; op.FallsThrough() && !op.IsSubroutineCall() && i+1 < len(e.code.Insns) {
		return e.arrive(i+1, phi)
	}
	return nil
}
