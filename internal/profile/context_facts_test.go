package profile

import (
	"fmt"
	"math"
	"testing"
)

// TestConfused: hashes of 63 bits are alike with a probability of one in 2⁶³ for each pair of contexts in one thread,
// whatever other threads have.
func TestConfused(t *testing.T) {
	const totals = "ContextTotals Pairs=%d\n"
	for _, test := range []struct {
		track, totals string
		want          float64
	}{
		{`["sites" "contexts" "hashed"]`, fmt.Sprintf(totals, 1<<40), math.Ldexp(1, -23)},
		// the last holds
		{`["sites" "contexts" "hashed"]`, fmt.Sprintf(totals, 1<<40) + fmt.Sprintf(totals, 1<<41), math.Ldexp(1, -22)},
		{`["sites" "contexts" "hashed"]`, "", 0},
		{`["sites" "contexts" "tree"]`, fmt.Sprintf(totals, 1<<40), 0},
	} {
		p := fold(t, "Process Track="+test.track+"\nContexts Nodes=[1:0:1:-1:-1]\n"+test.totals)
		if got := p.ContextFacts().Confused; got != test.want {
			t.Errorf("%s, %s: %g, want %g", test.track, test.totals, got, test.want)
		}
	}
}
