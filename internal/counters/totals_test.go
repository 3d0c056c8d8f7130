package counters

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/trace"
)

// TestTotals: totals are of the class that has a number now. Those of classes that come and go, each with numbers of
// its own, need no more memory than those that are there.
func TestTotals(t *testing.T) {
	const each = 100
	var totals Totals
	count := func(r Range, n int64) {
		var changes []change
		for c := r.First; c < r.End; c++ {
			changes = append(changes, change{counter: c, now: n})
		}
		totals.add(changes)
	}
	stays := Range{7, 9}
	totals.Define(stays, []Total{{Passed: 5}, {Adaptable: true}})
	for i := range 1000 {
		r := Range{trace.CounterID(pageNumbers + i*each), trace.CounterID(pageNumbers + (i+1)*each)}
		totals.Define(r, make([]Total, each))
		count(r, 3)
		totals.clear(r)
		count(r, 3) // nobody has them
		if diff := cmp.Diff(make([]Total, each), totals.Of(r)); diff != "" {
			t.Fatalf("-want +got\n%s", diff)
		}
	}
	count(stays, 4)
	again := Range{pageNumbers, pageNumbers + 1}
	totals.Define(again, []Total{{Passed: 1}})
	count(again, 2)
	if diff := cmp.Diff([]Total{{Passed: 9}, {Passed: 4, Adaptable: true}, {Passed: 3}},
		append(totals.Of(stays), totals.Of(again)...)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if sum := totals.Adaptable(stays); sum != 4 {
		t.Errorf("%d adaptable", sum)
	}
	pages := 0
	for _, p := range totals.pages {
		if p != nil {
			pages++
		}
	}
	if pages != 2 {
		t.Errorf("%d pages", pages)
	}
}
