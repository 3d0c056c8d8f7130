package session

import "testing"

func TestPairs(t *testing.T) {
	c := &contexts{recorded: map[uint32]int{1: 0, 2: 1, 3: 4, 7: 10}}
	if got := c.pairs(); got != 6+45 {
		t.Errorf("%d pairs, want 51", got)
	}
}
