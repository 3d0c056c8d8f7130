package placement

import (
	"testing"

	"mallard/internal/cfg"
)

// TestEdges: each edge has a counter of its own, in order, and together they are a correct plan.
func TestEdges(t *testing.T) {
	pr := letters(t, "A-B:9 A-C:1 B-D:9 C-D:1 D-X:10", "BD")
	pl, err := Place(pr, Edges)
	if err != nil {
		t.Fatal(err)
	}
	if len(pl.Counters) != len(pr.Graph.Edges) {
		t.Fatalf("%d counters on %d edges", len(pl.Counters), len(pr.Graph.Edges))
	}
	for e, c := range pl.Counters {
		if len(c.Edges) != 1 || c.Edges[0] != cfg.EdgeID(e) {
			t.Errorf("counter %d is on edges %v", e, c.Edges)
		}
	}
}
