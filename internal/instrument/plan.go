package instrument

import (
	"cmp"
	"slices"

	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
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

	builders map[int]placement.Vector // by instruction: those that are there and not counted
	late     map[int]bool             // sites of builders that are counted where their chains end

	chains map[int]placement.Vector // by instruction that makes the builder of a chain: that alone, counted
}

// beginChain says that an instruction makes the builder of a chain, at a site.
func (p *plan) beginChain(at, site int) {
	if p.chains == nil {
		p.chains = map[int]placement.Vector{}
	}
	p.chains[at] = placement.Unit(site)
}

// throws reports whether an exception of an instruction where φ is not zero is corrected.
func (p *plan) throws(i int, phi *balance, pool *classfile.Pool) bool {
	if !p.code.Insns[i].CanThrow(pool) {
		return false
	}
	builder := p.chains[i]
	return builder == nil || !phi.vector().Equal(builder)
}

// piggyback says what an array made by instruction at adds to φ.
func (p *plan) piggyback(at int, adds placement.Vector) {
	if p.piggybacked == nil {
		p.piggybacked = map[int]placement.Vector{}
	}
	p.piggybacked[at] = adds
}

// insert puts code, which needs so many operand slots, where bytecode.Insertion has it.
func (p *plan) insert(at int, position bytecode.Position, from []int, code []bytecode.Instruction, stack int,
	adds placement.Vector) {
	p.insertions = append(p.insertions, bytecode.Insertion{At: at, Position: position, From: from, Code: code,
		Stack: p.emit.Slots(stack)})
	p.adds = append(p.adds, adds)
}

// addCounters gives counters numbers in a row.
func (p *plan) addCounters(counters ...Counter) {
	number := p.emit.Take(uint32(len(counters)))
	for i := range counters {
		counters[i].Number = number + uint32(i)
	}
	p.method.Counters = append(p.method.Counters, counters...)
}

// layout lists the insertions in the order in which their code stands.
func (p *plan) layout() []int32 {
	order := make([]int32, len(p.insertions))
	for k := range order {
		order[k] = int32(k)
	}
	rank := [...]int{bytecode.FallThrough: 0, bytecode.Taken: 1, bytecode.Always: 2}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &p.insertions[a], &p.insertions[b]
		return cmp.Or(cmp.Compare(x.At, y.At), cmp.Compare(rank[x.Position], rank[y.Position]), cmp.Compare(a, b))
	})
	return order
}
