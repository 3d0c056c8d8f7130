package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mallard/internal/heap/single"
)

// TestLargest: the rows that are asked for are the first ones of all, and others are not kept.
func TestLargest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []single.Object
	for i := range 5 * someRows {
		all = append(all, single.Object{Words: 2 + random.Uint32N(100), Address: uint64(8 * random.IntN(1000)),
			Order: uint32(i + 1)})
	}
	for _, top := range []int{0, 1, 100, someRows, 6 * someRows} {
		rows := largest{top: top}
		for i := range all {
			if rows.add(&all[i]); top > 0 && len(rows.rows) > top+someRows {
				t.Fatalf("%d rows for %d", len(rows.rows), top)
			}
		}
		rows.rank()
		want := slices.Clone(all)
		slices.SortFunc(want, compareObjects)
		if top > 0 {
			want = want[:min(top, len(want))]
		}
		if !slices.Equal(rows.rows, want) {
			t.Errorf("the first %d are others", top)
		}
	}
}
