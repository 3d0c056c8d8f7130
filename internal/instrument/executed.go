package instrument

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
	"mallard/internal/placement"
)

// Executed bytecodes are counted by the counters of paths: a path has so many of them, as it has allocations
// ([placement.Problem.CountInstructions]). They are one more site of the method, the last, of kind Executed. A
// bytecode counts from the moment on that control comes to it, so one that throws counts, and so does the call that
// has not returned. What is inserted does not count.
//
// A correction for an exception differs from instruction to instruction, so all of a method add to one counter:
//
//	sipush -3
//	ldc 7
//	invokestatic java/lang/$Mallard.executed (II)V

// wantsBytecodes reports whether the bytecodes of a method are counted. Those are left out that the runtime class
// calls, those that run while the current thread changes, and Object's, which HotSpot knows by their code. A
// finalize() that does nothing would become one that the VM calls.
func (w *rewriter) wantsBytecodes(method string, code []byte) bool {
	if !w.options.Bytecodes {
		return false
	}
	switch name := w.result.Name; {
	case name == "jdk/internal/misc/Unsafe", name == "java/lang/Object", name == "jdk/internal/vm/Continuation",
		strings.HasPrefix(name, emit.VirtualThreadClass):
		return false
	case method == "finalize" && len(code) == 1:
		return false
	}
	return true
}

// fallbacks lists what to try where a placement cannot be had: first without corrections of bytecodes, then without
// bytecodes.
func (b *body) fallbacks(asked placement.Strategy) []fallback {
	all := fallbacks(asked)
	if !b.bytecodes || all == nil {
		return all
	}
	list := []fallback{{strategy: asked, rough: true}, {strategy: asked, allocations: true}}
	for _, f := range all {
		f.allocations = true
		list = append(list, f)
	}
	return list
}

// executedSite is the index of the site of bytecodes, -1 for none.
func (p *plan) executedSite() int32 {
	last := len(p.method.Sites) - 1
	if last >= 0 && p.method.Sites[last].Kind == allocations.Executed {
		return int32(last)
	}
	return -1
}

// Next is the bytecode at which an invocation stands that calls nothing, as a vector over Sites: control has come to
// it in Phi, and it has not begun. HotSpot's interpreter stands at the next one already while it waits in a
// monitorenter.
func (m *Method) Next() placement.Vector {
	if last := len(m.Sites) - 1; last >= 0 && m.Sites[last].Kind == allocations.Executed {
		return placement.Unit(last)
	}
	return nil
}

// steps makes instructions count, if they are to.
func (p *plan) steps(b *body, f fallback, problem *placement.Problem) error {
	site := p.executedSite()
	if site < 0 {
		return nil
	}
	if f.allocations {
		p.method.Sites = p.method.Sites[:site:site]
		return nil
	}
	if f.rough {
		p.method.Sites[site].Length = 1
	}
	if err := problem.CountInstructions(int(site)); err != nil {
		return &catchError{err}
	}
	if !problem.EntersLoop() {
		return nil
	}
	number := p.emit.Take(1)
	one := placement.Unit(int(site))
	p.method.Counters = append(p.method.Counters, Counter{Number: number, Kind: Path, Semantics: one})
	code, stack, err := p.emit.Count(number)
	if err != nil {
		return err
	}
	if code, err = p.emit.ReportBytecodes(1, code); err != nil {
		return err
	}
	// Who enters is at the first instruction as good as who comes back to it, and has counted it; the table of φ
	// begins there.
	p.insert(0, bytecode.FallThrough, nil, code, stack, nil)
	return nil
}

// split takes φ apart: allocations, and bytecodes, the last term.
func (c *corrections) split(phi placement.Vector) (sites, bytecodes placement.Vector) {
	if n := len(phi); n > 0 && phi[n-1].Site == c.executed {
		return phi[: n-1 : n-1], phi[n-1:]
	}
	return phi, nil
}

// corrected is the part of a vector that exceptions are corrected for.
func (c *corrections) corrected(phi placement.Vector) placement.Vector {
	if c.rough {
		phi, _ = c.split(phi)
	}
	return phi
}

// addBytecodes gives the code that adds to the method's counter of bytecodes.
func (c *corrections) addBytecodes(n int32) ([]bytecode.Instruction, int, error) {
	emitted, method := c.plan.emit, c.plan.method
	if c.sum == 0 {
		number := emitted.Take(1)
		method.Counters = append(method.Counters,
			Counter{Number: number, Kind: Sum, Semantics: placement.Unit(int(c.executed))})
		c.sum = number + 1
	}
	return emitted.AddBytecodes(n, c.sum-1)
}

// reporting gives code that adds a vector to the counts, and before it what reports the bytecodes in it to the thread.
func (p *plan) reporting(adds placement.Vector, code []bytecode.Instruction) ([]bytecode.Instruction, error) {
	if n, site := len(adds), p.executedSite(); n > 0 && site >= 0 && adds[n-1].Site == site {
		return p.emit.ReportBytecodes(adds[n-1].N, code)
	}
	return code, nil
}
