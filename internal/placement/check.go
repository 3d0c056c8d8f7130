package placement

import (
	"errors"
	"fmt"
	"math"

	"mallard/internal/cfg"
)

// Check reports the first way in which pl breaks the contract of the package
// comment for pr. It reads only the exported fields of the plan.
func Check(pr *Problem, pl *Plan) error {
	g := pr.Graph
	if len(pl.Phi) != len(g.Blocks) {
		return fmt.Errorf("placement: φ for %d blocks of %d", len(pl.Phi), len(g.Blocks))
	}
	for b, phi := range pl.Phi {
		switch {
		case !phi.canonical():
			return fmt.Errorf("placement: φ of %s is not in canonical form: %v", g.Name(cfg.BlockID(b)), phi)
		case g.Blocks[b].Zero && !phi.IsZero():
			return fmt.Errorf("placement: φ of %s is %v and must be zero", g.Name(cfg.BlockID(b)), phi)
		}
	}
	onEdge := make([]Vector, len(g.Edges))
	inside := make([][]Term, len(g.Blocks))
	cost := 0.0
	for i := range pl.Counters {
		c := &pl.Counters[i]
		if !c.Piggybacked {
			cost += c.Freq
		} else if !pr.piggybacked(c) {
			return fmt.Errorf("placement: counter %d is piggybacked, and there is no update to add it to", i)
		}
		if c.Semantics.IsZero() && pl.Strategy != Edges {
			return fmt.Errorf("placement: counter %d adds nothing", i)
		}
		if err := checkCounter(g, c, onEdge, inside); err != nil {
			return fmt.Errorf("placement: counter %d %v: %w", i, c.Semantics, err)
		}
	}
	if math.Abs(cost-pl.Cost) > 1e-9*math.Max(cost, 1) {
		return fmt.Errorf("placement: cost %v, its counters sum to %v", pl.Cost, cost)
	}
	ends := make([]Vector, len(g.Blocks))
	for b := range ends {
		ends[b] = pl.Phi[b].Sub(pr.allocated(cfg.BlockID(b))).Add(sum(inside[b]))
	}
	for e := range g.Edges {
		from, to := g.Edges[e].From, g.Edges[e].To
		end := ends[from]
		if got := end.Add(onEdge[e]); !got.Equal(pl.Phi[to]) {
			return fmt.Errorf("placement: %s has φ %v at its end and %v on the edge to %s, which needs %v",
				g.Name(from), end, onEdge[e], g.Name(to), pl.Phi[to])
		}
	}
	return nil
}

// checkCounter checks c by itself and adds its semantics to where it is passed.
func checkCounter(g *cfg.Graph, c *Counter, onEdge []Vector, inside [][]Term) error {
	if !c.Semantics.canonical() {
		return errors.New("not in canonical form")
	}
	freq := 0.0
	if len(c.Edges) == 0 {
		b := g.BlockAt(c.After)
		if c.After < 0 || b >= g.Exit() {
			return fmt.Errorf("after instruction %d, which is in no block", c.After)
		}
		blk := &g.Blocks[b]
		if c.passed() == blk.End && (len(blk.Out) != 1 || g.Edges[blk.Out[0]].Kind != cfg.FallThrough) {
			return fmt.Errorf("after instruction %d, which control may leave by a jump", c.After)
		}
		inside[b] = append(inside[b], c.Semantics...)
		freq = blk.Freq
	}
	to := cfg.NoBlock
	for _, e := range c.Edges {
		edge := &g.Edges[e]
		switch {
		case !edge.Kind.Placeable():
			return fmt.Errorf("on a %v edge", edge.Kind)
		case to != cfg.NoBlock && edge.To != to:
			return errors.New("on edges into two blocks")
		case !onEdge[e].IsZero():
			return errors.New("on an edge with two counters")
		}
		to = edge.To
		onEdge[e] = c.Semantics
		freq += edge.Freq
	}
	if len(c.Edges) > 1 && (len(c.Edges) != len(g.Blocks[to].In) || to == g.Entry() || to == g.Exit() ||
		g.Blocks[to].Handler) {
		return fmt.Errorf("one place before %s does not serve just its edges", g.Name(to))
	}
	if math.Abs(freq-c.Freq) > 1e-9*math.Max(freq, 1) {
		return fmt.Errorf("frequency %v, where it is passed it is %v", c.Freq, freq)
	}
	return nil
}
