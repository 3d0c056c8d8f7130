package profile

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// line prints a frame as the tests below write it.
func line(f symbols.Frame) string { return fmt.Sprintf("%s:%d", f.Title(), f.Line) }

// stacks lists the rows by context: the type, the frames from the inside, and
// what was allocated.
func stacks(p *Profile, q Query) (lines []string) {
	q.By = ByContext
	for _, row := range p.Rows(q).Rows {
		var frames []string
		for _, frame := range p.Stack(row.Site, row.Context) {
			frames = append(frames, line(frame))
		}
		lines = append(lines, fmt.Sprintf("%s %s %d/%d", row.Class, strings.Join(frames, " "), row.Amount.Objects,
			row.Amount.Bytes))
	}
	return lines
}

// TestCountsBelowZeroInContexts: the last good values count, and what is below zero is damage.
func TestCountsBelowZeroInContexts(t *testing.T) {
	text := strings.Replace(profiletest.Contexts, "Mark Nanos=2000000000", "ContextCounts Nanos=2000000000 Thread=1 "+
		"Values=[24:0:-4] Invocations=[16:-1]\nMark Nanos=2000000000", 1)
	p, want := fold(t, text), fold(t, profiletest.Contexts)
	if diff := cmp.Diff(stacks(want, Query{}), stacks(p, Query{})); diff != "" {
		t.Errorf("stacks (-want +got):\n%s", diff)
	}
	if p.ContextFacts().Calls != want.ContextFacts().Calls {
		t.Errorf("%d calls, want %d", p.ContextFacts().Calls, want.ContextFacts().Calls)
	}
	if diff := cmp.Diff(map[string]uint64{"damage": 2}, losses(p)); diff != "" {
		t.Errorf("losses (-want +got):\n%s", diff)
	}
}

// TestThrownInContexts: an exception that the JVM made is its constructor's caller's, at the instruction that threw.
func TestThrownInContexts(t *testing.T) {
	p := fold(t, profiletest.Contexts+`ClassDef ID=3 Name="java/lang/Error" SiteBase=5 CounterBase=8 Counters=1
  MethodDef Name="<init>" Descriptor="(Ljava/lang/String;)V" Number=9
    SiteDef BCI=-1 Line=-1 Type="java/lang/Error" Kind=Raised
    CounterDef Kind=Arrays Semantics=[0:1]
Contexts Nodes=[56:16:5:15:14 60:56:9:17:35]
ContextCounts Nanos=2000000000 Thread=1 Values=[60:8:5]
`)
	want := []string{"java.lang.Error demo.App.walk:35 demo.App.main:14 5/0"}
	query := Query{Filter: Filter{Class: "Error", Thread: "main"}}
	if diff := cmp.Diff(want, stacks(p, query)); diff != "" {
		t.Errorf("stacks (-want +got):\n%s", diff)
	}
}

