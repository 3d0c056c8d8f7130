package placement

import (
	"math/rand/v2"
	"testing"

	"mallard/internal/cfg"
)

// TestChanges: φ at the start of a block and the changes up to an instruction give what PhiAt gives, for every
// instruction.
func TestChanges(t *testing.T) {
	changes := 0
	for seed := range 500 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		pr := randomProblem(t, r, graphMix{blocks: 12})
		for _, strategy := range strategies {
			pl, err := Place(pr, strategy)
			if err != nil {
				t.Fatal(err)
			}
			for b := range pr.Graph.Blocks {
				all := pl.Changes(nil, cfg.BlockID(b))
				changes += len(all)
				phi := pl.Phi[b]
				for i := pr.Graph.Blocks[b].First; i < pr.Graph.Blocks[b].End; i++ {
					for len(all) > 0 && all[0].At == i {
						phi, all = phi.Add(all[0].Delta), all[1:]
					}
					if want := pl.PhiAt(cfg.BlockID(b), i); !phi.Equal(want) {
						t.Fatalf("seed %d, %v: φ of instruction %d in b%d is %v, by changes %v", seed, strategy, i, b,
							want, phi)
					}
				}
				if len(all) > 0 {
					t.Fatalf("seed %d, %v: changes %v at the end of b%d", seed, strategy, all, b)
				}
			}
		}
	}
	if changes < 1000 {
		t.Errorf("only %d changes", changes)
	}
}
