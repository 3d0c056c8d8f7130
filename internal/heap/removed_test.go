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

// TestRemovedBySite: of a site's objects those were removed that it has counted and that were not born there, not even
// perhaps.
func TestRemovedBySite(t *testing.T) {
	sites := heaptest.Sites(heaptest.Site{Class: "Main", Method: "none", Type: "N", Size: 16},
		heaptest.Site{Class: "Main", Method: "a", Type: "P", Size: 24, Objects: 100},
		heaptest.Site{Class: "Main", Method: "b", Type: "P", Size: 24, Objects: 60},
		heaptest.Site{Class: "Main", Method: "c", Type: "Q", Size: 16, Objects: 5},
		heaptest.Site{Class: "Main", Method: "d", Type: "R", Size: 16, Objects: 7},
		heaptest.Site{Class: "(JVM)", Method: "strings", Type: "S", Size: 16, Objects: 2},
		heaptest.Site{Class: "Main", Method: "e", Type: "S", Size: 16, Objects: 4})
	var e heaptest.Events
	e.Born(heaptest.Row{Class: "P@1", Objects: 70, Bytes: 1680},
		heaptest.Row{Class: "P@2", Objects: 60, Bytes: 1440},
		heaptest.Row{Class: "P", Objects: 10, Bytes: 240}, heaptest.Row{Class: "Q@3", Objects: 5, Bytes: 80},
		heaptest.Row{Class: "R", Objects: 4, Bytes: 64}, heaptest.Row{Class: "J", Objects: 3, Bytes: 48},
		heaptest.Row{Class: "S", Objects: 5, Bytes: 80}, heaptest.Row{Class: "S@6", Objects: 3, Bytes: 48})
	e.Walk(ends{Last: true})
	p := profileOf(t, &e, sites...)
	h := NewHistory(e.All()).BySites(p.Tagged)
	answer, err := h.Removed(p, Query{By: []By{BySite}, Sort: profile.SortBytes})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range answer.Rows {
		site := "?"
		if c.Made != nil {
			site = c.Made.Method
		}
		got = append(got, fmt.Sprintf("%s %s %d %d -%v +%v", c.Name, site, c.Counted.Objects, c.Born.Objects,
			c.Removed(), c.Uncounted()))
	}
	want := []string{
		"P a 100 70 -{20 480} +{0 0}",
		"R d 7 4 -{3 48} +{0 0}", // the only site there is
		"J ? 0 3 -{0 0} +{3 48}",
		"S ? 0 3 -{0 0} +{2 32}",
		"P b 60 60 -{0 0} +{0 0}",
		"P ? 0 10 -{0 0} +{0 0}",
		"Q c 5 5 -{0 0} +{0 0}",
		"S e 4 3 -{0 0} +{0 0}",
		"S strings 2 2 -{0 0} +{0 0}", // has no tags
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	sums := [3]Amount{answer.Unsited, answer.Removed, answer.Uncounted}
	if sums != [3]Amount{{16, 336}, {23, 528}, {5, 80}} {
		t.Errorf("born nobody knows where, removed, uncounted: %v", sums)
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
