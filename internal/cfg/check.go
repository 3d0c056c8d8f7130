package cfg

import (
	"errors"
	"fmt"
)

// Check reports the first thing that is wrong with the graph: block ranges that
// overlap or leave gaps, edges that do not fit their kind, links that do not
// match, forced zeros that are missing, frequencies that are no numbers.
func (g *Graph) Check() error {
	if err := g.checkEnds(); err != nil {
		return err
	}
	for b := range g.Blocks {
		if err := g.checkBlock(BlockID(b)); err != nil {
			return fmt.Errorf("cfg: block b%d: %w", b, err)
		}
	}
	for i, x := range g.Exceptions {
		if !g.Blocks[x.To].Handler {
			return fmt.Errorf("cfg: exception edge b%d -> b%d leads to no handler", x.From, x.To)
		}
		if i > 0 {
			if p := g.Exceptions[i-1]; p.From > x.From || p.From == x.From && p.To >= x.To {
				return fmt.Errorf("cfg: exception edge b%d -> b%d out of order", x.From, x.To)
			}
		}
	}
	return nil
}

// checkEnds checks what everything else stands on: that there are blocks and
// that edges lead from one to another.
func (g *Graph) checkEnds() error {
	n := BlockID(len(g.Blocks))
	if n < 2 {
		return errors.New("cfg: a graph has an entry and an exit")
	}
	for i, e := range g.Edges {
		if e.From < 0 || e.From >= n || e.To < 0 || e.To >= n {
			return fmt.Errorf("cfg: edge %d: b%d -> b%d: no such block", i, e.From, e.To)
		}
	}
	for _, x := range g.Exceptions {
		if x.From < 0 || x.From >= n || x.To < 0 || x.To >= n {
			return fmt.Errorf("cfg: exception edge b%d -> b%d: no such block", x.From, x.To)
		}
	}
	return nil
}

func (g *Graph) checkBlock(b BlockID) error {
	blk := &g.Blocks[b]
	exit := b == g.Exit()
	switch {
	case !exit && blk.First >= blk.End:
		return fmt.Errorf("empty range [%d,%d)", blk.First, blk.End)
	case exit && (blk.First != blk.End || len(blk.Out) > 0 || blk.Handler):
		return errors.New("the exit has instructions, successors or handles exceptions")
	case b > 0 && blk.First != g.Blocks[b-1].End:
		return fmt.Errorf("starts at %d, the block before ends at %d", blk.First, g.Blocks[b-1].End)
	case (exit || b == g.Entry() || blk.Handler) && !blk.Zero:
		return errors.New("entry, exit and handlers are forced zeros")
	case !g.Reachable(b) && len(blk.Out) > 0:
		return errors.New("unreachable, and has edges")
	case !(blk.Freq >= 0):
		return fmt.Errorf("frequency %v", blk.Freq)
	}
	falls := 0
	for i, id := range blk.Out {
		e := &g.Edges[id]
		if e.From != b {
			return fmt.Errorf("edge %d is among its successors", id)
		}
		if e.Kind == FallThrough {
			falls++
		}
		if err := g.checkEdge(e, blk); err != nil {
			return fmt.Errorf("edge to b%d: %w", e.To, err)
		}
		for _, other := range blk.Out[:i] {
			if o := &g.Edges[other]; o.To == e.To && o.Kind == e.Kind {
				return fmt.Errorf("two %v edges to b%d", e.Kind, e.To)
			}
		}
	}
	if falls > 1 {
		return errors.New("two fall-through edges")
	}
	for _, id := range blk.In {
		if g.Edges[id].To != b {
			return fmt.Errorf("edge %d is among its predecessors", id)
		}
	}
	return nil
}

func (g *Graph) checkEdge(e *Edge, from *Block) error {
	switch e.Kind {
	case FallThrough:
		if e.To != e.From+1 || e.To == g.Exit() {
			return errors.New("fall-through to another block than the next")
		}
	case Return, Throw:
		if e.To != g.Exit() || len(from.Out) != 1 {
			return fmt.Errorf("a %v edge is its block's only one and leads to the exit", e.Kind)
		}
	case Taken, Switch, Ret:
		if e.To == g.Exit() {
			return fmt.Errorf("%v edge to the exit", e.Kind)
		}
	default:
		return fmt.Errorf("unknown %v", e.Kind)
	}
	if !e.Kind.Placeable() && !from.Zero {
		return fmt.Errorf("%v from a block that is no forced zero", e.Kind)
	}
	if e.Kind == Ret && !g.Blocks[e.To].Zero {
		return errors.New("ret to a block that is no forced zero")
	}
	if !(e.Freq >= 0) {
		return fmt.Errorf("frequency %v", e.Freq)
	}
	return nil
}
