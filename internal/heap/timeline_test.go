package heap

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
)

// at gives what a course has at a point.
func (c *Course) at(point int) (now Change) {
	for _, change := range c.Changes {
		if change.Point > point {
			break
		}
		now = change
	}
	return now
}

// TestTimeline follows a small program.
func TestTimeline(t *testing.T) {
	h := NewHistory(heaptest.Demo().All())
	line := h.Timeline(Query{Top: 2})
	var points []string
	for _, p := range line.Points {
		points = append(points, fmt.Sprintf("%d %s %d %v", p.Pause, h.Pauses[p.Pause].Collected, p.Found, p.Kinds))
	}
	wantPoints := []string{
		"0 young 27440 [0 1 0 0]", "1 young 1099648 [0 1 0 0]", "2 full 14792 [0 0 0 1]", "3 nothing 2488 [1 0 0 0]",
		"4 nothing 2680 [1 0 0 0]",
	}
	if diff := cmp.Diff(wantPoints, points); diff != "" {
		t.Errorf("points: -want +got\n%s", diff)
	}
	var courses []string
	for _, c := range append(line.Courses, line.Others) {
		for _, change := range c.Changes {
			courses = append(courses, fmt.Sprintf("%s at %d: held %d %d, born %d %d", h.Name(c.Class), change.Point,
				change.Held.Objects, change.Held.Bytes, change.Born.Objects, change.Born.Bytes))
		}
	}
	wantCourses := []string{
		"demo.Point at 0: held 10 240, born 1000 24000",
		"demo.Point at 1: held 9 216, born 3000 72000",
		"demo.Point at 2: held 6 144, born 3500 84000",
		"demo.Point at 4: held 14 336, born 3508 84192",
		"demo.Entry at 1: held 50 1600, born 50 1600",
		"demo.Entry at 3: held 70 2240, born 70 2240",
		"(other) at 0: held 42 1168, born 110 3440", // byte[] was never held after a pause
		"(other) at 1: held 32 928, born 111 1052032",
		"(other) at 2: held 1 104, born 111 1052032",
	}
	if diff := cmp.Diff(wantCourses, courses); diff != "" {
		t.Errorf("courses: -want +got\n%s", diff)
	}
	if line.Classes != 5 || line.Left != 3 {
		t.Errorf("%d of %d classes left out", line.Left, line.Classes)
	}
}

// TestLongTimeline holds a timeline that is thinned out against what has changed between its points, class by class.
func TestLongTimeline(t *testing.T) {
	h := NewHistory(heaptest.Large(2500, 400, 30).All())
	line := h.Timeline(Query{Top: 50})
	last := len(line.Points) - 1
	if len(line.Points) > MostPoints || line.Points[last].Pause != len(h.Pauses)-1 || len(line.Courses) != 50 ||
		line.Left != line.Classes-50 {
		t.Fatalf("%d points, the last of pause %d of %d; %d courses, %d classes left of %d", len(line.Points),
			line.Points[last].Pause, len(h.Pauses), len(line.Courses), line.Left, line.Classes)
	}
	kinds := [PauseKinds]int64{}
	for _, p := range line.Points {
		for kind, n := range p.Kinds {
			kinds[kind] += n
		}
	}
	// the last one has Ended
	if want := [PauseKinds]int64{OtherPause: 1, YoungPause: 2498, FullPause: 1}; kinds != want {
		t.Errorf("kinds %v, want %v", kinds, want)
	}
	for _, span := range [][2]int{{0, last}, {100, 101}, {33, 700}} {
		diff := h.Diff(line.Points[span[0]].Pause, line.Points[span[1]].Pause, Query{By: []By{ByClass}})
		rows := map[Class]DiffAmounts{}
		rest := diff.Selected
		for _, row := range diff.Rows {
			rows[row.Class] = row.DiffAmounts
		}
		amounts := func(c *Course) DiffAmounts {
			from, to := c.at(span[0]), c.at(span[1])
			return DiffAmounts{Before: from.Held, After: to.Held, Born: to.Born.minus(from.Born)}
		}
		for _, c := range line.Courses {
			got := amounts(&c)
			if got != rows[c.Class] {
				t.Errorf("%v: %s has %v, want %v", span, h.Name(c.Class), got, rows[c.Class])
			}
			rest = DiffAmounts{rest.Before.minus(got.Before), rest.After.minus(got.After), rest.Born.minus(got.Born)}
		}
		if got := amounts(&line.Others); got != rest {
			t.Errorf("%v: others have %v, want %v", span, got, rest)
		}
	}
}

func TestRegions(t *testing.T) {
	h := NewHistory(heaptest.Demo().All())
	var got []string
	for _, moment := range []int{0, 1, 2} {
		for _, r := range h.Regions(moment) {
			got = append(got, fmt.Sprintf("%d: %d %s %v %d unused, %s %d", moment, r.Number, r.Space, r.Held, r.Unused,
				h.Name(r.Largest), r.Bytes))
		}
	}
	want := []string{
		"0: 3 old {2 208} 48 unused, int[] 208",
		"1: 3 old {2 208} 48 unused, int[] 208", "1: 4 old {4 96} 0 unused, demo.Point 96",
		"2: 5 old {57 1848} 0 unused, demo.Entry 1600",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestPauseKinds: a young collection that frees an old region is a mixed one.
func TestPauseKinds(t *testing.T) {
	var e heaptest.Events
	for i, pause := range []struct {
		collected uint64
		freed     []uint64
	}{{abi.HeapYoung, nil}, {abi.HeapYoung, []uint64{1}}, {abi.HeapNothing, []uint64{2}}, {abi.HeapEverything, nil}} {
		e.Rows(inOld(uint32(i)), of("Old", 1, 16))
		e.Born(of("Young", 1, 16))
		e.Walk(ends{Collection: uint64(i), Start: uint64(10 * i)})
		e.Finish(uint64(10*i+1), pause.collected, pause.freed...)
	}
	e.Walk(ends{Start: 50, Last: true})
	h := NewHistory(e.All())
	var got []PauseKind
	for i := range h.Pauses {
		got = append(got, h.Pauses[i].Kind())
	}
	want := []PauseKind{YoungPause, MixedPause, OtherPause, FullPause, OtherPause}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
