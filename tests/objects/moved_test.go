package objects_test

import (
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestMoved holds what lived through each collection against what there is behind it, and finds who has made it.
func TestMoved(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Keeps")
				command.Options = append([]string{"-XX:+Use" + collector + "GC"}, small...)
				command.Args = []string{"static", "1000", "5", "100000"}
				history, p, _ := recordedBoth(t, jdk, command)
				h := history.BySites(p.Tagged)
				checkHeap(t, jdk, h)
				checkMoved(t, h)
				at, err := h.Dearest()
				if err != nil {
					t.Fatal(err)
				}
				if p := &h.Pauses[at]; moved(t, h, at, "").Total.All().Objects == 0 {
					t.Errorf("nothing lived through gc:%d, which took %v", p.Collection, p.Stopped())
				}
			})
		}
	})
}

// checkMoved looks at all collections.
func checkMoved(t *testing.T, h *heap.History) {
	t.Helper()
	collections, full, kept := h.Collections(heap.Query{}).Rows, 0, 0
	for at := range h.Pauses {
		p := &h.Pauses[at]
		if p.Ended || p.Collected == heap.Nothing || p.Collected != heap.Everything && at%4 != 0 && !jvmtest.Long() {
			continue // each of them is replayed from the start
		}
		answer := moved(t, h, at, "")
		if answer.Total.Survived != collections[at].Survived || answer.Total.Promoted != collections[at].Promoted {
			t.Errorf("gc:%d: %+v, want %+v", p.Collection, answer.Total, collections[at])
		}
		if p.Collected == heap.Everything {
			full++
			left := heap.Amount{}
			for _, row := range h.Held(at, heap.Query{By: []heap.By{heap.BySpace}}).Rows {
				if row.Space != heap.Humongous {
					left = heap.Sum(left, row.Amount)
				}
			}
			if answer.Total.All() != left {
				t.Errorf("gc:%d: %+v lived through it, %+v are left", p.Collection, answer.Total, left)
			}
		}
		rows := moved(t, h, at, "Keeps$Registered").Rows
		if len(rows) == 1 && h.Site(rows[0].Class) != nil && h.Site(rows[0].Class).Method == "register" {
			kept++
		}
	}
	if full < 5 || kept < 10 {
		t.Errorf("%d full collections, objects of the site that keeps them lived through %d of %d", full, kept,
			len(collections))
	}
}

func moved(t *testing.T, h *heap.History, at int, class string) *heap.Moved {
	t.Helper()
	answer, err := h.Moved(at, heap.Query{By: []heap.By{heap.BySite}, Class: class})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
