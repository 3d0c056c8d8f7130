package instrument

import (
	"slices"

	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
)

// naming says how a method's transactions are named; nil where it is none.
func (w *rewriter) naming(m *classfile.Member) *Naming {
	if w.options.Transactions == nil || w.options.Hidden || w.options.Portable != "" || !w.wantsContext(m) {
		return nil
	}
	return w.options.Transactions(w.class, m)
}

// findBegins looks for what is a transaction by itself.
func (b *body) findBegins() error {
	b.begins = nil
	if b.naming == nil || !b.contexts {
		return nil
	}
	table := bytecode.NewLineTable(b.code)
	if !b.naming.Loops {
		b.begins = []begin{{Naming: b.naming, at: -1, line: table.Line(0)}}
		return nil
	}
	g, err := b.flowWith(nil)
	if err != nil {
		return err
	}
	for l := range g.Loops {
		if loop := &g.Loops[l]; loop.Depth == 1 && !loop.Irreducible {
			works := func(id cfg.BlockID) bool { return b.works(&g.Blocks[id]) }
			b.begins = append(b.begins, timesRound(g, cfg.LoopID(l), b.naming, works, table))
		}
	}
	return nil
}

// works reports whether a block calls or allocates something.
func (b *body) works(block *cfg.Block) bool {
	return slices.ContainsFunc(b.code.Insns[block.First:block.End], func(in bytecode.Instruction) bool {
		return in.Op.IsInvoke()
	}) || slices.ContainsFunc(b.allocations, func(a allocations.Allocation) bool {
		return a.At >= block.First && a.At < block.End
	})
}

// beginTransactions inserts what begins and ends transactions without a call in loops, and gives what does so at the
// entry, behind the code that enters.
func (p *plan) beginTransactions(b *body) ([]bytecode.Instruction, error) {
	var entry []bytecode.Instruction
	for k, x := range b.begins {
		code, err := p.emit.Begin(x.Naming, len(b.calls)+k)
		if err != nil {
			return nil, err
		}
		if x.at < 0 {
			entry = append(entry, code...)
			continue
		}
		over, err := p.emit.Over(true)
		if err != nil {
			return nil, err
		}
		drop, err := p.emit.Over(false)
		if err != nil {
			return nil, err
		}
		for _, d := range x.drops {
			p.insert(d.at, d.position, d.from, drop, emit.ContextStack, nil)
		}
		for _, at := range x.ends {
			p.insert(at, bytecode.Always, nil, over, emit.ContextStack, nil)
		}
		p.insert(x.at, bytecode.Always, nil, code, beginStack, nil)
	}
	return entry, nil
}
