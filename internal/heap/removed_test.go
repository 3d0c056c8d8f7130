package heap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// TestRemoved: what was counted and not born, and what was born and not counted.
func TestRemoved(t *testing.T) {
	e := heaptest.Demo()
	answer, err := NewHistory(e.All()).Removed(profileOf(t, e, heaptest.DemoSites()...), Query{Sort: profile.SortBytes})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range answer.Rows {
		got = append(got, fmt.Sprintf("%s -%v +%v", c.Name, c.Removed(), c.Uncounted()))
	}
	want := []string{"demo.Point -{492 11808} +{0 0}", "java.lang.Integer -{300 4800} +{0 0}",
		"java.lang.String -{10 240} +{0 0}", "byte[] -{0 0} +{1 1048592}", "int[] -{0 0} +{2 208}",
		"demo.Entry -{0 0} +{0 0}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if answer.Removed != (Amount{802, 16848}) || answer.Uncounted != (Amount{3, 1048800}) {
		t.Errorf("%v removed, %v uncounted", answer.Removed, answer.Uncounted)
	}
}

// TestNotRemoved: where something is missing nothing is said to be removed.
func TestNotRemoved(t *testing.T) {
	for name, test := range map[string]struct {
		make    func(e *heaptest.Events)
		others  []trace.Record
		cutOff  bool
		unknown string
	}{
		"no walk": {make: func(*heaptest.Events) {}, unknown: "the heap at the JVM's end was not read"},
		"no last one": {make: func(e *heaptest.Events) { e.Walk(ends{}) },
			unknown: "the heap at the JVM's end was not read"},
		"lost": {make: func(e *heaptest.Events) { e.Walk(ends{Last: true, Missed: 2}) },
			unknown: "2 events of the heap are missing"},
		"unread": {make: func(e *heaptest.Events) { e.Walk(ends{Last: true, Unread: 8}) },
			unknown: "in 1 walks a part of the heap was not read"},
		"the agent gave up": {make: func(e *heaptest.Events) { e.Walk(ends{Last: true}) },
			others: []trace.Record{&trace.Loss{Kind: "objects", Count: 1, Detail: "why"}}, unknown: "why"},
		"classes without numbers": {make: func(e *heaptest.Events) {
			e.Add(abi.EventHeapRows, append(make([]byte, abi.HeapRowsRows), abi.HeapOthers, 2, 4))
			e.Walk(ends{Last: true, Missed: 1})
		}, unknown: "2 objects are of classes that there were no numbers for"},
		"killed": {make: func(e *heaptest.Events) { e.Walk(ends{Last: true}) }, cutOff: true,
			unknown: "the recording was cut short"},
	} {
		var e heaptest.Events
		test.make(&e)
		p := profileOf(t, &e, test.others...)
		p.Complete = !test.cutOff
		_, err := NewHistory(e.All()).Removed(p, Query{})
		if err == nil || !strings.HasSuffix(err.Error(), "is unknown: "+test.unknown) {
			t.Errorf("%s: %v, want %s", name, err, test.unknown)
		}
	}
}
