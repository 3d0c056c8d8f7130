package instrument

import (
	"slices"

	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/instrument/emit"
	"mallard/internal/placement"
)

// Where contexts are hashed or encoded an invocation need not find out its context at once: what its caller has
// announced stands there until something else is announced. So it does where it first calls something or counts, and
// methods that mostly do neither cost nothing. Until then the variable is 0:
//
//	lconst_0
//	lstore N
//	...
//	ifeq L
//	ldc METHOD; ldc NODE
//	invokestatic java/lang/$MallardHash.begin (II)J
//	lstore N
//	... uses of the context
//	L: return                              without end where the context cannot have begun

// beginnings says where the context of an invocation begins.
type beginnings struct {
	graph *cfg.Graph
	at    []int  // instructions; none: at the entry
	after []bool // by block: control comes to it from one of those
}

// mostBeginnings is how many places a method may have where its context begins: each is twelve bytes of code.
const mostBeginnings = 2

// mostBlocks bounds the methods in which such places are looked for, which takes time.
const mostBlocks = 200

// beginnings finds where a method's context is to begin, when all of its counters are in the plan. Not behind a
// handler: what was announced last before something was thrown may have been announced by whoever threw it.
func (p *plan) beginnings(b *body) *beginnings {
	atEntry := &beginnings{}
	if !p.emit.Traits().BeginsLate || b.hook != emit.None || b.last != emit.None || b.carries ||
		transacts(b.calls, b.begins) {
		return atEntry
	}
	uses := p.uses(b)
	if len(uses) == 0 || !slices.ContainsFunc(p.code.Insns[:slices.Min(uses)], leaves) {
		return atEntry
	}
	g, err := b.flow()
	if err != nil || len(g.Blocks) > mostBlocks {
		return atEntry
	}
	used := make([]cfg.BlockID, len(uses))
	for i, at := range uses {
		used[i] = g.BlockAt(at)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	blocks := g.Cover(used)
	for i := 0; i < len(blocks) && blocks[0] != g.Entry(); i++ {
		if b.mayMiss(g, g.Blocks[blocks[i]].First, used) {
			blocks[i] = g.Blocks[blocks[i]].Idom
			blocks, i = g.Cover(blocks), -1
		}
	}
	if len(blocks) == 0 || len(blocks) > mostBeginnings || blocks[0] == g.Entry() || behindHandler(g, blocks) ||
		g.Inevitable(blocks) {
		return atEntry
	}
	late := &beginnings{graph: g, after: g.After(blocks)}
	for _, block := range blocks {
		late.at = append(late.at, g.Blocks[block].First)
		late.after[block] = true
	}
	return late
}

// leaves reports whether an instruction may lead elsewhere than to the next.
func leaves(in bytecode.Instruction) bool {
	return in.Op.IsBranch() || in.Op.IsSwitch() || !in.Op.FallsThrough()
}

// uses gives the instructions at which the context must have begun: where something is inserted, and in between what
// is allocated, for a correction may be between an allocation and the counter.
func (p *plan) uses(b *body) []int {
	var uses []int
	for _, c := range b.calls {
		uses = append(uses, c.at)
	}
	for _, a := range b.allocations {
		uses = append(uses, a.At)
	}
	for i := range p.insertions {
		in := &p.insertions[i]
		uses = append(append(uses, in.At), in.From...)
		if in.Position == bytecode.FallThrough && in.At > 0 {
			uses = append(uses, in.At-1)
		}
	}
	for _, c := range p.catching.Catchers {
		for _, r := range c.Ranges {
			for at := r[0]; at < r[1]; at++ {
				uses = append(uses, at)
			}
		}
	}
	return uses
}

// mayMiss reports whether control may come from an instruction to a handler that leads to a use, so that a context
// that begins there may not have: beginning can overflow the stack.
func (b *body) mayMiss(g *cfg.Graph, at int, used []cfg.BlockID) bool {
	return slices.ContainsFunc(b.code.Handlers, func(h bytecode.Handler) bool {
		if at < int(h.Start) || at >= int(h.End) {
			return false
		}
		handler := g.BlockAt(int(h.Target))
		after := g.After([]cfg.BlockID{handler})
		return slices.ContainsFunc(used, func(u cfg.BlockID) bool { return u == handler || after[u] })
	})
}

// behindHandler reports whether control may come to one of the blocks by way of a handler.
func behindHandler(g *cfg.Graph, blocks []cfg.BlockID) bool {
	var handlers []cfg.BlockID
	for b := range g.Blocks {
		if g.Blocks[b].Handler {
			handlers = append(handlers, cfg.BlockID(b))
		}
	}
	if len(handlers) == 0 {
		return false
	}
	after := g.After(handlers)
	return slices.ContainsFunc(blocks, func(b cfg.BlockID) bool { return after[b] || g.Blocks[b].Handler })
}

// mayHaveBegun reports whether the context may have begun when control comes to an instruction.
func (l *beginnings) mayHaveBegun(at int) bool {
	return l.graph == nil || l.after[l.graph.BlockAt(at)]
}

// begin puts the code that finds out the context where it begins, and gives what the method begins with.
func (p *plan) begin(l *beginnings, code []bytecode.Instruction) []bytecode.Instruction {
	store := p.emit.Store()
	code = append(code, store) // node →
	if len(l.at) == 0 {
		return code
	}
	first := make([]bytecode.Insertion, len(l.at), len(l.at)+len(p.insertions))
	for i, at := range l.at {
		first[i] = bytecode.Insertion{At: at, Position: bytecode.Always, Code: code, Stack: emit.ContextStack}
	}
	p.insertions = append(first, p.insertions...)
	p.adds = append(make([]placement.Vector, len(first)), p.adds...)
	return []bytecode.Instruction{bytecode.Insn(bytecode.OpLconst0), store}
}
