package profile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
)

// overTime asks a recording in text form when it allocated, and lists the intervals: from, to in milliseconds,
// objects, and those of the rows told apart.
func overTime(t *testing.T, text string, q TimeQuery) (lines []string, p *Profile) {
	t.Helper()
	recording := profiletest.MustEncode(t, text)
	p, err := Fold(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	timeline, err := p.OverTime(bytes.NewReader(recording), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range timeline.Intervals {
		line := fmt.Sprintf("%d-%d %d", i.From.Milliseconds(), i.To.Milliseconds(), i.Amount.Objects)
		for _, part := range i.Parts {
			line += fmt.Sprintf(" %d", part.Objects)
		}
		lines = append(lines, line)
	}
	return lines, p
}

const overTimeProgram = process + `
ClassDef Name="demo/Main" Source="Main.java" Counters=4
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=1 Line=5 Type="demo/Point"
    SiteDef BCI=2 Line=6 Type="[I" Kind=ArrayLen
    CounterDef Semantics=[0:1]
    CounterDef Counter=1 Kind=Packed Semantics=[1:1]
    CounterDef Counter=2 Kind=Arrays Semantics=[1:1]
Snapshot Nanos=1001000000 Thread=1 Values=[0:10 1:1048576]
Mark Nanos=1001000000
Thread ID=2 Name="second"
Snapshot Nanos=1500000000 Thread=2 Values=[0:3]
Thread ID=2 Name="second" Ended=true
Mark Nanos=2001000000
Snapshot Nanos=3001000000 Thread=1 Values=[0:11 1:524288 2:4]
Mark Nanos=3001000000
Snapshot Nanos=3501000000 Thread=1 Full=true Values=[0:20 1:524288 2:4]
ClassSize Name="demo/Point" Bytes=24
Mark Nanos=3501000000
LiveFrames Thread=1 Terms=[0:1]
End Nanos=3502000000 Complete=true
`

func TestOverTime(t *testing.T) {
	tests := []struct {
		name string
		q    TimeQuery
		want []string
	}{
		{"every snapshot", TimeQuery{Every: time.Millisecond}, []string{"0-1001 12", "1001-2001 3", "2001-3001 4",
			"3001-3502 8"}},
		{"longer", TimeQuery{Every: 2 * time.Second}, []string{"0-2001 15", "2001-3502 12"}},
		{"one", TimeQuery{Every: time.Hour}, []string{"0-3502 27"}},
		{"chosen", TimeQuery{}, []string{"0-1001 12", "1001-2001 3", "2001-3001 4", "3001-3502 8"}},
		{"a type", TimeQuery{Every: 2 * time.Second, Query: Query{Filter: Filter{Class: "int[]"}}},
			[]string{"0-2001 2", "2001-3502 3"}},
		{"a thread", TimeQuery{Every: 2 * time.Second, Query: Query{Filter: Filter{Thread: "second"}}},
			[]string{"0-2001 3", "2001-3502 0"}},
		{"by type", TimeQuery{Every: 2 * time.Second, Parts: true, Query: Query{By: ByClass}},
			[]string{"0-2001 15 13 2", "2001-3502 12 9 3"}},
		{"by site, the largest", TimeQuery{Every: 2 * time.Second, Parts: true, Query: Query{Top: 1}},
			[]string{"0-2001 15 13", "2001-3502 12 9"}},
		{"by thread", TimeQuery{Every: 2 * time.Second, Parts: true, Query: Query{By: ByThread}},
			[]string{"0-2001 15 12 3", "2001-3502 12 12 0"}},
		{"by element", TimeQuery{Every: 2 * time.Second, Parts: true, Query: Query{By: ByElement}},
			[]string{"0-2001 15 2", "2001-3502 12 3"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, _ := overTime(t, overTimeProgram, test.q)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestOverTimeByBytecodes: intervals are in bytecodes where snapshots were taken by them, or in time if that is asked
// for. What comes after the last bytecode is in the last interval.
func TestOverTimeByBytecodes(t *testing.T) {
	const text = process + `
ClassDef Name="demo/Main" Counters=1
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=1 Line=5 Type="demo/Point"
    CounterDef Semantics=[0:1]
Snapshot Nanos=5000000 Thread=1 Values=[0:10]
Snapshot Nanos=10000000 Thread=1 Values=[0:11]
Mark Nanos=10000000 Bytecodes=1003
Snapshot Nanos=11000000 Thread=1 Values=[0:20]
Mark Nanos=11000000 Bytecodes=2000
Snapshot Nanos=900000000 Thread=1 Values=[0:21]
Mark Nanos=900000000 Bytecodes=2500
LiveFrames Thread=1 Terms=[0:1]
End Nanos=901000000 Complete=true
`
	for _, test := range []struct {
		q    TimeQuery
		want []string
	}{
		{TimeQuery{EveryBytecodes: 1}, []string{"0-1003 11", "1003-2000 9", "2000-2500 0"}},
		{TimeQuery{}, []string{"0-1003 11", "1003-2000 9", "2000-2500 0"}},
		{TimeQuery{EveryBytecodes: 2000}, []string{"0-2000 20", "2000-2500 0"}},
		{TimeQuery{EveryBytecodes: 10000}, []string{"0-2500 20"}},
		{TimeQuery{Every: 500 * time.Millisecond, EveryBytecodes: 1}, []string{"0-2500 20"}},
	} {
		recording := profiletest.MustEncode(t, text)
		p, err := Fold(bytes.NewReader(recording))
		if err != nil {
			t.Fatal(err)
		}
		timeline, err := p.OverTime(bytes.NewReader(recording), test.q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range timeline.Intervals {
			got = append(got, fmt.Sprintf("%d-%d %d", i.FromBytecodes, i.ToBytecodes, i.Amount.Objects))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v:\n%s", test.q, diff)
		}
	}
}

// TestOverTimeOfContexts: an interval ends where contexts were recorded, and nowhere else.
func TestOverTimeOfContexts(t *testing.T) {
	const text = process + `
ClassDef Name="demo/Main" Counters=1
  MethodDef Name="main" Descriptor="()V" Number=1
  MethodDef Name="run" Descriptor="()V" Number=2
    SiteDef BCI=1 Line=5 Type="demo/Point"
    CounterDef Semantics=[0:2]
Contexts Nodes=[1:0:1:-1:-1 2:1:2:3:9 3:0:2:-1:-1]
ContextCounts Nanos=10000000 Thread=1 Full=true Values=[2:0:1 3:0:1]
Mark Nanos=10000000 Contexts=true
Mark Nanos=20000000
ContextCounts Nanos=30000000 Thread=1 Full=true Values=[2:0:5 3:0:2]
Mark Nanos=30000000 Contexts=true
ContextCounts Nanos=50000000 Thread=1 Full=true Values=[2:0:6 3:0:2]
Mark Nanos=50000000 Contexts=true
ContextLiveFrames Thread=1 Terms=[2:0:1]
End Nanos=50000000 Complete=true
`
	for under, want := range map[string][]string{"": {"0-10 4", "10-30 10", "30-50 1"},
		"demo.Main.main": {"0-10 2", "10-30 8", "30-50 1"}, "demo.*.run": {"0-10 4", "10-30 10", "30-50 1"}} {
		q := TimeQuery{Every: time.Millisecond, Query: Query{Filter: Filter{Under: under}}}
		got, p := overTime(t, text, q)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("under %q: %s", under, diff)
		}
		if sum := p.Rows(q.Query).Selected.Objects; !strings.HasSuffix(fmt.Sprint(sum),
			map[string]string{"": "15", "demo.Main.main": "11", "demo.*.run": "15"}[under]) {
			t.Errorf("under %q: %d in all", under, sum)
		}
	}
}

func TestRoundInterval(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{0: time.Millisecond, time.Second: time.Second,
		1100 * time.Millisecond: 2 * time.Second, 21 * time.Second: 50 * time.Second} {
		if got := roundInterval(d); got != want {
			t.Errorf("%v: %v, want %v", d, got, want)
		}
	}
}
