package instrument

import (
	"slices"

	"mallard/internal/bytecode"
	"mallard/internal/placement"
)

// single finds the allocation of a method that needs no graph, nil elsewhere: the only one that paths can count, in code that never jumps backwards. What
// runs through such code runs through it once, so each allocation costs one increment wherever the counter is, and right behind the allocation,
// as [placement.Site] has it, φ is zero wherever an instruction starts.
func (b *body) single() *allocation {
	if s := b.rewriter.options.Placement; s != placement.Optimal && s != placement.Site || b.rewriter.options.Placed != nil {
		return nil
	}
	var only *allocation
	for i := range b.allocations {
		if a := &b.allocations[i]; b.sites[a.first].Kind != Multi {
			if only != nil {
				return nil
			}
			only = a
		}
	}
	if only == nil || only.at+1 == len(b.code.Insns) || b.jumpsBack() {
		return nil
	}
	return only
}

// jumpsBack reports whether control can go to an earlier instruction in another way than by a call or an exception. Handlers that stand before
// what they cover count as well, and so do subroutines, whose ret may lead anywhere.
func (b *body) jumpsBack() bool {
	for i, in := range b.code.Insns {
		back := false
		switch {
		case in.Op.IsSwitch():
			s := &b.code.Switches[in.Arg]
			back = int(s.Default) <= i || slices.ContainsFunc(s.Targets, func(l bytecode.Label) bool { return int(l) <= i })
		case in.Op == bytecode.OpJsr, in.Op == bytecode.OpJsrW:
			back = true
		case in.Op.IsBranch():
			back = int(in.Target()) <= i
		}
		if back {
			return true
		}
	}
	return slices.ContainsFunc(b.code.Handlers, func(h bytecode.Handler) bool { return h.Target < h.End })
}

// behind puts the counter of a method's only allocation right behind it.
func (p *plan) behind(a allocation) error {
	number := p.calls.take(1)
	adds := placement.Unit(a.first)
	p.method.Counters = append(p.method.Counters, Counter{Number: number, Kind: Path, Semantics: adds})
	code, stack, err := p.calls.count(number)
	if err != nil {
		return err
	}
	p.insert(a.at+1, bytecode.FallThrough, nil, code, stack, adds)
	return nil
}

// oweBehind is owe for such a method: something is owed from the allocation until the counter behind it has been passed.
func (p *plan) oweBehind(r *bytecode.Rewritten, a allocation) []owed {
	t := owedTable{plan: p, code: r, pending: p.layout()}
	for t.next(len(p.code.Insns)) < a.at+1 {
		t.pending = t.pending[1:] // a hook, or what sums up lengths elsewhere
	}
	t.absolute(0, nil)
	t.pass(a.at+1, nil)
	return t.entries
}
