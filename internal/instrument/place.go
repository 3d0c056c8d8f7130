package instrument

import (
	"errors"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/placement"
)

// place makes the new body in one of the ways there are.
func (b *body) place(f fallback) ([]byte, *Method, error) {
	w := b.rewriter
	p := &plan{code: b.code, emit: w.code.Method(), method: &Method{Name: strings.Clone(b.name),
		Descriptor: strings.Clone(b.descriptor), Sites: b.sites}}
	if b.contexts {
		var err error
		x := &Context{Calls: make([]Call, b.slots())}
		if p.emit, x.Number, x.First, err = w.code.MethodInContext(b.code.MaxLocals, b.slots()); err != nil {
			return nil, nil, err
		}
		p.method.Context = x
	} else if err := p.hook(b.hook); err != nil {
		return nil, nil, err
	}
	if err := p.unhook(b.hook); err != nil {
		return nil, nil, err
	}
	if err := p.deferCounts(w); err != nil {
		return nil, nil, err
	}
	if err := p.count(b, f); err != nil {
		return nil, nil, err
	}
	if err := p.handedOver(b.hook); err != nil {
		return nil, nil, err
	}
	if err := p.countFailed(b); err != nil {
		return nil, nil, err
	}
	if err := p.tell(w); err != nil {
		return nil, nil, err
	}
	if err := p.tag(b); err != nil {
		return nil, nil, err
	}
	if err := p.watch(b); err != nil {
		return nil, nil, err
	}
	if err := p.last(b.last); err != nil {
		return nil, nil, err
	}
	prologue, err := p.probe(b)
	if err != nil {
		return nil, nil, err
	}
	if b.contexts {
		if err := p.countConstructions(b); err != nil {
			return nil, nil, err
		}
		if prologue, err = p.enter(b); err != nil {
			return nil, nil, err
		}
	}
	rewritten, err := b.code.RewriteEntering(p.insertions, p.catching, prologue)
	if err != nil {
		var tooLong *bytecode.LengthError
		if errors.As(err, &tooLong) {
			return nil, nil, &lengthError{tooLong.Length, classfile.MaxCodeBytes}
		}
		return nil, nil, err
	}
	if n := len(rewritten.Code.Bytecode); n > maxCompiled && len(b.raw.Bytecode) <= maxCompiled &&
		b.name != "<clinit>" && !(w.options.Huge && b.contexts) {
		return nil, nil, &lengthError{n, maxCompiled}
	}
	for k := range b.calls {
		p.method.Context.Calls[k].PC = rewritten.PC(b.calls[k].at)
	}
	if w.options.Placed != nil && p.placed != nil {
		w.options.Placed(p.method, p.placed)
	}
	if b.graphless != nil {
		p.method.phis = p.phiTableGraphless(rewritten, b.graphless)
	} else {
		p.method.phis = p.phiTable(rewritten)
	}
	p.method.shifts = shiftsOf(b.code, rewritten)
	p.method.codeFingerprint = bytecode.Fingerprint(rewritten.Code.Bytecode)
	p.method.Adaptable = b.graphless == nil && !b.bytecodes && f.strategy == placement.Optimal && !f.fewest &&
		p.placed.Problem().DependsOnFrequencies()
	start := len(w.infos)
	if w.infos, err = rewritten.Code.AppendTo(w.infos); err != nil {
		return nil, nil, err
	}
	return w.infos[start:len(w.infos):len(w.infos)], p.method, nil
}

// count puts the counters of all sites.
func (p *plan) count(b *body, f fallback) error {
	if b.graphless != nil {
		if err := p.behind(b.graphless); err != nil {
			return err
		}
		return p.sums(b.allocations)
	}
	if err := p.paths(b, f); err != nil {
		return err
	}
	if err := p.sums(b.allocations); err != nil {
		return err
	}
	if f.uncorrected || f.strategy == placement.Edges {
		p.method.Crosses = p.crosses(b.rewriter.class.Pool)
		return nil
	}
	return p.catch(b, f)
}
