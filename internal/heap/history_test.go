package heap

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// held prints what was in the heap, a line for each class in each place: "Point survivor 1: 3/72".
func held(h *History, moment int) (lines []string) {
	answer := h.Held(moment, Query{By: []By{ByClass, BySpace, ByAge}, Sort: profile.SortBytes})
	for _, r := range answer.Rows {
		lines = append(lines, fmt.Sprintf("%s %s %d: %d/%d", h.Name(r.Class), r.Space, r.Age, r.Objects, r.Bytes))
	}
	slices.Sort(lines)
	return lines
}

// changes prints what was born and died between a moment and the one before.
func changes(h *History, moment int) (lines []string) {
	answer := h.Diff(moment-1, moment, Query{By: []By{ByClass}})
	for _, r := range answer.Rows {
		if died := r.Died(); r.Born.Objects != 0 || died.Objects != 0 {
			lines = append(lines, fmt.Sprintf("%s +%d -%d", h.Name(r.Class), r.Born.Objects, died.Objects))
		}
	}
	slices.Sort(lines)
	return lines
}

type (
	spot = heaptest.Place
	ends = heaptest.Walk
)

// of is objects of one class.
func of(class string, objects, bytes uint64) heaptest.Row {
	return heaptest.Row{Class: class, Objects: objects, Bytes: bytes}
}

// inOld is a place in G1's old regions.
func inOld(region uint32) spot {
	return spot{Space: abi.HeapOld, Origin: abi.HeapMoved, Region: region}
}