// TestValuesOfContexts: counters of a context come in any order, and each has its last value.
func TestValuesOfContexts(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	c := contextCounts{counts: make([]contextCount, 100)}
	want := map[[2]int32]int64{}
	for range 20_000 {
		node, counter := random.Int32N(100), random.Int32N(50)
		value := random.Int64()
		c.value(node, counter, random.IntN(60)).value = value
		want[[2]int32{node, counter}] = value
	}
	got := map[[2]int32]int64{}
	for node := range int32(100) {
		for i, v := range c.valuesOf(node) {
			got[[2]int32{node, v.counter}] = v.value
			if i > 0 && c.valuesOf(node)[i-1].counter >= v.counter {
				t.Errorf("node %d: %+v are not ascending", node, c.valuesOf(node))
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestContexts(t *testing.T) {
	p := fold(t, profiletest.Contexts)
	if diff := cmp.Diff(map[string]uint64{}, losses(p)); diff != "" {
		t.Errorf("losses: %s", diff)
	}
	main := "java.util.HashMap$Node java.util.HashMap.newNode:1797 java.util.HashMap.put:613 demo.App.main"
	work := "jdk.internal.reflect.NativeMethodAccessorImpl.invoke0:-1 demo.App.run:21 java.lang.Thread.run:840"
	tests := []struct {
		name  string
		query Query
		want  []string
	}{
		{"all, two threads merged, lambda forms left out", Query{}, []string{
			main + ":12 100/3200",
			"java.util.HashMap$Node java.util.HashMap.newNode:1797 java.util.HashMap.put:613 " + work + " 50/1600",
			"java.util.HashMap$Node java.util.HashMap.hash:338 [unknown]:-1 7/224",
			main + ":11 4/128",
			"demo.Point demo.App.walk:30 demo.App.walk:33 demo.App.walk:33 demo.App.main:13 3/72",
			"byte[] demo.App.walk:31 demo.App.walk:33 demo.App.walk:33 demo.App.main:13 2/136",
			"demo.Point demo.App.walk:30 demo.App.walk:33 demo.App.main:13 2/48",
			"int[] demo.App.main:10 1/56",
			"demo.Point demo.App.walk:30 demo.App.main:13 1/24",
		}},
		{"top by bytes", Query{Sort: SortBytes, Top: 1}, []string{main + ":12 100/3200"}},
		{"one thread", Query{Filter: Filter{Thread: "worker-2"}}, []string{
			"java.util.HashMap$Node java.util.HashMap.newNode:1797 java.util.HashMap.put:613 " + work + " 30/960",
		}},
		{"under a method", Query{Filter: Filter{Under: "demo.App.m*", Class: "java.*"}},
			[]string{main + ":12 100/3200", main + ":11 4/128"}},
		{"under the site's own method", Query{Filter: Filter{Under: "*.hash", Method: "*.hash"}}, []string{
			"java.util.HashMap$Node java.util.HashMap.hash:338 [unknown]:-1 7/224",
		}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, stacks(p, test.query)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
	calls := map[string]int64{}
	for _, c := range p.Contexts {
		calls[p.Methods[c.Method].Title()] += c.Calls
	}
	want := map[string]int64{
		"[unknown]": 0, "java.util.HashMap.hash": 0, "jdk.internal.reflect.NativeMethodAccessorImpl.invoke0": 50,
		"java.util.HashMap.put": 154, "java.util.HashMap.newNode": 154,
		"demo.App.main": 1, "demo.App.run": 2, "demo.App.walk": 7, "java.lang.Thread.run": 2,
		"java.lang.invoke.LambdaForm$MH.invoke": 2,
	}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("calls: -want +got:\n%s", diff)
	}
	if p.Increments != 4+100+30+20+1+1+2+4+7+2 { // 2 of them of arrays
		t.Errorf("%d increments", p.Increments)
	}
	for _, query := range []Query{{By: BySite}, {By: ByClass}, {By: ByMethod}, {By: ByThread}, {By: ByContext}} {
		if got := p.Rows(query).Selected; got != p.Total {
			t.Errorf("by %s: %+v, in all %+v", query.By, got, p.Total)
		}
	}
	if got := p.Rows(Query{By: ByThread, Filter: Filter{Under: "demo.App.run"}}).Rows; len(got) != 2 ||
		got[0].Amount.Objects != 30 {
		t.Errorf("threads under run: %+v", got)
	}
}

// TestContextsOfSites folds a recording without contexts: each stack is one method.
func TestContextsOfSites(t *testing.T) {
	p := fold(t, twoThreads)
	want := []string{"demo.Point demo.Main.a:9 10/240", "long[] demo.Main.a:9 8/768", "demo.Point demo.Main.b:5 8/192",
		"demo.Point demo.Main.b:5 1/24"}
	if diff := cmp.Diff(want, stacks(p, Query{})); diff != "" || p.Tracked {
		t.Errorf("tracked %v, -want +got:\n%s", p.Tracked, diff)
	}
}

func TestContextsOfOtherRepresentations(t *testing.T) {
	const method = `
ClassDef Name="demo/Main" Counters=1
  MethodDef Name="run" Descriptor="()V" Number=1
    SiteDef BCI=1 Line=5 Type="[J" Kind=ArrayConst Length=1
    CounterDef Semantics=[0:1]
`
	tests := []struct {
		name, text string
		want       []string
		losses     map[string]uint64
	}{
		{
			name: "numbers of a class that is gone count something else in other contexts",
			text: process + method + `
Contexts Nodes=[1:0:1:-1:-1]
ContextCounts Thread=1 Full=true Values=[1:0:5]
Retired
ClassDef ID=1 Name="demo/Other" SiteBase=1 Counters=1
  MethodDef Name="run" Descriptor="()V" Number=2
    SiteDef BCI=1 Line=6 Type="[J" Kind=ArrayConst Length=1
    CounterDef Semantics=[0:2]
Contexts Nodes=[2:1:2:8:9]
ContextCounts Thread=1 Full=true Values=[2:0:1]
End Complete=true`,
			want: []string{"long[] demo.Main.run:5 5/120", "long[] demo.Other.run:6 demo.Main.run:9 2/48"},
		},
		{
			name: "a word that was spilled is zero, and named no more",
			text: process + `
ClassDef Name="demo/Main" Counters=4
  MethodDef Name="run" Descriptor="()V" Number=1
    SiteDef BCI=1 Line=5 Type="[B" Kind=ArrayLen
    CounterDef Counter=0 Kind=Packed Semantics=[0:1]
    CounterDef Counter=1 Kind=Arrays Semantics=[0:1]
    CounterDef Counter=2 Kind=Elements Semantics=[0:1]
    CounterDef Counter=3 Kind=Bytes Semantics=[0:1]
Contexts Nodes=[1:0:1:-1:-1 2:1:1:8:9]
ContextCounts Thread=1 Full=true Values=[1:0:` + strconv.Itoa(10<<31|3<<19|(3*16+14)) + ` 2:1:1 2:2:1 2:3:24]
ContextCounts Thread=1 Full=true Values=[1:1:4 1:2:100 1:3:200 2:1:1 2:2:1 2:3:24]
End Complete=true`,
			want: []string{"byte[] demo.Main.run:5 4/200", "byte[] demo.Main.run:5 demo.Main.run:9 1/24"},
		},
		{
			name: "what had no room in contexts counts as well, by an unknown caller",
			text: process + method + `
Contexts Nodes=[1:0:1:-1:-1]
ContextCounts Thread=1 Values=[1:0:5]
Snapshot Thread=1 Values=[0:3]
LiveFrames Thread=1 Terms=[0:1]
Loss Kind="contexts" Count=1 Detail="no memory"
End Complete=true`,
			want:   []string{"long[] demo.Main.run:5 5/120", "long[] demo.Main.run:5 [unknown]:-1 2/48"},
			losses: map[string]uint64{"contexts": 1},
		},
		{
			name: "two versions of a class are one method",
			text: process + method + strings.NewReplacer("ClassDef",
				"ClassDef ID=1 SiteBase=1 CounterBase=1", "Number=1", "Number=2").Replace(method) + `
Contexts Nodes=[1:0:1:-1:-1 2:0:2:-1:-1]
ContextCounts Thread=1 Values=[1:0:5 2:1:6]
ContextLiveFrames Thread=1 Terms=[1:0:1 2:1:1]
End Complete=true`,
			want: []string{"long[] demo.Main.run:5 9/216"},
		},
		{
			name: "the site's own frame is printed though its method is hidden",
			text: process + strings.Replace(method, "Number=1", "Number=1 Hidden=true", 1) + `
Contexts Nodes=[1:0:1:-1:-1 2:1:1:7:8 3:2:1:7:9]
ContextCounts Thread=1 Values=[1:0:1 2:0:2 3:0:3]
End Complete=true`,
			want: []string{"long[] demo.Main.run:5 6/144"},
		},
		{
			name: "definitions are missing",
			text: process + method + `
Contexts Nodes=[2:1:1:7:8 3:2:9:1:1 4:3:1:2:2]
ContextCounts Thread=1 Values=[2:0:1 2:8:1 3:0:1 4:0:7 5:0:1] Invocations=[5:1]
ContextLiveFrames Thread=1 Terms=[5:0:1 2:77:1]
End Complete=true`,
			want: []string{"long[] demo.Main.run:5 [unknown]:2 demo.Main.run:1 [unknown]:-1 7/168",
				"long[] demo.Main.run:5 [unknown]:-1 1/24"},
			losses: map[string]uint64{"definitions": 6},
		},
		{
			name: "no thread",
			text: process + method + `
Contexts Nodes=[2:0:1:-1:-1]
ContextCounts Thread=8 Values=[2:0:1]
End Complete=true`,
			want: []string{"long[] demo.Main.run:5 1/24"},
		},
	}
	for _, test := range tests {
		p := fold(t, test.text)
		if diff := cmp.Diff(test.want, stacks(p, Query{})); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
		if test.losses == nil {
			test.losses = map[string]uint64{}
		}
		if diff := cmp.Diff(test.losses, losses(p)); diff != "" {
			t.Errorf("%s: losses: -want +got:\n%s", test.name, diff)
		}
	}
}

// TestDeepContexts folds a recursion of 100,000 calls, each of which allocates.
func TestDeepContexts(t *testing.T) {
	const depth = 100000
	f := newFolder()
	f.add(&trace.ClassDef{Name: "demo/Main", Counters: 1, Methods: []trace.MethodDef{{
		Name: "run", Descriptor: "()V", Number: 1, Sites: []trace.SiteDef{{Line: 5, Type: "demo/Point"}},
		Counters: []trace.CounterDef{{Semantics: []trace.Term{{Site: 0, Coefficient: 1}}}},
	}}})
	nodes, values := []trace.ContextNode{}, []trace.ContextValue{}
	for i := range trace.ContextID(depth) {
		nodes = append(nodes, trace.ContextNode{ID: i + 1, Parent: i, Method: 1, BCI: 3, Line: 6})
		values = append(values, trace.ContextValue{Context: i + 1, Value: 1})
	}
	f.add(&trace.Contexts{Nodes: nodes})
	f.add(&trace.ContextCounts{Thread: 1, Values: values})
	f.add(&trace.End{Complete: true})
	p := f.finish(nil)
	rows := p.Rows(Query{By: ByContext}).Rows
	if p.Total.Objects != depth || len(rows) != maxDepth+1 || rows[0].Amount.Objects != depth-maxDepth {
		t.Errorf("%d objects, %d rows, the largest %+v", p.Total.Objects, len(rows), rows[0].Amount)
	}
	stack := p.Stack(rows[0].Site, rows[0].Context)
	if len(stack) != maxDepth+2 || stack[1].Title() != deeperFrame || line(stack[2]) != "demo.Main.run:-1" ||
		line(stack[3]) != "demo.Main.run:6" {
		t.Errorf("%d frames, %v", len(stack), stack[:4])
	}
	if losses(p)["depth"] != depth-maxDepth {
		t.Errorf("losses %v", p.Losses)
	}
}

// TestContextsOfUnloadedClasses has a class unloaded whose method's number and counter another class gets, and with
// them the number of its context, and that of a context below which is of a method that stays: what each made stays
// with it.
func TestContextsOfUnloadedClasses(t *testing.T) {
	process, _, _ := strings.Cut(profiletest.Contexts, "\n")
	p := fold(t, process+`
Loader ID=0
Loader ID=1 Class="Loader"
Loader ID=2 Class="Loader"
Thread ID=1 Name="main" JavaID=1
ClassSize Name="Node" Bytes=16
ClassDef Name="Stays" Counters=1
  MethodDef Name="put" Descriptor="()V" Number=1
    SiteDef Line=3 Type="Node"
    CounterDef Semantics=[0:1]
ClassDef ID=1 Loader=1 Name="Old" SiteBase=1 CounterBase=1 Counters=1
  MethodDef Name="make" Descriptor="()V" Number=2
    SiteDef Line=7 Type="Node"
    CounterDef Semantics=[0:1]
Contexts Nodes=[16:0:2:-1:-1 20:16:1:5:8]
ContextCounts Nanos=1000000000 Thread=1 Full=true Values=[16:1:3 20:0:4]
Mark Nanos=1000000000
Retired Class=1
ClassDef ID=2 Loader=2 Name="New" SiteBase=2 CounterBase=1 Counters=1
  MethodDef Name="make" Descriptor="()V" Number=2
    SiteDef Line=9 Type="Node"
    CounterDef Semantics=[0:1]
Contexts Nodes=[16:0:2:-1:-1 20:16:1:5:10]
ContextCounts Nanos=2000000000 Thread=1 Full=true Values=[16:1:1 20:0:2]
Mark Nanos=2000000000
End Nanos=2000000000 Complete=true ExitReason="exit 0"
`)
	want := []string{
		"Node Stays.put:3 Old.make:8 4/64", "Node Old.make:7 3/48", "Node Stays.put:3 New.make:10 2/32",
		"Node New.make:9 1/16",
	}
	if diff := cmp.Diff(want, stacks(p, Query{})); diff != "" {
		t.Errorf("stacks (-want +got):\n%s", diff)
	}
}
