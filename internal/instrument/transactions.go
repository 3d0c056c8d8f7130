package instrument

import (
	"slices"

	"mallard/internal/abi"
	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
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

// transacts reports whether a method begins or ends transactions of the invocation.
func transacts(calls []callSite, begins []begin) bool {
	return len(begins) > 0 ||
		slices.ContainsFunc(calls, func(c callSite) bool { return c.transaction.OfInvocation() })
}

// transactionZeros lists the instructions of a method before which φ must be zero, because it goes on in another
// context.
func transactionZeros(calls []callSite, begins []begin) []int {
	var zeros []int
	for _, c := range calls {
		if c.transaction != emit.NoTransaction {
			zeros = append(zeros, c.at, c.at+1)
		}
	}
	for _, x := range begins {
		if x.at >= 0 {
			zeros = append(append(zeros, x.at), x.ends...)
		}
	}
	return zeros
}

// beginStack is how many operand slots code needs that begins a transaction.
const beginStack = 5

// noCall is what stands for a begin in the place of a call: it has no position, and stands behind all code.
func (x *begin) noCall(k int) Call {
	return Call{BCI: -1, PC: abi.ClassesPosition - classfile.MaxCodeBytes + k, Line: x.line}
}