// TestPauses: what each kind of pause leaves, and what has died in it.
func TestPauses(t *testing.T) {
	for _, test := range []struct {
		name    string
		make    func(e *heaptest.Events)
		held    [][]string // by pause
		changes [][]string
		lost    int64
		damaged int64
	}{
		{
			name: "young",
			make: func(e *heaptest.Events) {
				e.Born(of("A", 10, 160), of("B", 5, 120))
				e.Walk(ends{Collection: 0, Start: 1})
				e.Finish(2, abi.HeapYoung)
				e.Moved(1, of("A", 3, 48))
				e.Moved(0, of("B", 1, 24))
				e.Born(of("A", 7, 112))
				e.Walk(ends{Collection: 1, Start: 3})
				e.Finish(4, abi.HeapYoung)
				e.Moved(2, of("A", 2, 32))
				e.Walk(ends{Last: true, Start: 5})
			},
			held: [][]string{
				{"A survivor 1: 3/48", "B old -1: 1/24"}, {"A survivor 2: 2/32", "B old -1: 1/24"},
				{"A survivor 2: 2/32", "B old -1: 1/24"},
			},
			changes: [][]string{{"A +10 -7", "B +5 -4"}, {"A +7 -8"}, nil},
		},
		{
			name: "mixed, with regions that are free and used again",
			make: func(e *heaptest.Events) {
				e.Born(of("A", 10, 160))
				e.Walk(ends{})
				e.Finish(1, abi.HeapYoung)
				e.Rows(inOld(4), of("A", 4, 64), of("B", 1, 24))
				e.Rows(inOld(5), of("A", 3, 48))
				e.Born(of("A", 1, 16))
				e.Walk(ends{Collection: 1})
				e.Finish(2, abi.HeapYoung, 4)
				e.Rows(inOld(6), of("A", 2, 32))
				e.Rows(spot{Space: abi.HeapHumongous, Region: 4}, of("[J", 1, 4096))
				e.Walk(ends{Collection: 2})
				e.Finish(3, abi.HeapNothing, 4)
				e.Walk(ends{Last: true})
			},
			held: [][]string{
				{"A old -1: 7/112", "B old -1: 1/24"}, {"A old -1: 5/80"}, {"A old -1: 5/80"}, {"A old -1: 5/80"},
			},
			changes: [][]string{{"A +10 -3", "B +0 --1"}, {"A +1 -3", "B +0 -1"}, {"long[] +1 -1"}, nil},
		},
		{
			name: "full, with a humongous object that stays and one that does not",
			make: func(e *heaptest.Events) {
				e.Rows(spot{Space: abi.HeapHumongous, Region: 1}, of("[B", 1, 8000))
				e.Rows(spot{Space: abi.HeapHumongous, Region: 2}, of("[C", 1, 8000))
				e.Rows(spot{Space: abi.HeapOld}, of("[I", 2, 4000)) // Serial: too large for eden
				e.Rows(spot{Space: abi.HeapSurvivor}, of("A", 2, 32))
				e.Born(of("A", 10, 160))
				e.Walk(ends{})
				e.Finish(1, abi.HeapEverything, 2)
				e.Rows(inOld(0), of("A", 5, 80), of("[I", 1, 2000))
				e.Rows(spot{Space: abi.HeapEden, Origin: abi.HeapMoved}, of("A", 1, 16))
				e.Walk(ends{Last: true})
			},
			held: [][]string{
				{"A eden 0: 1/16", "A old -1: 5/80", "byte[] humongous -1: 1/8000", "int[] old -1: 1/2000"},
				{"A eden 0: 1/16", "A old -1: 5/80", "byte[] humongous -1: 1/8000", "int[] old -1: 1/2000"},
			},
			changes: [][]string{{"A +12 -6", "byte[] +1 -0", "char[] +1 -1", "int[] +2 -1"}, nil},
		},
		{
			name: "a pause that collects nothing",
			make: func(e *heaptest.Events) {
				e.Born(of("A", 10, 160))
				e.Walk(ends{})
				e.Finish(1, abi.HeapYoung)
				e.Moved(1, of("A", 4, 64))
				e.Born(of("A", 1, 16))
				e.Walk(ends{Collection: 1})
				e.Finish(2, abi.HeapNothing)
				e.Born(of("A", 2, 32))
				e.Walk(ends{Collection: 2})
				e.Finish(3, abi.HeapYoung)
				e.Moved(2, of("A", 3, 48))
				e.Moved(1, of("A", 1, 16))
				e.Walk(ends{Last: true})
			},
			held: [][]string{
				{"A survivor 1: 4/64"}, {"A eden 0: 1/16", "A survivor 1: 4/64"},
				{"A survivor 1: 1/16", "A survivor 2: 3/48"}, {"A survivor 1: 1/16", "A survivor 2: 3/48"},
			},
			changes: [][]string{{"A +10 -6"}, {"A +1 -0"}, {"A +2 -3"}, nil},
		},
		{
			name: "killed in a pause, and rows of a walk that has no end",
			make: func(e *heaptest.Events) {
				e.Born(of("A", 10, 160))
				e.Walk(ends{})
				e.Finish(1, abi.HeapYoung)
				e.Moved(1, of("A", 4, 64))
			},
			held:    [][]string{{"A eden 0: 10/160"}},
			changes: [][]string{{"A +10 -0"}},
		},
		{
			name: "rows that are lost",
			make: func(e *heaptest.Events) {
				e.Born(of("A", 10, 160))
				e.Walk(ends{Missed: 2})
				e.Finish(1, abi.HeapYoung)
				e.Walk(ends{Last: true})
			},
			held:    [][]string{nil, nil},
			changes: [][]string{{"A +10 -10"}, nil},
			lost:    2,
		},
		{
			name: "a finish that is lost",
			make: func(e *heaptest.Events) {
				e.Born(of("A", 10, 160))
				e.Walk(ends{})
				e.Moved(1, of("A", 4, 64))
				e.Walk(ends{Collection: 1})
				e.Walk(ends{Last: true})
			},
			held: [][]string{
				{"A survivor 1: 4/64"}, {"A survivor 1: 4/64"}, {"A survivor 1: 4/64"},
			},
			changes: [][]string{{"A +10 -6"}, nil, nil},
			lost:    2,
		},
		{
			name: "a walk that is lost, with the end of the pause before it",
			make: func(e *heaptest.Events) {
				e.Born(of("A", 10, 160))
				e.Walk(ends{})
				e.Skip()
				e.Moved(1, of("A", 4, 64))
				e.Walk(ends{Last: true})
			},
			held:    [][]string{{"A survivor 1: 4/64"}, {"A survivor 1: 4/64"}},
			changes: [][]string{{"A +10 -6"}, nil},
			lost:    2,
		},
		{
			name: "what was moved before the first walk was born before it",
			make: func(e *heaptest.Events) {
				e.Rows(inOld(1), of("A", 3, 48))
				e.Walk(ends{Last: true})
			},
			held:    [][]string{{"A old -1: 3/48"}},
			changes: [][]string{{"A +3 -0"}},
		},
		{
			name: "no number for a class, and memory that is no object",
			make: func(e *heaptest.Events) {
				data := make([]byte, abi.HeapRowsRows)
				e.Add(abi.EventHeapRows, append(data, 0, 2, 4, 77, 1, 2))
				e.Born(of("jdk/internal/vm/FillerObject", 1, 16), of("[Ljdk/internal/vm/FillerElement;", 1, 64))
				e.Walk(ends{Last: true, Missed: 1})
			},
			held:    [][]string{{"(other) eden 0: 3/48", "(unused) eden 0: 0/80"}},
			changes: [][]string{{"(other) +3 -0"}},
			lost:    1, // what would name class 77
		},
		{
			name: "nothing",
			make: func(e *heaptest.Events) { e.Finish(1, abi.HeapYoung) }, damaged: 1,
		},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			var e heaptest.Events
			test.make(&e)
			h := NewHistory(e.All())
			var heaps, changed [][]string
			lost := int64(0)
			for i, p := range h.Pauses {
				heaps, changed = append(heaps, held(h, i)), append(changed, changes(h, i))
				lost = p.Lost
			}
			if diff := cmp.Diff(test.held, heaps); diff != "" {
				t.Errorf("held: -want +got\n%s", diff)
			}
			if diff := cmp.Diff(test.changes, changed); diff != "" {
				t.Errorf("changes: -want +got\n%s", diff)
			}
			if lost != test.lost || h.Damaged != test.damaged {
				t.Errorf("%d lost, %d damaged, want %d and %d", lost, h.Damaged, test.lost, test.damaged)
			}
		})
	}
}

