package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// paths places the counters of all sites that paths can count.
func (p *plan) paths(b *body, f fallback) error {
	g := b.graph
	var onPaths []placement.Allocation
	for _, a := range b.allocations {
		if a.OnPaths(p.method.Sites) {
			if a.Builder == allocations.Chained {
				if f.ends && p.countAtEnds(g, a) {
					continue
				}
				p.beginChain(a.At, a.First)
			}
			onPaths = append(onPaths, placement.Allocation{At: a.At, Sites: placement.Unit(a.First),
				Ahead:       a.Builder == allocations.Chained,
				Piggybacked: a.CountedBehind(p.method.Sites)})
		}
	}
	problem, err := placement.NewProblem(g, onPaths)
	if err != nil {
		return err
	}
	if err := p.steps(b, f, problem); err != nil {
		return err
	}
	placed, err := placement.Place(problem, f.strategy)
	if err != nil {
		return err
	}
	p.graph, p.placed = g, placed
	numbers := make([]uint32, len(placed.Counters))
	for i, c := range placed.Counters {
		if c.Piggybacked {
			p.piggyback(c.After, c.Semantics)
			continue
		}
		numbers[i] = p.emit.Take(1)
		p.method.Counters = append(p.method.Counters, Counter{Number: numbers[i], Kind: Path, Semantics: c.Semantics})
	}
	for _, s := range placed.InsertionPoints() {
		c := &placed.Counters[s.Counter]
		if c.Piggybacked {
			continue
		}
		code, stack, err := p.emit.Count(numbers[s.Counter])
		if err != nil {
			return err
		}
		if code, err = p.reporting(c.Semantics, code); err != nil {
			return err
		}
		p.insert(s.At, bytecode.Position(s.Position), s.From, code, stack, c.Semantics)
	}
	return nil
}

// crosses reports whether an instruction that can throw stands where φ is not zero.
func (p *plan) crosses(pool *classfile.Pool) bool {
	var changes []placement.Change
	var phi balance
	for b := range p.graph.Blocks[:p.graph.Exit()] {
		changes = p.changes(changes[:0], cfg.BlockID(b))
		if p.crossesIn(cfg.BlockID(b), changes, &phi, pool) {
			return true
		}
	}
	return false
}

// crossesIn reports whether an instruction of a block that can throw stands where φ is not zero. phi is scratch memory.
func (p *plan) crossesIn(b cfg.BlockID, changes []placement.Change, phi *balance, pool *classfile.Pool) bool {
	if p.startPhi(b).IsZero() && len(changes) == 0 {
		return false
	}
	phi.reset(len(p.method.Sites))
	phi.add(p.startPhi(b))
	for i := p.graph.Blocks[b].First; i < p.graph.Blocks[b].End; i++ {
		for ; len(changes) > 0 && changes[0].At == i; changes = changes[1:] {
			phi.add(changes[0].Delta)
		}
		if phi.terms > 0 && p.throws(i, phi, pool) {
			return true
		}
	}
	return false
}
