package placement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mallard/internal/cfg"
)

// letters makes a problem of a text such as
//
//	A-B:9 A-C:1 B-X:9 C-X:1
//
// with blocks A, B, ... in this order, X for the exit, and the frequency of each
// edge. Every block executes three instructions; in those named by allocating, the
// first one allocates at a site whose number is that of the block.
func letters(t testing.TB, text, allocating string) *Problem {
	t.Helper()
	out := map[byte]int{}
	last := byte('A')
	fields := strings.Fields(text)
	for _, f := range fields {
		out[f[0]]++
		last = max(last, f[0])
	}
	n := int(last - 'A' + 1)
	blocks := make([]cfg.Block, n+1)
	var allocs []Allocation
	for b := range n {
		blocks[b] = cfg.Block{First: 3 * b, End: 3*b + 3, Zero: b == 0}
		if strings.IndexByte(allocating, 'A'+byte(b)) >= 0 {
			allocs = append(allocs, Allocation{At: 3 * b, Sites: Unit(b)})
		}
	}
	blocks[n] = cfg.Block{First: 3 * n, End: 3 * n, Zero: true}
	blocks[0].Freq = 1
	var edges []cfg.Edge
	for _, f := range fields {
		e := cfg.Edge{From: cfg.BlockID(f[0] - 'A')}
		if _, err := fmt.Sscanf(f[4:], "%g", &e.Freq); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		switch {
		case f[2] == 'X':
			e.To, e.Kind = cfg.BlockID(n), cfg.Return
		default:
			e.To = cfg.BlockID(f[2] - 'A')
			switch {
			case e.To == e.From+1 && out[f[0]] <= 2:
				e.Kind = cfg.FallThrough
			case out[f[0]] <= 2:
				e.Kind = cfg.Taken
			default:
				e.Kind, e.Cases = cfg.Switch, 1
			}
			blocks[e.To].Freq += e.Freq
		}
		edges = append(edges, e)
	}
	g, err := cfg.New(blocks, edges, nil)
	if err != nil {
		t.Fatal(err)
	}
	pr, err := NewProblem(g, allocs)
	if err != nil {
		t.Fatal(err)
	}
	return pr
}

// pathsText writes paths as the paper draws them: blocks, with the branching block
// before and the joining block behind in parentheses.
func pathsText(g *cfg.Graph, paths []path) []string {
	name := func(b cfg.BlockID) string {
		if b == g.Exit() {
			return "X"
		}
		return string(rune('A' + b))
	}
	var texts []string
	for _, p := range paths {
		s := ""
		if p.branch != cfg.NoBlock {
			s = "(" + name(p.branch) + ")"
		}
		for _, b := range p.blocks {
			s += name(b)
		}
		if p.join != cfg.NoBlock {
			s += "(" + name(p.join) + ")"
		}
		texts = append(texts, s)
	}
	return texts
}

// edge finds the edge between two letters.
func edge(t testing.TB, g *cfg.Graph, from, to byte) cfg.EdgeID {
	t.Helper()
	target := cfg.BlockID(to - 'A')
	if to == 'X' {
		target = g.Exit()
	}
	i := slices.IndexFunc(g.Edges, func(e cfg.Edge) bool { return e.From == cfg.BlockID(from-'A') && e.To == target })
	if i < 0 {
		t.Fatalf("no edge %c-%c", from, to)
	}
	return cfg.EdgeID(i)
}

// semantics is what is counted on an edge.
func (pl *Plan) semantics(e cfg.EdgeID) Vector {
	if c := pl.onEdge[e]; c >= 0 {
		return pl.Counters[c].Semantics
	}
	return nil
}
