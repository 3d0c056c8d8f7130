package placement

import (
	"testing"

	"mallard/internal/cfg"
)

// BenchmarkSwitch is an interpreter's loop around a switch with very many cases,
// each with an allocation of its own in one of two arms.
func BenchmarkSwitch(b *testing.B) {
	const cases = 4000
	blocks := []cfg.Block{{First: 0, End: 1, Zero: true}, {First: 1, End: 3}}
	edges := []cfg.Edge{{From: 0, To: 1}}
	var allocs []Allocation
	at := 3
	block := func() cfg.BlockID {
		blocks = append(blocks, cfg.Block{First: at, End: at + 3})
		at += 3
		return cfg.BlockID(len(blocks) - 1)
	}
	for i := range cases {
		test, arm, end := block(), block(), block()
		allocs = append(allocs, Allocation{At: blocks[arm].First, Sites: Unit(i)})
		edges = append(edges,
			cfg.Edge{From: 1, To: test, Kind: cfg.Switch, Cases: 1},
			cfg.Edge{From: test, To: arm},
			cfg.Edge{From: test, To: end, Kind: cfg.Taken},
			cfg.Edge{From: arm, To: end},
			cfg.Edge{From: end, To: 1, Kind: cfg.Taken})
	}
	leave := block()
	blocks = append(blocks, cfg.Block{First: at, End: at, Zero: true})
	edges = append(edges,
		cfg.Edge{From: 1, To: leave, Kind: cfg.Switch, Cases: 1},
		cfg.Edge{From: leave, To: leave + 1, Kind: cfg.Return})
	g, err := cfg.New(blocks, edges, nil)
	if err != nil {
		b.Fatal(err)
	}
	p := make([]float64, len(edges))
	for i := range g.Blocks {
		for _, e := range g.Blocks[i].Out {
			p[e] = 1 / float64(len(g.Blocks[i].Out))
		}
	}
	g.Propagate(p)
	pr, err := NewProblem(g, allocs)
	if err != nil {
		b.Fatal(err)
	}
	for _, strategy := range strategies {
		b.Run(strategy.String(), func(b *testing.B) {
			for b.Loop() {
				if _, err := Place(pr, strategy); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
