package instrument

import (
	"fmt"
	"testing"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
	"mallard/internal/placement"
)

// TestOwed executes new code on every path at once: what has been counted less what has been allocated must be Owed's answer at each
// instruction, inserted ones included, and the same however control gets there.
func TestOwed(t *testing.T) {
	for _, archive := range corpus.All(t) {
		t.Run(archive.Name, func(t *testing.T) {
			t.Parallel()
			instructions := 0
			eachClass(t, archive, func(c *corpusClass) {
				part := sample(c.name, 30)
				if !long && part >= uint32(len(strategies)) {
					return
				}
				for i, strategy := range strategies {
					if !long && uint32(i) != part {
						continue
					}
					n, err := executeClass(c.bytes, strategy, 1000)
					if err != nil {
						t.Errorf("%s, %v: %v", c, strategy, err)
					}
					instructions += n
				}
			})
			t.Logf("%d instructions", instructions)
		})
	}
}

// executeClass rewrites a class, patches it with base and executes its methods.
func executeClass(b []byte, strategy placement.Strategy, base uint32) (instructions int, err error) {
	result, err := Rewrite(b, Options{Placement: strategy})
	if err != nil || result.Bytes == nil {
		return 0, err
	}
	result.Patch(base)
	class, err := classfile.Parse(result.Bytes)
	if err != nil {
		return 0, err
	}
	bodies, err := codeByName(class)
	if bodies == nil || err != nil {
		return 0, err
	}
	for k := range result.Methods {
		m := &result.Methods[k]
		name := m.Name + m.Descriptor
		code, err := decodeBody(class, bodies[name])
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		e, err := newExecution(m, code, class.Pool, base)
		if err == nil {
			err = e.run()
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w\n%s", name, err, code.Text(class.Pool))
		}
		instructions += len(code.Insns)
	}
	return instructions, nil
}

// codeByName gives the methods that have code, by name and descriptor; nil if two have the same, which the JVM refuses.
func codeByName(class *classfile.Class) (map[string]int, error) {
	bodies := map[string]int{}
	for i := range class.Methods {
		if class.Pool.FindAttribute(class.Methods[i].Attributes, classfile.AttrCode) == nil {
			continue
		}
		name, err := class.Pool.Utf8(class.Methods[i].Name)
		if err != nil {
			return nil, err
		}
		descriptor, err := class.Pool.Utf8(class.Methods[i].Descriptor)
		if err != nil {
			return nil, err
		}
		if _, ok := bodies[name+descriptor]; ok {
			return nil, nil
		}
		bodies[name+descriptor] = i
	}
	return bodies, nil
}

// decodeBody decodes the body of method i, which has one.
func decodeBody(class *classfile.Class, i int) (*bytecode.Code, error) {
	raw, err := classfile.DecodeCode(class.Pool.FindAttribute(class.Methods[i].Attributes, classfile.AttrCode).Info)
	if err != nil {
		return nil, err
	}
	return bytecode.Decode(raw, class.Pool)
}

// An execution follows control through new code. It reads instructions and the meaning of counters, and nothing of how they were placed.
type execution struct {
	method *Method
	code   *bytecode.Code
	pool   *classfile.Pool
	base   uint32
	passes []placement.Vector // by instruction: what its completion adds to what is owed
	owed   []placement.Vector // by instruction
	known  []bool
	work   []int
}

func newExecution(m *Method, code *bytecode.Code, pool *classfile.Pool, base uint32) (*execution, error) {
	n := len(code.Insns)
	e := &execution{method: m, code: code, pool: pool, base: base, passes: make([]placement.Vector, n), owed: make([]placement.Vector, n), known: make([]bool, n)}
	allocations, _, err := findSites(code, pool)
	if err != nil {
		return nil, err
	}
	for _, a := range allocations {
		if m.Sites[a.first].Kind != Multi {
			e.passes[a.at] = placement.Vector{{Site: int32(a.first), N: -1}}
		}
	}
	for i, in := range code.Insns {
		if in.Op != bytecode.OpInvokestatic {
			continue
		}
		if class, method, _, err := pool.Ref(in.Pool()); err == nil && class == RuntimeName && method == "count" {
			if e.passes[i], err = e.semantics(i - 1); err != nil {
				return nil, err
			}
		}
	}
	return e, nil
}

// semantics is what the counter means whose number instruction i pushes.
func (e *execution) semantics(i int) (placement.Vector, error) {
	number, err := e.pool.Integer(e.code.Insns[i].Pool())
	if err != nil {
		return nil, err
	}
	for _, c := range e.method.Counters {
		if c.Number+e.base == uint32(number) {
			if c.Kind != Path || c.Semantics.IsZero() {
				return nil, fmt.Errorf("counter %d: kind %d, semantics %v", number, c.Kind, c.Semantics)
			}
			return c.Semantics, nil
		}
	}
	return nil, fmt.Errorf("counter %d belongs to another method", number)
}

// run starts at the entry, where nothing is owed.
func (e *execution) run() error {
	if err := e.arrive(0, nil); err != nil {
		return err
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
		if !e.owed[i].Equal(phi) {
			return fmt.Errorf("pc %d: %v is owed, on another way %v", e.code.PC(i), phi, e.owed[i])
		}
		return nil
	}
	e.known[i], e.owed[i] = true, phi
	e.work = append(e.work, i)
	if want := e.method.Owed(e.code.PC(i)); !want.Equal(phi) {
		return fmt.Errorf("pc %d: %v is owed, Owed says %v", e.code.PC(i), phi, want)
	}
	op := e.code.Insns[i].Op
	if ends := op.IsReturn() || op == bytecode.OpAthrow || op == bytecode.OpRet || op.IsSubroutineCall(); ends && !phi.IsZero() {
		return fmt.Errorf("pc %d: %v is owed at %s", e.code.PC(i), phi, op)
	}
	return nil
}

// leave completes instruction i, or has it throw: handlers are where nothing is owed, and so is where a subroutine returns to.
func (e *execution) leave(i int) error {
	if err := e.throw(i); err != nil {
		return err
	}
	if e.code.Insns[i].Op == bytecode.OpRet {
		for from, in := range e.code.Insns[:len(e.code.Insns)-1] {
			if in.Op.IsSubroutineCall() {
				if err := e.arrive(from+1, nil); err != nil {
					return err
				}
			}
		}
	}
	phi := e.owed[i].Add(e.passes[i])
	for to := range e.code.Targets(i) {
		if err := e.arrive(int(to), phi); err != nil {
			return err
		}
	}
	if op := e.code.Insns[i].Op; op.FallsThrough() && !op.IsSubroutineCall() {
		return e.arrive(i+1, phi)
	}
	return nil
}

// throw comes to all handlers of an instruction that can throw. The runtime class does not.
func (e *execution) throw(i int) error {
	in := e.code.Insns[i]
	if !in.CanThrow(e.pool) {
		return nil
	}
	if in.Op == bytecode.OpInvokestatic {
		if class, _, _, err := e.pool.Ref(in.Pool()); err == nil && class == RuntimeName {
			return nil
		}
	}
	for _, h := range e.code.Handlers {
		if int(h.Start) <= i && i < int(h.End) {
			if err := e.arrive(int(h.Target), nil); err != nil {
				return err
			}
		}
	}
	return nil
}
