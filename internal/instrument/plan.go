package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/placement"
)

// plan collects what is inserted into one method.
type plan struct {
	code       *bytecode.Code
	calls      *calls
	method     *Method
	insertions []bytecode.Insertion
	adds       []placement.Vector // per insertion: what it adds to φ, nil for those that are not on paths
	graph      *cfg.Graph
	placed     *placement.Plan
	catching   bytecode.Catching
	catcherPhi []placement.Vector // per catcher: φ in its ranges

	piggybacked map[int]placement.Vector // by instruction that allocates an array whose length is summed: what each array adds to φ
}

// prepay says what an array made by instruction at adds to φ.
func (p *plan) piggyback(at int, adds placement.Vector) {
	if p.piggybacked == nil {
		p.piggybacked = map[int]placement.Vector{}
	}
	p.piggybacked[at] = adds
}

func (p *plan) insert(at int, where bytecode.Where, from []int, code []bytecode.Instruction, stack int, adds placement.Vector) {
	p.insertions = append(p.insertions, bytecode.Insertion{At: at, Where: where, From: from, Code: code, Stack: p.calls.room(stack)})
	p.adds = append(p.adds, adds)
}

// hook calls a method of the runtime class first thing.
func (p *plan) hook(m runtimeMethod) error {
	code, stack, err := p.calls.hook(m)
	if err == nil && len(code) > 0 {
		p.insert(0, bytecode.Always, nil, code, stack, nil)
	}
	return err
}

