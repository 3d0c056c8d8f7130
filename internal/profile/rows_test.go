package profile

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoThreads has ties by objects, a carrier, two threads of one name, and one
// class name in two loaders.
const twoThreads = process + `
Thread ID=2 Name="pool" Carrier=true
Thread ID=3 Name="main"
Loader ID=1 Class="app/Loader" Name="one"
Loader ID=2 Class="app/Loader"
ClassSize Name="demo/Point" Bytes=24
ClassDef Loader=1 Name="demo/Main" Source="Main.java" Counters=3
  MethodDef Name="b" Descriptor="()V"
    SiteDef BCI=1 Line=5 Type="demo/Point"
    CounterDef Semantics=[0:1]
  MethodDef Name="a" Descriptor="()V"
    SiteDef BCI=1 Line=9 Type="demo/Point"
    SiteDef BCI=7 Line=9 Type="[J" Kind=ArrayConst Length=10
    CounterDef Counter=1 Semantics=[0:1]
    CounterDef Counter=2 Semantics=[1:1]
ClassDef ID=1 Loader=2 Name="demo/Main" Source="Main.java" SiteBase=3 CounterBase=3 Counters=1
  MethodDef Name="b" Descriptor="()V"
    SiteDef BCI=1 Line=5 Type="demo/Point"
    CounterDef Semantics=[0:1]
Snapshot Thread=1 Values=[0:4 1:5]
Snapshot Thread=2 Values=[1:5 2:8]
Snapshot Thread=3 Values=[0:4 3:1]
End Complete=true
`

func TestRows(t *testing.T) {
	p := fold(t, twoThreads)
	tests := []struct {
		name  string
		query Query
		want  []string
	}{
		{"sites", Query{}, []string{
			"demo.Main.a:1 demo.Point in one @1 10/240",
			"demo.Main.a:7 long[] in one @1 8/768",
			"demo.Main.b:1 demo.Point in one @1 8/192",
			"demo.Main.b:1 demo.Point in app.Loader @2 1/24",
		}},
		{"sites by bytes, top", Query{Sort: SortBytes, Top: 1}, []string{"demo.Main.a:7 long[] in one @1 8/768"}},
		{"classes", Query{By: ByClass}, []string{"demo.Point 19/456", "long[] 8/768"}},
		{"methods", Query{By: ByMethod}, []string{
			"demo.Main.a in one @1 18/1008", "demo.Main.b in one @1 8/192", "demo.Main.b in app.Loader @2 1/24",
		}},
		{"elements", Query{By: ByElement}, []string{"long 8/768"}},
		{"threads", Query{By: ByThread}, []string{"2 main 14/336", "1 pool (carrier) 13/888"}},
		{"one thread", Query{By: ByClass, Filter: Filter{Thread: "pool"}},
			[]string{"long[] 8/768", "demo.Point 5/120"}},
		{"one type by thread", Query{By: ByThread, Filter: Filter{Class: "long*"}}, []string{"1 pool (carrier) 8/768"}},
		{"one method", Query{Filter: Filter{Method: "demo.Main.b", Thread: "main"}}, []string{
			"demo.Main.b:1 demo.Point in one @1 8/192", "demo.Main.b:1 demo.Point in app.Loader @2 1/24",
		}},
		{"nothing", Query{Filter: Filter{Class: "no"}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			answer := p.Rows(test.query)
			var got []string
			var sum Amount
			for _, row := range answer.Rows {
				got = append(got, rowText(test.query.By, row))
				sum.Add(row.Amount)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			if test.query.Top == 0 && (sum != answer.Selected || answer.Count != len(answer.Rows)) {
				t.Errorf("%d rows sum to %+v; the answer says %d and %+v", len(answer.Rows), sum, answer.Count,
					answer.Selected)
			}
		})
	}
}

func rowText(by By, row Row) string {
	text := ""
	switch by {
	case BySite:
		text = fmt.Sprintf("%s.%s:%d %s", row.Site.Class, row.Site.Method, row.Site.BCI, row.Class)
	case ByClass, ByElement:
		text = row.Class
	case ByMethod:
		text = row.Site.Class + "." + row.Site.Method
	case ByThread:
		text = fmt.Sprintf("%d %s", row.Threads, row.Thread)
	}
	if row.Loader != "" {
		text += " in " + row.Loader
	}
	return fmt.Sprintf("%s %d/%d", text, row.Amount.Objects, row.Amount.Bytes)
}
