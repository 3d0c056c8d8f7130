package cfg

import "mallard/internal/bytecode"

// Probabilities that a branch goes as a heuristic predicts. Names and, where it
// has them, values are those of Ball and Larus, "Branch Prediction for Free", as
// measured by Wu and Larus; javac's code has its own shapes, noted where used.
const (
	loopBranch = 0.88 // stays in the loop, at the loop's test
	loopExit   = 0.80 // stays in the loop, elsewhere
	pointer    = 0.60 // references are not null, and differ
	opcode     = 0.84 // numbers are not negative, and differ
	returns    = 0.72 // the side that does not return at once
	cold       = 0.999
)

// probabilities estimates for each edge how likely it is when its source runs.
func probabilities(g *Graph, code *bytecode.Code) []float64 {
	h := &heuristics{g: g, code: code, p: make([]float64, len(g.Edges)), cold: coldBlocks(g)}
	for b := range g.Blocks {
		out := g.Blocks[b].Out
		switch {
		case len(out) == 0:
		case g.Edges[out[0]].Kind == Ret:
			for _, e := range out {
				h.p[e] = 1 / float64(len(out))
			}
		case len(out) == 1:
			h.p[out[0]] = 1
		case len(out) == 2:
			h.twoWay(BlockID(b), out[0], out[1])
		default:
			h.manyWay(BlockID(b), out)
		}
	}
	return h.p
}

type heuristics struct {
	g    *Graph
	code *bytecode.Code
	p    []float64
	cold []bool
}

// coldBlocks finds the blocks from which control can only go to an athrow.
func coldBlocks(g *Graph) []bool {
	c := make([]bool, len(g.Blocks))
	for i := len(g.rpo) - 1; i >= 0; i-- {
		b := g.rpo[i]
		out := g.Blocks[b].Out
		c[b] = len(out) > 0
		for _, e := range out {
			if g.Edges[e].Kind != Throw && !c[g.Edges[e].To] {
				c[b] = false
			}
		}
	}
	return c
}

// twoWay splits one execution of b between two edges. Predictions that apply
// together are combined as independent evidence (Dempster-Shafer).
func (h *heuristics) twoWay(b BlockID, fall, taken EdgeID) {
	g := h.g
	f, t := g.Edges[fall].To, g.Edges[taken].To
	if h.cold[f] != h.cold[t] {
		h.p[taken] = choose(h.cold[f], cold)
		h.p[fall] = 1 - h.p[taken]
		return
	}
	p := 0.5 // that the branch is taken
	combine := func(q float64) { p = p * q / (p*q + (1-p)*(1-q)) }

	if l := g.Blocks[b].Loop; l != NoLoop {
		if stayF, stayT := g.InLoop(f, l), g.InLoop(t, l); stayF != stayT {
			q := loopExit
			if g.Loops[l].Header == b || g.IsBackEdge(fall) || g.IsBackEdge(taken) {
				q = loopBranch
			}
			combine(choose(stayT, q))
		}
	}
	if rf, rt := h.returnsAtOnce(f), h.returnsAtOnce(t); rf != rt {
		combine(choose(rf, returns))
	}
	if q := h.operator(g.Blocks[b].End - 1); q != 0.5 {
		combine(q)
	}
	h.p[taken], h.p[fall] = p, 1-p
}

// choose is q if the taken side is the predicted one, else what remains.
func choose(taken bool, q float64) float64 {
	if taken {
		return q
	}
	return 1 - q
}

// returnsAtOnce reports whether block b, to which only one edge leads, returns. A
// block where several ways meet is where all of them end up, and predicts nothing.
func (h *heuristics) returnsAtOnce(b BlockID) bool {
	blk := &h.g.Blocks[b]
	return len(blk.In) == 1 && len(blk.Out) == 1 && h.g.Edges[blk.Out[0]].Kind == Return
}

// operator predicts by what the conditional branch i compares: the probability
// that it is taken, one half if that says nothing. An ifeq or ifne mostly tests a
// boolean, which does; after a comparison of long, float or double it is that
// comparison's operator.
func (h *heuristics) operator(i int) float64 {
	switch h.code.Insns[i].Op {
	case bytecode.OpIfnull, bytecode.OpIfAcmpeq:
		return 1 - pointer
	case bytecode.OpIfnonnull, bytecode.OpIfAcmpne:
		return pointer
	case bytecode.OpIflt, bytecode.OpIfle, bytecode.OpIfIcmpeq:
		return 1 - opcode
	case bytecode.OpIfge, bytecode.OpIfgt, bytecode.OpIfIcmpne:
		return opcode
	case bytecode.OpIfeq, bytecode.OpIfne:
		if i == 0 || !comparesWide(h.code.Insns[i-1].Op) {
			return 0.5
		}
		return choose(h.code.Insns[i].Op == bytecode.OpIfne, opcode)
	}
	return 0.5
}

func comparesWide(op bytecode.Opcode) bool {
	return op >= bytecode.OpLcmp && op <= bytecode.OpDcmpg
}

// manyWay splits one execution of a switch evenly among its targets, however many
// cases each has, but for targets that end in a throw and those that leave a loop.
func (h *heuristics) manyWay(b BlockID, out []EdgeID) {
	g := h.g
	total := 0.0
	for _, e := range out {
		t := g.Edges[e].To
		w := 1.0
		switch l := g.Blocks[b].Loop; {
		case h.cold[t]:
			w = 1 - cold
		case l != NoLoop && !g.InLoop(t, l):
			w = 1 - loopExit
		}
		h.p[e] = w
		total += w
	}
	for _, e := range out {
		h.p[e] /= total
	}
}
