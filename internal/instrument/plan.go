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
	owing      []placement.Vector // per catcher: φ in its ranges

	prepaid map[int]placement.Vector // by instruction that allocates an array whose length is summed: what each array adds to φ
}

// prepay says what an array made by instruction at adds to φ.
func (p *plan) prepay(at int, adds placement.Vector) {
	if p.prepaid == nil {
		p.prepaid = map[int]placement.Vector{}
	}
	p.prepaid[at] = adds
}

func (p *plan) insert(at int, where bytecode.Where, from []int, code []bytecode.Instruction, stack int, adds placement.Vector) {
	p.insertions = append(p.insertions, bytecode.Insertion{At: at, Where: where, From: from, Code: code, Stack: stack})
	p.adds = append(p.adds, adds)
}

// hook calls a method of the runtime class first thing.
func (p *plan) hook(m runtimeMethod) error {
	var code []bytecode.Instruction
	switch m {
	case none:
		return nil
	case mount:
		code = []bytecode.Instruction{bytecode.LoadStore(bytecode.OpAload, 0)} // → this
	}
	invoke, err := p.calls.invoke(m) // ..., argument → ...
	if err != nil {
		return err
	}
	p.insert(0, bytecode.Always, nil, append(code, invoke), len(code), nil)
	return nil
}

// paths places the counters of all sites that paths can count.
func (p *plan) paths(g *cfg.Graph, allocations []allocation, strategy placement.Strategy) error {
	var onPaths []placement.Allocation
	for _, a := range allocations {
		if kind := p.method.Sites[a.first].Kind; kind != Multi {
			onPaths = append(onPaths, placement.Allocation{At: a.at, Sites: placement.Unit(a.first), Prepaid: kind == ArrayLen})
		}
	}
	problem, err := placement.NewProblem(g, onPaths)
	if err != nil {
		return err
	}
	placed, err := placement.Place(problem, strategy)
	if err != nil {
		return err
	}
	p.graph, p.placed = g, placed
	numbers := make([]uint32, len(placed.Counters))
	for i, c := range placed.Counters {
		if c.Prepaid {
			p.prepay(c.After, c.Semantics)
			continue
		}
		numbers[i] = p.calls.take(1)
		p.method.Counters = append(p.method.Counters, Counter{Number: numbers[i], Kind: Path, Semantics: c.Semantics})
	}
	for _, s := range placed.Spots() {
		c := &placed.Counters[s.Counter]
		if c.Prepaid {
			continue
		}
		code, stack, err := p.calls.count(numbers[s.Counter])
		if err != nil {
			return err
		}
		p.insert(s.At, bytecode.Where(s.Where), s.From, code, stack, c.Semantics)
	}
	return nil
}

// sums makes arrays add their lengths right after they were allocated, where a length differs from time to time and no path can stand for it. One
// update of a packed counter does it and counts the array; what that adds to φ has been chosen before. What multianewarray makes is counted here as
// well.
func (p *plan) sums(allocations []allocation) error {
	m := p.method
	for _, a := range allocations {
		site := &m.Sites[a.first]
		var code []bytecode.Instruction
		var stack int
		var err error
		switch site.Kind {
		case ArrayLen:
			number := p.calls.take(4)
			m.Counters = append(m.Counters, Counter{Number: number, Kind: Packed, Semantics: p.prepaid[a.at], Site: a.first},
				Counter{Number: number + 1, Kind: Arrays, Semantics: p.prepaid[a.at], Site: a.first},
				Counter{Number: number + 2, Kind: Elements, Site: a.first}, Counter{Number: number + 3, Kind: Bytes, Site: a.first})
			code, stack, err = p.calls.sum(number, site.Type)
		case Multi:
			number := p.calls.take(3 * uint32(a.levels))
			for l := range a.levels {
				n := number + 3*uint32(l)
				m.Counters = append(m.Counters, Counter{Number: n, Kind: Arrays, Semantics: placement.Unit(a.first + l), Site: a.first + l},
					Counter{Number: n + 1, Kind: Elements, Site: a.first + l}, Counter{Number: n + 2, Kind: Bytes, Site: a.first + l})
			}
			code, stack, err = p.calls.multi(number, site.Type, a.levels)
		default:
			continue
		}
		if err != nil {
			return err
		}
		p.insert(a.at+1, bytecode.FallThrough, nil, code, stack, p.prepaid[a.at])
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
