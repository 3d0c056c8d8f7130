package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
	"mallard/internal/placement"
)

// hook calls a method of the runtime class first thing.
func (p *plan) hook(m emit.RuntimeMethod) error {
	code, stack, err := p.emit.Hook(m)
	if err == nil && len(code) > 0 {
		p.insert(0, bytecode.Always, nil, code, stack, nil)
	}
	return err
}

// unhook calls the counterpart of a hook, where it has one, before an object is returned.
func (p *plan) unhook(m emit.RuntimeMethod) error {
	code, err := p.emit.Unhook(m)
	if err != nil || code == nil {
		return err
	}
	for i, in := range p.code.Insns {
		if in.Op == bytecode.OpAreturn {
			p.insert(i, bytecode.Always, nil, code, 0, nil)
		}
	}
	return nil
}

// last calls a method of the runtime class before each return, and where it asks for that before each athrow.
func (p *plan) last(m emit.RuntimeMethod) error {
	if m == emit.None {
		return nil
	}
	call := func() ([]bytecode.Instruction, int, error) { return p.emit.Hook(m) }
	switch {
	case m == emit.Thrown && p.method.Context != nil:
		number := p.countersOfJVM()
		call = func() ([]bytecode.Instruction, int, error) { return p.emit.Raised(number) }
	case m == emit.Stopped:
		number := p.countersOfJVM()
		call = func() ([]bytecode.Instruction, int, error) { return p.emit.Stopped(number) }
	case m == emit.Attached:
		number := p.countersOfJVM()
		call = func() ([]bytecode.Instruction, int, error) { return p.emit.Attached(number) }
	}
	for i, in := range p.code.Insns {
		if in.Op.IsReturn() || in.Op == bytecode.OpAthrow && m.OnThrow() {
			code, stack, err := call()
			if err != nil {
				return err
			}
			p.insert(i, bytecode.Always, nil, code, stack, nil)
		}
	}
	return nil
}

// handedOver counts, first thing, what the JVM has made to call the method with.
func (p *plan) handedOver(m emit.RuntimeMethod) (err error) {
	var code []bytecode.Instruction
	var stack int
	switch m {
	case emit.Asked:
		code, stack, err = p.emit.Asked(p.countersOfJVM())
	case emit.Linked:
		code, stack, err = p.emit.Linked(p.countersOfJVM(), p.method.Name, p.method.Descriptor)
	}
	if err == nil && len(code) > 0 {
		p.insert(0, bytecode.Always, nil, code, stack, nil)
	}
	return err
}

// countFailed counts what is lost where making it fails. Its catcher comes behind those that are there.
func (p *plan) countFailed(b *body) error {
	f := b.failing
	if f == nil {
		return nil
	}
	first := p.emit.Counters()
	p.addCounters(Counter{Kind: Arrays, Semantics: placement.Unit(f.site), Site: f.site},
		Counter{Kind: Elements, Site: f.site}, Counter{Kind: Bytes, Site: f.site})
	code, stack, err := p.emit.Failed(first, f.local, f.constructs, f.concatenates)
	if err != nil {
		return err
	}
	var locals []bytecode.VerificationType
	if !f.concatenates { // its locals of two slots are one entry each
		if locals, err = b.entryLocals(p.emit.ClassConstant); err != nil {
			return err
		}
	}
	of, err := p.emit.ClassConstant(f.of)
	if err != nil {
		return err
	}
	for len(locals) <= int(f.local) {
		locals = append(locals, bytecode.VerificationType{Tag: bytecode.Top})
	}
	locals[f.local] = bytecode.VerificationType{Tag: bytecode.Object, Arg: int32(of)}
	catcher := bytecode.Catcher{Ranges: [][2]int{{f.from, f.end}}, Code: code,
		Stack: p.emit.Slots(stack), Locals: locals}
	p.catching, err = p.emit.Catching(append(p.catching.Catchers, catcher))
	return err
}

// tell has the method tell of names of classes that it asks class loaders for, and of call sites that it has made.
func (p *plan) tell(w *rewriter) error {
	for i, in := range p.code.Insns {
		call := w.allocations.Tells(in)
		if call == allocations.NoCall {
			continue
		}
		code, err := p.emit.Tell(call)
		if err != nil {
			return err
		}
		if call == allocations.NamesClass {
			p.insert(i, bytecode.Always, nil, code, 1, nil)
		} else {
			p.insert(i+1, bytecode.FallThrough, nil, code, 1, nil)
		}
	}
	return nil
}

// countersOfJVM takes the numbers of the counters of what the JVM makes around the method, three in a row for each
// site, and gives the first.
func (p *plan) countersOfJVM() (first uint32) {
	first = p.emit.Counters()
	for i := range p.method.Sites {
		if p.method.Sites[i].OfJVM() {
			p.addCounters(Counter{Kind: Arrays, Semantics: placement.Unit(i), Site: i},
				Counter{Kind: Elements, Site: i}, Counter{Kind: Bytes, Site: i})
		}
	}
	return first
}

// deferCounts has arrays counted by whoever called this method, and marks strings that have such.
func (p *plan) deferCounts(w *rewriter) error {
	for i, in := range p.code.Insns {
		deferral := w.allocations.Defers(p.method.Name, p.method.Descriptor, in)
		if deferral == allocations.NotDeferred {
			continue
		}
		code, err := p.emit.Defer(deferral)
		if err != nil {
			return err
		}
		p.insert(i+1, bytecode.FallThrough, nil, code, 1, nil)
	}
	return nil
}
