package contexts

import (
	"testing"

	"mallard/internal/counters"
)

func TestPairs(t *testing.T) {
	c := &Contexts{recorded: map[counters.Block]int{1: 0, 2: 1, 3: 4, 7: 10}}
	if got := c.pairs(); got != 6+45 {
		t.Errorf("%d pairs, want 51", got)
	}
}
