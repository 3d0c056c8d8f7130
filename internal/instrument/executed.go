package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
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

// executedSite is the index of the site of bytecodes, -1 for none.
func (p *plan) executedSite() int32 {
	last := len(p.method.Sites) - 1
	if last >= 0 && p.method.Sites[last].Kind == allocations.Executed {
		return int32(last)
	}
	return -1
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

// reporting gives code that adds a vector to the counts, and before it what reports the bytecodes in it to the thread.
func (p *plan) reporting(adds placement.Vector, code []bytecode.Instruction) ([]bytecode.Instruction, error) {
	if n, site := len(adds), p.executedSite(); n > 0 && site >= 0 && adds[n-1].Site == site {
		return p.emit.ReportBytecodes(adds[n-1].N, code)
	}
	return code, nil
}
