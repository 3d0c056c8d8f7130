package heap

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// latest answers in lines.
func latest(t *testing.T, h *History, q Query, byGrowth bool) (lines []string) {
	t.Helper()
	answer, err := h.Latest(q, byGrowth)
	if err != nil {
		return []string{err.Error()}
	}
	lines = []string{fmt.Sprintf("%d to %d, %d", answer.From, answer.To, answer.Count)}
	for _, r := range answer.Rows {
		lines = append(lines, fmt.Sprintf("%s %d %+d", h.Name(r.Class), r.After, r.Difference()))
	}
	return lines
}

// TestLatest: what is held behind a collection is known at the next one, in whatever a recording ends.
func TestLatest(t *testing.T) {
	var e heaptest.Events
	expect := func(q Query, byGrowth bool, want ...string) {
		t.Helper()
		q.By = []By{ByClass}
		if diff := cmp.Diff(want, latest(t, NewHistory(e.All()), q, byGrowth)); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	expect(Query{Sort: profile.SortBytes}, false, ErrNone.Error())
	e.Born(of("A", 100, 1600), of("B", 10, 3200), of("C", 1, 16))
	e.Walk(ends{Collection: 1, Start: 1e9})
	e.Finish(2e9, abi.HeapYoung)
	expect(Query{Sort: profile.SortBytes}, false, ErrNone.Error())
	e.Moved(1, of("A", 50, 800), of("B", 5, 1600))
	e.Born(of("C", 9, 144), of("B", 100, 32000))
	e.Walk(ends{Collection: 2, Start: 3e9})
	e.Finish(4e9, abi.HeapYoung)
	expect(Query{Sort: profile.SortBytes}, false, "-1 to 0, 2", "B {5 1600} {+5 +1600}", "A {50 800} {+50 +800}")
	e.Moved(2, of("A", 40, 640), of("B", 5, 1600))
	e.Moved(1, of("C", 9, 144), of("B", 2, 640))
	e.Walk(ends{Collection: 3, Start: 5e9})
	e.Finish(6e9, abi.HeapNothing) // a marking's pause, which frees nothing
	e.Moved(2, of("A", 40, 640), of("B", 5, 1600))
	e.Moved(1, of("C", 9, 144), of("B", 2, 640))
	e.Walk(ends{Start: 7e9, Last: true})
	expect(Query{Sort: profile.SortBytes}, false, "0 to 1, 3", "B {7 2240} {+2 +640}", "A {40 640} {-10 -160}",
		"C {9 144} {+9 +144}")
	expect(Query{Sort: profile.SortObjects, Top: 2}, false, "0 to 1, 3", "A {40 640} {-10 -160}",
		"C {9 144} {+9 +144}")
	expect(Query{Sort: profile.SortBytes}, true, "0 to 1, 2", "B {7 2240} {+2 +640}", "C {9 144} {+9 +144}")
	expect(Query{Sort: profile.SortObjects}, true, "0 to 1, 2", "C {9 144} {+9 +144}", "B {7 2240} {+2 +640}")
	expect(Query{Sort: profile.SortBytes, Class: "A"}, true, "0 to 1, 0")
}
