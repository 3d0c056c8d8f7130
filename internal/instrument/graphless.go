package instrument

import (
	"slices"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// countedGraphless lists the allocations that are counted right behind themselves, as [placement.Site] has it, in a
// method that needs no graph for it; nil where it does. One kind of such methods has no allocations but those that
// have to be measured there anyway. The other has a single one, in code that never jumps backwards: what runs through
// such code runs through it once, so each allocation costs one increment wherever the counter is. φ is zero wherever
// an instruction starts.
func (b *body) countedGraphless() []allocations.Allocation {
	if s := b.rewriter.options.Placement; s != placement.Optimal && s != placement.Site ||
		b.rewriter.options.Placed != nil || b.countsChains() {
		return nil
	}
	var graphless []allocations.Allocation
	measured := 0
	for _, a := range b.allocations {
		if !a.OnPaths(b.sites) {
			continue
		}
		if a.CountedBehind(b.sites) {
			measured++
		}
		if a.At+1 == len(b.code.Insns) {
			return nil
		}
		graphless = append(graphless, a)
	}
	if n := len(graphless); n > 1 && measured < n || n == 1 && measured == 0 && b.jumpsBack() {
		return nil
	}
	return graphless
}

// jumpsBack reports whether control can go to an earlier instruction in another way than by a call or an exception.
// Handlers that stand before what they cover count as well, and so do subroutines, whose ret may lead anywhere.
func (b *body) jumpsBack() bool {
	for i, in := range b.code.Insns {
		back := false
		switch {
		case in.Op.IsSwitch():
			s := &b.code.Switches[in.Arg]
			back = int(s.Default) <= i || slices.ContainsFunc(s.Targets, func(l bytecode.Label) bool {
				return int(l) <= i
			})
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

// behind puts counters right behind allocations, or right in front of a chain's builder.
func (p *plan) behind(all []allocations.Allocation) error {
	for _, a := range all {
		adds := placement.Unit(a.First)
		if a.CountedBehind(p.method.Sites) {
			p.piggyback(a.At, adds)
			continue
		}
		number := p.emit.Take(1)
		p.method.Counters = append(p.method.Counters, Counter{Number: number, Kind: Path, Semantics: adds})
		code, stack, err := p.emit.Count(number)
		if err != nil {
			return err
		}
		if a.Builder == allocations.Chained {
			p.insert(a.At, bytecode.Always, nil, code, stack, adds)
		} else {
			p.insert(a.At+1, bytecode.FallThrough, nil, code, stack, adds)
		}
	}
	return nil
}

// phiTableGraphless is phiTable for such a method: φ is not zero from each of the allocations until the counter
// behind it has been passed.
func (p *plan) phiTableGraphless(r *bytecode.Rewritten, all []allocations.Allocation) []phiEntry {
	t := phiTable{plan: p, code: r, pending: p.layout()}
	t.absolute(0, nil)
	for _, a := range all {
		if a.Builder == allocations.Chained {
			adds := placement.Unit(a.First)
			t.skip(a.At)
			t.pass(a.At, []placement.Change{{At: a.At, Delta: adds}})
			t.skip(a.At + 1)
			t.pass(a.At+1, []placement.Change{{At: a.At + 1, Delta: placement.Vector(nil).Sub(adds)}})
			continue
		}
		t.skip(a.At + 1)
		t.pass(a.At+1, nil)
	}
	return t.entries
}

// skip passes the insertions before an instruction: hooks, and what measures multianewarray.
func (t *phiTable) skip(to int) {
	for t.next(len(t.plan.code.Insns)) < to {
		t.pending = t.pending[1:]
	}
}
