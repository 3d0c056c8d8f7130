package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
	"mallard/internal/placement"
)

// plan collects what is inserted into one method.
type plan struct {
	code       *bytecode.Code
	emit       *emit.Method
	method     *Method
	insertions []bytecode.Insertion
	adds       []placement.Vector // per insertion: what it adds to φ, nil for those that are not on paths
	graph      *cfg.Graph
	placed     *placement.Plan
	catching   bytecode.Catching
	catcherPhi []placement.Vector // per catcher: φ in its ranges

	// by instruction that allocates an array whose length is summed: what each array adds to φ
	piggybacked map[int]placement.Vector
}

// prepay says what an array made by instruction at adds to φ.
func (p *plan) piggyback(at int, adds placement.Vector) {
	if p.piggybacked == nil {
		p.piggybacked = map[int]placement.Vector{}
	}
	p.piggybacked[at] = adds
}

func (p *plan) insert(at int, where bytecode.Where, from []int, code []bytecode.Instruction, stack int,
	adds placement.Vector) {
	p.insertions = append(p.insertions, bytecode.Insertion{At: at, Where: where, From: from, Code: code,
		Stack: p.emit.Slots(stack)})
	p.adds = append(p.adds, adds)
}

// hook calls a method of the runtime class first thing.
func (p *plan) hook(m emit.RuntimeMethod) error {
	code, stack, err := p.emit.Hook(m)
	if err == nil && len(code) > 0 {
		p.insert(0, bytecode.Always, nil, code, stack, nil)
	}
	return err
}

// last calls a method of the runtime class before each return.
func (p *plan) last(m emit.RuntimeMethod) error {
	if m == emit.None {
		return nil
	}
	call := func() ([]bytecode.Instruction, int, error) { return p.emit.Hook(m) }
	if m == emit.Thrown && p.method.Context != nil {
		number := p.raisedCounters()
		call = func() ([]bytecode.Instruction, int, error) { return p.emit.Raised(number) }
	}
	for i, in := range p.code.Insns {
		if in.Op.IsReturn() {
			code, stack, err := call()
			if err != nil {
				return err
			}
			p.insert(i, bytecode.Always, nil, code, stack, nil)
		}
	}
	return nil
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

// paths places the counters of all sites that paths can count.
func (p *plan) paths(b *body, f fallback) error {
	g := b.graph
	var onPaths []placement.Allocation
	for _, a := range b.allocations {
		if a.OnPaths(p.method.Sites) {
			onPaths = append(onPaths, placement.Allocation{At: a.At, Sites: placement.Unit(a.First),
				Piggybacked: p.method.Sites[a.First].Kind == allocations.ArrayLen})
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
	for _, s := range placed.Spots() {
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
		p.insert(s.At, bytecode.Where(s.Position), s.From, code, stack, c.Semantics)
	}
	return nil
}

// sums makes arrays add their lengths right after they were allocated, where a length differs from time to time and
// no path can stand for it. One update of a packed counter does it and counts the array; what that adds to φ has been
// chosen before. What multianewarray makes is counted here as well, and what calls make is as large as it turns out
// to be.
func (p *plan) sums(all []allocations.Allocation) error {
	for _, a := range all {
		first := p.sumCounters(a)
		if first == p.emit.Counters() {
			continue
		}
		site := &p.method.Sites[a.First]
		var code []bytecode.Instruction
		var stack int
		var err error
		switch {
		case a.Made != allocations.NoCall:
			code, stack, err = p.emit.Made(a.Made, first, p.code.Insns[a.At])
		case site.Kind == allocations.Multi:
			code, stack, err = p.emit.MultiArray(first, site.Type, a.Levels)
		default:
			code, stack, err = p.emit.Array(first, site.Type)
		}
		if err != nil {
			return err
		}
		if code, err = p.reporting(p.piggybacked[a.At], code); err != nil {
			return err
		}
		p.insert(a.At+1, bytecode.FallThrough, nil, code, stack, p.piggybacked[a.At])
	}
	return nil
}

// sumCounters takes the numbers of the sums that an allocation's sites need, and gives the first.
func (p *plan) sumCounters(a allocations.Allocation) (first uint32) {
	first = p.emit.Counters()
	for site := a.First; site < a.First+a.Levels; site++ {
		adds := placement.Unit(site) // what no path can count
		switch p.method.Sites[site].Kind {
		case allocations.ArrayLen:
			if site == a.First && a.OnPaths(p.method.Sites) {
				adds = p.piggybacked[a.At]
			} else if a.Made == allocations.TakesStrings {
				adds = adds.Add(placement.Unit(site + 1))
			}
			p.addCounters(Counter{Kind: Packed, Semantics: adds, Site: site},
				Counter{Kind: Arrays, Semantics: adds, Site: site},
				Counter{Kind: Elements, Site: site}, Counter{Kind: Bytes, Site: site})
		case allocations.Multi:
			p.addCounters(Counter{Kind: Arrays, Semantics: adds, Site: site}, Counter{Kind: Elements, Site: site},
				Counter{Kind: Bytes, Site: site})
		case allocations.Called:
			p.addCounters(Counter{Kind: Elements, Site: site}, Counter{Kind: Bytes, Site: site})
		}
	}
	return first
}

// addCounters gives counters numbers in a row.
func (p *plan) addCounters(counters ...Counter) {
	number := p.emit.Take(uint32(len(counters)))
	for i := range counters {
		counters[i].Number = number + uint32(i)
	}
	p.method.Counters = append(p.method.Counters, counters...)
}

// give announces arrays that are counted by whoever called this method.
func (p *plan) give(w *rewriter) error {
	for i, in := range p.code.Insns {
		if !w.allocations.Gives(in) {
			continue
		}
		code, err := p.emit.Give()
		if err != nil {
			return err
		}
		p.insert(i+1, bytecode.FallThrough, nil, code, 1, nil)
	}
	return nil
}

// crosses reports whether an instruction that can throw stands where φ is not zero.
func (p *plan) crosses(pool *classfile.Pool) bool {
	var changes []placement.Change
	var phi balance
	for b := range p.graph.Blocks[:p.graph.Exit()] {
		changes = p.placed.Changes(changes[:0], cfg.BlockID(b))
		if p.crossesIn(cfg.BlockID(b), changes, &phi, pool) {
			return true
		}
	}
	return false
}

// crossesIn reports whether an instruction of a block that can throw stands where φ is not zero. phi is scratch memory.
func (p *plan) crossesIn(b cfg.BlockID, changes []placement.Change, phi *balance, pool *classfile.Pool) bool {
	if p.placed.Phi[b].IsZero() && len(changes) == 0 {
		return false
	}
	phi.reset(len(p.method.Sites))
	phi.add(p.placed.Phi[b])
	for i := p.graph.Blocks[b].First; i < p.graph.Blocks[b].End; i++ {
		for ; len(changes) > 0 && changes[0].At == i; changes = changes[1:] {
			phi.add(changes[0].Delta)
		}
		if phi.terms > 0 && p.code.Insns[i].CanThrow(pool) {
			return true
		}
	}
	return false
}
