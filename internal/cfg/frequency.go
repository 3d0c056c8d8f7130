package cfg

import "math"

const (
	// exceptional is the share of a covered block's executions that are taken to
	// end in each of its handlers. It is not subtracted from the normal flow.
	exceptional = 0.001
	// maxCyclic bounds the probability of coming back to a loop's header, so that
	// a loop without exits has a finite frequency: 1000 iterations.
	maxCyclic = 0.999
	// maxLoopVisits bounds the sum of the edges in loops, inner ones counted again
	// in outer ones. Beyond it all loops have the probability guessedCyclic.
	maxLoopVisits = 1 << 18
	guessedCyclic = 0.88
	// maxSweeps bounds the iteration that brings flow into irreducible loops.
	maxSweeps = 64
)

// Propagate sets the frequencies of blocks and edges from the probability of each
// edge, given that its source is executed. The method is that of Wu and Larus,
// "Static Branch Frequency and Program Profile Analysis":
//
//  1. For every loop, inner before outer, push one execution of the header
//     through the loop's body; what comes back is the loop's cyclic probability.
//  2. Push one execution of the entry through the method; a header's frequency is
//     what enters, divided by one minus its cyclic probability.
//  3. Irreducible loops get flow by edges that step 2 has not seen yet: repeat
//     with frequencies of the last round until they settle.
//
// What flows into a block then flows out of it, but for handlers, where a small
// share of the blocks they cover appears, and for loops that never end.
func (g *Graph) Propagate(probability []float64) {
	p := &propagation{g: g, probability: probability, freq: make([]float64, len(g.Blocks)),
		cyclic: make([]float64, len(g.Loops))}
	p.exceptionsInto()
	p.within = make([]LoopID, len(g.Blocks))
	p.position = make([]int32, len(g.Blocks))
	for i, b := range g.rpo {
		p.position[b] = int32(i)
	}
	irreducible := p.loops()
	p.push(g.rpo, NoLoop)
	if irreducible {
		p.settle()
	}
	for b := range g.Blocks {
		g.Blocks[b].Freq = p.freq[b]
	}
	for e := range g.Edges {
		g.Edges[e].Freq = p.freq[g.Edges[e].From] * probability[e]
	}
}

type propagation struct {
	g           *Graph
	probability []float64
	position    []int32     // position in reverse post-order
	covering    [][]BlockID // per handler: the blocks it covers; nil without handlers
	freq        []float64
	cyclic      []float64 // per loop
	within      []LoopID  // the last loop, inner before outer, that was pushed through a block
}

func (p *propagation) exceptionsInto() {
	if len(p.g.Exceptions) == 0 {
		return
	}
	p.covering = make([][]BlockID, len(p.g.Blocks))
	for _, x := range p.g.Exceptions {
		if x.From != x.To {
			p.covering[x.To] = append(p.covering[x.To], x.From)
		}
	}
}

// loops computes the cyclic probabilities, and reports whether there is an
// irreducible loop.
func (p *propagation) loops() (irreducible bool) {
	g := p.g
	if len(g.Loops) == 0 {
		return false
	}
	bodies := make([][]BlockID, len(g.Loops)) // in reverse post-order
	visits := 0
	for _, b := range g.rpo {
		for l := g.Blocks[b].Loop; l != NoLoop && visits < maxLoopVisits; l = g.Loops[l].Parent {
			bodies[l] = append(bodies[l], b)
			visits += 1 + len(g.Blocks[b].In)
			if p.covering != nil {
				visits += len(p.covering[b])
			}
		}
	}
	for l := len(g.Loops) - 1; l >= 0; l-- {
		irreducible = irreducible || g.Loops[l].Irreducible
		if visits >= maxLoopVisits {
			p.cyclic[l] = guessedCyclic
			continue
		}
		p.push(bodies[l], LoopID(l))
		p.cyclic[l] = min(p.into(g.Loops[l].Header, LoopID(l), true), maxCyclic)
	}
	return irreducible
}

// push sends one execution of the header of loop l, or of the entry, forward
// through the blocks given in reverse post-order.
func (p *propagation) push(blocks []BlockID, l LoopID) {
	start := p.g.Entry()
	if l != NoLoop {
		start = p.g.Loops[l].Header
	}
	for _, b := range blocks {
		p.freq[b] = 0
		p.within[b] = l
	}
	for _, b := range blocks {
		f := 1.0
		if b != start {
			f = p.into(b, l, false)
		}
		if inner, ok := p.g.IsHeader(b); ok && inner != l {
			f /= 1 - p.cyclic[inner]
		}
		p.freq[b] = f
	}
}

// into is what flows into block b from the blocks of loop l: along edges that go
// back in reverse post-order, or along those that go forward.
func (p *propagation) into(b BlockID, l LoopID, back bool) float64 {
	g := p.g
	f := 0.0
	for _, e := range g.Blocks[b].In {
		if from := g.Edges[e].From; (p.position[from] >= p.position[b]) == back && p.within[from] == l {
			f += p.freq[from] * p.probability[e]
		}
	}
	if p.covering != nil {
		for _, from := range p.covering[b] {
			if (p.position[from] >= p.position[b]) == back && p.within[from] == l {
				f += p.freq[from] * exceptional
			}
		}
	}
	return f
}

// settle repeats step 2 with all edges until frequencies change no more.
func (p *propagation) settle() {
	for range maxSweeps {
		change := 0.0
		for _, b := range p.g.rpo {
			f := p.into(b, NoLoop, false) + p.into(b, NoLoop, true)
			if b == p.g.Entry() {
				f++
			}
			change = math.Max(change, math.Abs(f-p.freq[b])/math.Max(f, 1))
			p.freq[b] = f
		}
		if change < 1e-9 {
			return
		}
	}
}
