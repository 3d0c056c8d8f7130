package heap

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// profileOf folds a recording.
func profileOf(t *testing.T, e *heaptest.Events, others ...trace.Record) *profile.Profile {
	t.Helper()
	recording, err := heaptest.Recording(e, others...)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Fold(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCounts: a class has a site only where that has made all of its objects.
func TestCounts(t *testing.T) {
	type site = heaptest.Site
	for _, test := range []struct {
		name  string
		born  []heaptest.Row
		sites []site
		jvm   *trace.ClassObjects
		want  map[string]string
	}{
		{"one site, two, none", []heaptest.Row{of("A", 10, 160), of("B", 10, 160), of("C", 1, 16)},
			[]site{{Class: "M", Method: "a", Type: "A", Objects: 10}, {Class: "M", Method: "a", Type: "B", Objects: 9},
				{Class: "M", Method: "b", Type: "B", Objects: 1}}, nil,
			map[string]string{"A": "M.a", "B": "2 sites", "C": "0 sites"}},
		{"what compilers remove changes nothing", []heaptest.Row{of("A", 4, 64)},
			[]site{{Class: "M", Method: "a", Type: "A", Objects: 10}}, nil, map[string]string{"A": "M.a"}},
		{"more than the site has made", []heaptest.Row{of("A", 11, 176)},
			[]site{{Class: "M", Method: "a", Type: "A", Objects: 10}}, nil, map[string]string{"A": "1 sites"}},
		{"a site that made nothing", []heaptest.Row{of("A", 10, 160)},
			[]site{{Class: "M", Method: "a", Type: "A", Objects: 10}, {Class: "M", Method: "b", Type: "A"}}, nil,
			map[string]string{"A": "M.a"}},
		{"the JVM", []heaptest.Row{of("java/lang/Class", 5, 500), of("[I", 2, 32)},
			[]site{{Class: "M", Method: "a", Type: "[I", Objects: 2}},
			&trace.ClassObjects{What: "mirrors", Type: "java/lang/Class", Objects: 5, Bytes: 500},
			map[string]string{"java.lang.Class": "(JVM).mirrors", "int[]": "M.a"}},
		{"the JVM and a site", []heaptest.Row{of("[I", 2, 32)},
			[]site{{Class: "M", Method: "a", Type: "[I", Objects: 1}},
			&trace.ClassObjects{What: "initLocks", Type: "[I", Objects: 1, Bytes: 16},
			map[string]string{"int[]": "2 sites"}},
		{"two loaders", []heaptest.Row{of("A", 10, 160)},
			[]site{{Loader: 1, Class: "M", Method: "a", Type: "A", Objects: 4},
				{Loader: 2, Class: "M", Method: "a", Type: "A", Objects: 6}}, nil, map[string]string{"A": "2 sites"}},
		{"hidden classes of one class file, which one site makes",
			[]heaptest.Row{of("H+0x1", 3, 48), of("H+0x2", 2, 32), of("[LH+0x2;", 1, 24)},
			[]site{{Class: "M", Method: "a", Type: "H", Objects: 5},
				{Class: "M", Method: "b", Type: "[LH;", Objects: 1}},
			nil, map[string]string{"H/0x1": "M.a", "H/0x2": "M.a", "H/0x2[]": "M.b"}},
		{"a lambda's class, of which sites may know the number", []heaptest.Row{of("M$$Lambda$12+0x2", 2, 32)},
			[]site{{Class: "M", Method: "a", Type: "M$$Lambda", Objects: 2}}, nil,
			map[string]string{"M$$Lambda$12/0x2": "M.a"}},
		{"two of them", []heaptest.Row{of("M$$Lambda$12+0x2", 2, 32), of("M$$Lambda$13+0x4", 1, 16)},
			[]site{{Class: "M", Method: "a", Type: "M$$Lambda", Objects: 2},
				{Class: "M", Method: "b", Type: "M$$Lambda$13", Objects: 1}}, nil,
			map[string]string{"M$$Lambda$12/0x2": "2 sites", "M$$Lambda$13/0x4": "2 sites"}},
		{"hidden classes of which one is not counted", []heaptest.Row{of("H", 5, 80), of("H+0x2", 2, 32)},
			[]site{{Class: "M", Method: "a", Type: "H", Objects: 5}}, nil,
			map[string]string{"H": "1 sites", "H/0x2": "1 sites"}},
	} {
		var e heaptest.Events
		e.Born(test.born...)
		e.Walk(ends{Last: true})
		records := heaptest.Sites(test.sites...)
		if test.jvm != nil {
			records = append(records, test.jvm)
		}
		h := NewHistory(e.All())
		counts, got := NewCounts(h, profileOf(t, &e, records...)), map[string]string{}
		held := h.Held(0, Query{By: []By{BySite}, Counts: counts})
		sited := Sited{}
		for _, r := range held.Rows {
			c := counts.Of(r.Class)
			got[h.Name(r.Class)] = fmt.Sprintf("%d sites", c.Sites)
			if s := c.Site(); s != nil {
				got[h.Name(r.Class)] = s.Class + "." + s.Method
				sited.Known += r.Bytes
			}
			sited.All += r.Bytes
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
		if held.Sited != sited {
			t.Errorf("%s: %+v, want %+v", test.name, held.Sited, sited)
		}
	}
}
