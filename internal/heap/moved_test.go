package heap

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
)

// TestMoved: what lived through a young collection, a full one, and what others of its kind took.
func TestMoved(t *testing.T) {
	type row struct {
		class                   string
		survived, promoted, old int64 // bytes
	}
	h := NewHistory(heaptest.Demo().All())
	for _, test := range []struct {
		at   int
		want []row
	}{
		{0, []row{{"java.lang.String", 960, 0, 0}, {"demo.Point", 240, 0, 0}, {"int[]", 0, 208, 0}}},
		{1, []row{{"demo.Entry", 1600, 0, 0}, {"java.lang.String", 720, 0, 0}, {"demo.Point", 120, 96, 0}}},
		{2, []row{{"demo.Entry", 0, 1600, 0}, {"demo.Point", 0, 48, 96}, {"int[]", 0, 0, 104}}},
	} {
		answer, err := h.Moved(test.at, Query{By: []By{ByClass}})
		if err != nil {
			t.Fatal(err)
		}
		var got []row
		for _, r := range answer.Rows {
			got = append(got, row{h.Name(r.Class), r.Survived.Bytes, r.Promoted.Bytes, r.Old.Bytes})
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(row{})); diff != "" {
			t.Errorf("%d: -want +got\n%s", test.at, diff)
		}
		if answer.Collections != 3 || answer.Stopped != 40*time.Millisecond || answer.Total != answer.Selected {
			t.Errorf("%d: %+v", test.at, answer)
		}
	}
	answer, err := h.Moved(2, Query{By: []By{ByClass}, Class: "demo.*", Top: 1})
	if err != nil || len(answer.Rows) != 1 || answer.Count != 2 || answer.Selected.All().Bytes != 1744 ||
		answer.Total.All().Bytes != 1848 {
		t.Errorf("%v: %+v", err, answer)
	}
	refused := map[int]string{3: "gc:3 did not collect the young generation", 4: "no collection ended at that moment"}
	for at, want := range refused {
		if _, err := h.Moved(at, Query{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v, want %s", at, err, want)
		}
	}
	if at, err := h.Dearest(); at != 2 || err != nil {
		t.Errorf("gc:%d took longest, %v", at, err)
	}
	if _, err := NewHistory(heaptest.Odd().All()).Dearest(); err == nil {
		t.Error("one collection of what has none")
	}
}

// TestUsual: a collection that took long is held against those that moved as much.
func TestUsual(t *testing.T) {
	var e heaptest.Events
	for i := range uint64(10) {
		e.Moved(1, of("A", i+1, 16*(i+1)))
		e.Born(of("A", 100, 1600))
		e.Walk(ends{Collection: i, Start: i * 1e9})
		took := (1 + i) * 1e6
		if i == 4 {
			took = 5e8
		}
		e.Finish(i*1e9+took, abi.HeapYoung)
	}
	h := NewHistory(e.All())
	at, err := h.Dearest()
	if err != nil || at != 4 {
		t.Fatalf("%d, %v", at, err)
	}
	answer, err := h.Moved(at, Query{})
	if err != nil || answer.More != 4 || answer.Usual != 8*time.Millisecond { // 6, 7, 8 and 9
		t.Errorf("%v: %+v", err, answer)
	}
}