// last calls a method of the runtime class before each return.
func (p *plan) last(m runtimeMethod) error {
	if m == none {
		return nil
	}
	call := func() ([]bytecode.Instruction, int, error) { return p.calls.hook(m) }
	if m == thrown && p.calls.node != nil {
		number := p.raisedCounters()
		call = func() ([]bytecode.Instruction, int, error) { return p.calls.raised(number) }
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

// hook gives that call, and how much of the operand stack it needs.
func (c *calls) hook(m runtimeMethod) (code []bytecode.Instruction, stack int, err error) {
	switch m {
	case none:
		return nil, 0, nil
	case current:
		if c.node == nil {
			return nil, 0, nil // there is no context, which the value says already
		}
		node, err := c.pushNode()
		if err != nil {
			return nil, 0, err
		}
		code = append([]bytecode.Instruction{bytecode.Insn(bytecode.OpPop2)}, node...) // 0 → node
	case resumes:
		code = []bytecode.Instruction{bytecode.Insn(bytecode.OpDup)} // started → started, started
	case mount, terminated, thrown:
		code = []bytecode.Instruction{bytecode.LoadStore(bytecode.OpAload, 0)} // → this
	case hidden:
		code = []bytecode.Instruction{bytecode.LoadStore(bytecode.OpAload, 1), bytecode.LoadStore(bytecode.OpAload, hiddenBytes),
			bytecode.LoadStore(bytecode.OpIload, 7)} // → loader, bytes, flags
	}
	stack = len(code)
	invoke, err := c.invoke(m) // ..., arguments → ..., or bytes
	code = append(code, invoke)
	if m == hidden {
		code = append(code, bytecode.LoadStore(bytecode.OpAstore, hiddenBytes)) // bytes →
	}
	return code, stack, err
}

// unhook calls the counterpart of a hook, where it has one, before an object is returned.
func (p *plan) unhook(m runtimeMethod) error {
	if m != reflecting {
		return nil
	}
	invoke, err := p.calls.invoke(reflected)
	if err != nil {
		return err
	}
	for i, in := range p.code.Insns {
		if in.Op == bytecode.OpAreturn {
			p.insert(i, bytecode.Always, nil, []bytecode.Instruction{invoke}, 0, nil)
		}
	}
	return nil
}

// paths places the counters of all sites that paths can count.
func (p *plan) paths(b *body, f fallback) error {
	g := b.graph
	var onPaths []placement.Allocation
	for _, a := range b.allocations {
		if a.onPaths(p.method.Sites) {
			onPaths = append(onPaths, placement.Allocation{At: a.at, Sites: placement.Unit(a.first), Piggybacked: p.method.Sites[a.first].Kind == ArrayLen})
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
		numbers[i] = p.calls.take(1)
		p.method.Counters = append(p.method.Counters, Counter{Number: numbers[i], Kind: Path, Semantics: c.Semantics})
	}
	for _, s := range placed.Spots() {
		c := &placed.Counters[s.Counter]
		if c.Piggybacked {
			continue
		}
		code, stack, err := p.calls.count(numbers[s.Counter])
		if err != nil {
			return err
		}
		if code, err = p.told(c.Semantics, code); err != nil {
			return err
		}
		p.insert(s.At, bytecode.Where(s.Position), s.From, code, stack, c.Semantics)
	}
	return nil
}

// sums makes arrays add their lengths right after they were allocated, where a length differs from time to time and no path can stand for it. One
// update of a packed counter does it and counts the array; what that adds to φ has been chosen before. What multianewarray makes is counted here as
// well, and what calls make is as large as it turns out to be.
func (p *plan) sums(allocations []allocation) error {
	for _, a := range allocations {
		first := p.sumCounters(a)
		if first == p.calls.next {
			continue
		}
		site := &p.method.Sites[a.first]
		var code []bytecode.Instruction
		var stack int
		var err error
		switch {
		case a.made != noAllocatingCall:
			code, stack, err = p.calls.made(a.made, first, p.code.Insns[a.at])
		case site.Kind == Multi:
			code, stack, err = p.calls.multi(first, site.Type, a.levels)
		default:
			code, stack, err = p.calls.sum(first, site.Type)
		}
		if err != nil {
			return err
		}
		if code, err = p.told(p.piggybacked[a.at], code); err != nil {
			return err
		}
		p.insert(a.at+1, bytecode.FallThrough, nil, code, stack, p.piggybacked[a.at])
	}
	return nil
}

// sumCounters takes the numbers of the sums that an allocation's sites need, and gives the first.
func (p *plan) sumCounters(a allocation) (first uint32) {
	first = p.calls.next
	for site := a.first; site < a.first+a.levels; site++ {
		adds := placement.Unit(site) // what no path can count
		switch p.method.Sites[site].Kind {
		case ArrayLen:
			if site == a.first && a.onPaths(p.method.Sites) {
				adds = p.piggybacked[a.at]
			} else if a.made == takesStrings {
				adds = adds.Add(placement.Unit(site + 1))
			}
			p.addCounters(Counter{Kind: Packed, Semantics: adds, Site: site}, Counter{Kind: Arrays, Semantics: adds, Site: site},
				Counter{Kind: Elements, Site: site}, Counter{Kind: Bytes, Site: site})
		case Multi:
			p.addCounters(Counter{Kind: Arrays, Semantics: adds, Site: site}, Counter{Kind: Elements, Site: site}, Counter{Kind: Bytes, Site: site})
		case Called:
			p.addCounters(Counter{Kind: Elements, Site: site}, Counter{Kind: Bytes, Site: site})
		}
	}
	return first
}

// addCounters gives counters numbers in a row.
func (p *plan) addCounters(counters ...Counter) {
	number := p.calls.take(uint32(len(counters)))
	for i := range counters {
		counters[i].Number = number + uint32(i)
	}
	p.method.Counters = append(p.method.Counters, counters...)
}

// give announces arrays that are counted by whoever called this method.
func (p *plan) give(w *rewriter) error {
	for i, in := range p.code.Insns {
		if !w.gives(in) {
			continue
		}
		invoke, err := p.calls.invoke(give)
		if err != nil {
			return err
		}
		code := []bytecode.Instruction{bytecode.Insn(bytecode.OpDup), invoke} // ..., array, array → ..., array
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