// TestMoments: which pause an instant is.
func TestMoments(t *testing.T) {
	var e heaptest.Events
	for i, collection := range []uint64{0, 1, 2, 2, None, 5} {
		e.Walk(ends{Collection: collection, Start: uint64(i) * 1e9})
		e.Finish(uint64(i)*1e9+1, abi.HeapYoung)
	}
	h := NewHistory(e.All())
	ask := func(i int, err error) string {
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(i)
	}
	for _, test := range []struct{ name, got, want string }{
		{"end", ask(h.End()), "5"},
		{"gc:0", ask(h.After(0)), "0"},
		{"the second pause of gc:2", ask(h.After(2)), "3"},
		{"gc:3", ask(h.After(3)), "no collection gc:3; there are gc:0 to gc:2"},
		{"no collection", ask(h.After(None)), "no collection gc:4294967295; there are gc:0 to gc:2"},
		{"gc:5", ask(h.After(5)),
			"the recording ends during gc:5, so the heap after it is unknown; end is the heap before it"},
		{"2s", ask(h.At(2 * time.Second)), "2"},
		{"2.5s", ask(h.At(2500 * time.Millisecond)), "2"},
		{"an hour", ask(h.At(time.Hour)), "5"},
		{"before", ask(h.At(-1)),
			"no collection began by -0.000 s; the first after which the heap is known began at 0.000 s"},
		{"nothing", ask(NewHistory(nil).End()), ErrNone.Error()},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got, test.want)
		}
	}
}
