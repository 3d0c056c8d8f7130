package placement

import (
	"errors"
	"math/rand/v2"
	"testing"

	"mallard/internal/cfg"
)

// TestStepWalks is TestWalks where instructions count as well, and TestChanges.
func TestStepWalks(t *testing.T) {
	const graphs = 4000
	walked := 0
	for seed := range graphs {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		pr := randomProblem(t, r, graphMix{blocks: 4 + r.IntN(12), conserved: seed%2 == 0})
		if err := pr.CountInstructions(50); errors.Is(err, errEntered) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		walked++
		for _, strategy := range strategies {
			pl, err := Place(pr, strategy)
			if err != nil {
				t.Fatalf("seed %d: %v\n%v", seed, err, pr.Graph)
			}
			w := newWalker(pr, pl, pl.InsertionPoints())
			for range 4 {
				if err := w.run(r, 60); err != nil {
					t.Fatalf("seed %d, %v: %v\n%v%v", seed, strategy, err, pr.Graph, pl)
				}
			}
			for b := range pr.Graph.Blocks {
				all, phi := pl.Changes(nil, cfg.BlockID(b)), pl.Phi[b]
				for i := pr.Graph.Blocks[b].First; i < pr.Graph.Blocks[b].End; i++ {
					for ; len(all) > 0 && all[0].At == i; all = all[1:] {
						phi = phi.Add(all[0].Delta)
					}
					if want := pl.PhiAt(cfg.BlockID(b), i); pr.Graph.Reachable(cfg.BlockID(b)) && !phi.Equal(want) {
						t.Fatalf("seed %d, %v: φ of instruction %d in b%d is %v, by changes %v", seed, strategy, i, b,
							want, phi)
					}
				}
			}
		}
	}
	if walked < graphs/10 {
		t.Errorf("only %d graphs of %d", walked, graphs)
	}
}
