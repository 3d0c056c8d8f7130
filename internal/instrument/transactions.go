package instrument

import (
	"slices"

	"mallard/internal/abi"
	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
)

// A begin is where a transaction begins without a call: each invocation of a method is one, or each time round of a
// loop.
type begin struct {
	*Naming
	at    int        // the instruction that it begins before; -1: at the entry
	ends  []int      // instructions before which what the invocation has begun ends
	drops []edgeCode // where it ends and was none: the loop's condition did not hold
	line  int
}

// An edgeCode is where code stands that runs on an edge, as [bytecode.Insertion] has it.
type edgeCode struct {
	at       int
	position bytecode.Position
	from     []int
}

// onEdge gives the place of code on an edge.
func onEdge(g *cfg.Graph, e cfg.EdgeID) edgeCode {
	at := g.Blocks[g.Edges[e].To].First
	if g.Edges[e].Kind == cfg.FallThrough {
		return edgeCode{at, bytecode.FallThrough, nil}
	}
	return edgeCode{at, bytecode.Taken, []int{g.Branch(e)}}
}

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

// timesRound finds where the times round of a loop begin, at its header, and end: there, and behind the loop.
func timesRound(g *cfg.Graph, l cfg.LoopID, n *Naming, work func(cfg.BlockID) bool, table *bytecode.LineTable) begin {
	header := g.Loops[l].Header
	first := g.Blocks[header].First
	x := begin{at: first, ends: []int{first}, line: table.Line(first)}
	condition := hasCondition(g, l, work)
	for e := range g.Edges {
		from, to := g.Edges[e].From, g.Edges[e].To
		if !g.InLoop(from, l) || g.InLoop(to, l) || to == g.Exit() {
			continue
		}
		x.ends = append(x.ends, g.Blocks[to].First)
		if from == header && condition {
			x.drops = append(x.drops, onEdge(g, cfg.EdgeID(e)))
		}
	}
	for _, e := range g.Exceptions {
		if g.InLoop(e.From, l) && !g.InLoop(e.To, l) {
			x.ends = append(x.ends, g.Blocks[e.To].First)
		}
	}
	slices.Sort(x.ends)
	x.ends = slices.Compact(x.ends)
	x.Naming = n.At(x.line)
	return x
}

// hasCondition reports whether a loop looks at its header whether to go round once more: it does something elsewhere,
// and comes back without a condition.
func hasCondition(g *cfg.Graph, l cfg.LoopID, work func(cfg.BlockID) bool) bool {
	header, works := g.Loops[l].Header, false
	for b := range g.Blocks[:g.Exit()] {
		id := cfg.BlockID(b)
		works = works || id != header && g.InLoop(id, l) && work(id)
	}
	for _, e := range g.Blocks[header].In {
		if g.IsBackEdge(e) && len(g.Blocks[g.Edges[e].From].Out) > 1 {
			return false
		}
	}
	return works
}

// works reports whether a block calls or allocates something.
func (b *body) works(block *cfg.Block) bool {
	return slices.ContainsFunc(b.code.Insns[block.First:block.End], func(in bytecode.Instruction) bool {
		return in.Op.IsInvoke()
	}) || slices.ContainsFunc(b.allocations, func(a allocations.Allocation) bool {
		return a.At >= block.First && a.At < block.End
	})
}

// transacts reports whether a method begins or ends transactions of the invocation.
func (b *body) transacts() bool {
	return len(b.begins) > 0 ||
		slices.ContainsFunc(b.calls, func(c callSite) bool { return c.transaction.OfInvocation() })
}

// transactionZeros lists the instructions of a method before which φ must be zero, because it goes on in another
// context.
func (b *body) transactionZeros() []int {
	var zeros []int
	for _, c := range b.calls {
		if c.transaction != emit.NoTransaction {
			zeros = append(zeros, c.at, c.at+1)
		}
	}
	for _, x := range b.begins {
		if x.at >= 0 {
			zeros = append(append(zeros, x.at), x.ends...)
		}
	}
	return zeros
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

// beginStack is how many operand slots code needs that begins a transaction.
const beginStack = 5

// noCall is what stands for a begin in the place of a call: it has no position, and stands behind all code.
func (x *begin) noCall(k int) Call {
	return Call{BCI: -1, PC: abi.ClassesPosition - classfile.MaxCodeBytes + k, Line: x.line}
}
