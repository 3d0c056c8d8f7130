package view

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"mallard/internal/profile"
)

// TestCollectionsOf: of many collections none is lost, and the longest pauses are told.
func TestCollectionsOf(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, mostCollections, mostCollections + 1, 3*mostCollections - 1, 10 * mostCollections} {
		table := &profile.EventTable{Columns: []profile.EventColumn{{Name: "pause"}, {Name: "kind"}}}
		for i := range n {
			row := profile.EventRow{At: time.Duration(i) * time.Second, Values: []any{nil, "cycle"}}
			if i%3 > 0 {
				row.Values = []any{time.Duration(random.IntN(1e9)), "young"}
			}
			table.Rows = append(table.Rows, row)
		}
		list := collectionsOf(table)
		if len(list) > mostCollections || n <= mostCollections && len(list) != n {
			t.Errorf("%d of %d collections", len(list), n)
		}
		next := 0
		for i, c := range list {
			rows := table.Rows[next:min(next+c.Count, n)]
			paused, most, at := 0.0, time.Duration(-1), 0.0
			for _, row := range rows {
				pause, _ := row.Values[0].(time.Duration)
				paused += pause.Seconds()
				if pause > most {
					most, at = pause, row.At.Seconds()
				}
			}
			if math.Abs(c.Paused-paused) > 1e-9 || c.At != at || c.Pause != most.Seconds() {
				t.Fatalf("%d of %d: %+v, want %v and %v at %v", i, n, c, paused, most, at)
			}
			next += c.Count
		}
		if next != n {
			t.Errorf("%d of %d are told", next, n)
		}
	}
}
