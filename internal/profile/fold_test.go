package profile

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
	"mallard/internal/trace"
)

// process describes a JVM with compressed references and 16-byte array headers.
const process = `
Process PID=7 JVMVersion="17.0.1" Placement="optimal" ArrayBase=[16 16 16 16] RefBytes=4 ObjectAlignment=8
Thread ID=1 Name="main"
`

// fold folds a recording that is given as text.
func fold(t *testing.T, text string) *Profile {
	t.Helper()
	recording := profiletest.MustEncode(t, text)
	p, err := Fold(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// amounts lists what each site made, by method, bci and type.
func amounts(p *Profile) map[string]Amount {
	sums := map[string]Amount{}
	for i := range p.Sites {
		s := &p.Sites[i]
		key := s.Method + "@" + string(rune('0'+s.BCI)) + " " + s.Type + s.Loader
		sum := sums[key]
		sum.Add(s.Amount)
		sums[key] = sum
	}
	return sums
}

// losses lists the kinds of what is missing.
func losses(p *Profile) map[string]uint64 {
	kinds := map[string]uint64{}
	for _, loss := range p.Losses {
		kinds[loss.Kind] += loss.Count
	}
	return kinds
}

func TestFold(t *testing.T) {
	const point = `
ClassSize Name="demo/Point" Bytes=24
ClassDef Name="demo/Main" Source="Main.java" Counters=4
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=1 Line=5 Type="demo/Point"
    SiteDef BCI=2 Line=6 Type="[I" Kind=ArrayConst Length=3
    CounterDef Semantics=[0:1 1:2]
    CounterDef Counter=1 Semantics=[1:-1]
`
	tests := []struct {
		name, text string
		want       map[string]Amount
		increments int64
		perSite    int64
		losses     map[string]uint64
	}{
		{
			name: "paths with negative coefficients and live frames",
			text: process + point + `
Snapshot Thread=1 Values=[0:10 1:3]
LiveFrames Thread=1 Terms=[0:1]
End Complete=true`,
			want: map[string]Amount{
				"run@1 demo.Point": {Objects: 9, Bytes: 216},
				"run@2 int[]":      {Objects: 17, Elements: 51, Bytes: 17 * 32}, // 16 + 12, aligned to 8
			},
			increments: 13,
			perSite:    26,
			losses:     map[string]uint64{},
		},
		{
			name: "values are totals, not differences",
			text: process + point + `
Snapshot Thread=1 Values=[0:4]
Snapshot Nanos=1000 Thread=1 Values=[0:6]
End Complete=true`,
			want: map[string]Amount{
				"run@1 demo.Point": {Objects: 6, Bytes: 144},
				"run@2 int[]":      {Objects: 12, Elements: 36, Bytes: 12 * 32},
			},
			increments: 6,
			perSite:    18,
			losses:     map[string]uint64{},
		},
		{
			name: "cut short",
			text: process + point + `
Snapshot Thread=1 Values=[0:2]`,
			want: map[string]Amount{
				"run@1 demo.Point": {Objects: 2, Bytes: 48},
				"run@2 int[]":      {Objects: 4, Elements: 12, Bytes: 128},
			},
			increments: 2,
			perSite:    6,
			losses:     map[string]uint64{"live-frames": 0},
		},
		{
			name: "counts below zero",
			text: process + point + `
Snapshot Thread=1 Values=[0:2]
Snapshot Thread=1 Full=true Values=[0:-5 1:-2]
Mark Nanos=1 JVMBytes=9223372036854775808
Allocated Thread=1 Bytes=18446744073709551615
Adaptation Increments=-1
Internal Cause="vm_start" Bytes=9223372036854775808
End Complete=true`,
			want: map[string]Amount{
				"run@1 demo.Point": {Objects: 2, Bytes: 48},
				"run@2 int[]":      {Objects: 4, Elements: 12, Bytes: 128},
			},
			increments: 2,
			perSite:    6,
			losses:     map[string]uint64{"damage": 6},
		},
		{
			name: "retired numbers are used again",
			text: process + point + `
Snapshot Thread=1 Values=[0:10]
Retired
ClassDef ID=1 Name="demo/Other" SiteBase=2 Counters=1
  MethodDef Name="other" Descriptor="()V"
    SiteDef BCI=3 Line=-1 Type="demo/Point"
    CounterDef Semantics=[0:1]
Snapshot Thread=1 Values=[0:5]
End Complete=true`,
			want: map[string]Amount{
				"run@1 demo.Point":   {Objects: 10, Bytes: 240},
				"run@2 int[]":        {Objects: 20, Elements: 60, Bytes: 640},
				"other@3 demo.Point": {Objects: 5, Bytes: 120},
			},
			increments: 15,
			perSite:    35,
			losses:     map[string]uint64{},
		},
		{
			name: "a class instrumented again keeps its sites",
			text: process + point + strings.Replace(point, `ClassDef Name="demo/Main"`,
				`ClassDef ID=1 SiteBase=2 CounterBase=4 Name="demo/Main"`, 1) + `
Snapshot Thread=1 Values=[0:1 4:2]
LiveFrames Thread=1 Terms=[2:1]
End Complete=true`,
			want: map[string]Amount{
				"run@1 demo.Point": {Objects: 2, Bytes: 48},
				"run@2 int[]":      {Objects: 6, Elements: 18, Bytes: 192},
			},
			increments: 3,
			perSite:    8,
			losses:     map[string]uint64{},
		},
		{
			name: "an array is counted and measured in one word",
			text: process + `
ClassDef Name="demo/Main" Counters=6
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=1 Type="[B" Kind=ArrayLen
    SiteDef BCI=2 Type="[J" Kind=ArrayConst Length=1
    CounterDef Semantics=[1:1]
    CounterDef Counter=1 Kind=Packed Semantics=[0:1 1:2]
    CounterDef Counter=2 Kind=Arrays Semantics=[0:1 1:2]
    CounterDef Counter=3 Kind=Elements Semantics=[0:1]
    CounterDef Counter=4 Kind=Bytes Semantics=[0:1]
Snapshot Thread=1 Values=[0:5 1:` + strconv.Itoa(10<<31|3<<19|(3*16+14)) + ` 2:4 3:100 4:200]
LiveFrames Thread=1 Terms=[1:1]
End Complete=true`,
			want: map[string]Amount{
				"run@1 byte[]": {Objects: 7, Elements: 110, Bytes: 3*16 + 10 + 14 + 200},
				"run@2 long[]": {Objects: 18, Elements: 18, Bytes: 18 * 24},
			},
			increments: 5 + 7,
			perSite:    18 + 7,
			losses:     map[string]uint64{},
		},
		{
			name: "a word that was spilled is zero, and named no more",
			text: process + `
ClassDef Name="demo/Main" Counters=4
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=1 Line=5 Type="[B" Kind=ArrayLen
    CounterDef Counter=0 Kind=Packed Semantics=[0:1]
    CounterDef Counter=1 Kind=Arrays Semantics=[0:1]
    CounterDef Counter=2 Kind=Elements Semantics=[0:1]
    CounterDef Counter=3 Kind=Bytes Semantics=[0:1]
Snapshot Thread=1 Values=[0:` + strconv.Itoa(10<<31|3<<19|(3*16+14)) + `]
Snapshot Thread=1 Full=true Values=[1:4 2:100 3:200]
End Complete=true`,
			want:       map[string]Amount{"run@1 byte[]": {Objects: 4, Elements: 100, Bytes: 200}},
			increments: 4,
			perSite:    4,
			losses:     map[string]uint64{},
		},
		{
			name: "sums of lengths and sizes",
			text: process + `
ClassDef Name="demo/Main" Counters=9
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=1 Line=5 Type="[B" Kind=ArrayConst Length=10
    SiteDef BCI=2 Line=6 Type="[[I" Kind=Multi
    SiteDef BCI=2 Line=6 Type="[I" Kind=Multi
    CounterDef Semantics=[0:1]
    CounterDef Counter=3 Kind=Arrays Semantics=[1:1]
    CounterDef Counter=4 Kind=Elements Semantics=[1:1]
    CounterDef Counter=5 Kind=Bytes Semantics=[1:1]
    CounterDef Counter=6 Kind=Arrays Semantics=[2:1]
    CounterDef Counter=7 Kind=Elements Semantics=[2:1]
    CounterDef Counter=8 Kind=Bytes Semantics=[2:1]
Snapshot Thread=1 Values=[0:10 3:2 4:6 5:80 6:6 7:24 8:192]
End Complete=true`,
			want: map[string]Amount{
				"run@1 byte[]":  {Objects: 10, Elements: 100, Bytes: 320},
				"run@2 int[][]": {Objects: 2, Elements: 6, Bytes: 80},
				"run@2 int[]":   {Objects: 6, Elements: 24, Bytes: 192},
			},
			increments: 10 + 6*2, // the path, six for each multianewarray
			perSite:    10 + 6*2,
			losses:     map[string]uint64{},
		},
		{
			name: "sizes by loader, by name, and unknown",
			text: process + `
Loader ID=0
Loader ID=1 Class="app/Loader" Name="one"
Loader ID=2 Class="app/Loader"
ClassSize Loader=1 Name="demo/Twice" Bytes=16
ClassSize Loader=2 Name="demo/Twice" Bytes=32
ClassSize Loader=0 Name="demo/Once" Bytes=40
ClassDef Loader=2 Name="demo/Main" Counters=1
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=1 Type="demo/Twice"
    SiteDef BCI=2 Type="demo/Once"
    SiteDef BCI=3 Type="demo/Never"
    CounterDef Semantics=[0:1 1:1 2:1]
ClassDef ID=1 Loader=0 Name="demo/Elsewhere" SiteBase=3 CounterBase=1 Counters=1
  MethodDef Name="off" Descriptor="()V"
    SiteDef BCI=1 Type="demo/Twice"
    CounterDef Semantics=[0:1]
Snapshot Thread=1 Values=[0:2 1:3]
End Complete=true`,
			want: map[string]Amount{
				"run@1 demo.Twice": {Objects: 2, Bytes: 64},
				"run@2 demo.Once":  {Objects: 2, Bytes: 80},
				"run@3 demo.Never": {Objects: 2, Unsized: 2},
				"off@1 demo.Twice": {Objects: 3, Unsized: 3},
			},
			increments: 5,
			perSite:    9,
			losses:     map[string]uint64{"sizes": 5},
		},
		{
			name: "what cannot be understood is a loss",
			text: process + `
ClassDef Name="demo/Main" Counters=1
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=1 Type="[J" Kind=ArrayConst Length=1
    CounterDef Semantics=[0:1 7:1]
    CounterDef Counter=5 Semantics=[0:1]
Thread ID=2 Name="ended" Ended=true
Snapshot Thread=1 Values=[0:1 9:1]
Snapshot Thread=2 Values=[0:1]
LiveFrames Thread=1 Terms=[99:1]
Loss Kind="records" Count=2 Detail="disk full"
Loss Kind="records" Count=3 Detail="disk full"
End Complete=true`,
			want:       map[string]Amount{"run@1 long[]": {Objects: 1, Elements: 1, Bytes: 24}},
			increments: 1,
			perSite:    1,
			losses:     map[string]uint64{"definitions": 4, "snapshots": 1, "records": 5},
		},
		{
			name: "exceptions count only where something was allocated",
			text: process + `
ClassDef Name="demo/Main" Counters=2
  MethodDef Name="run" Descriptor="()V" ThrowCrossesPath=true
    SiteDef BCI=1 Type="[J" Kind=ArrayConst
    CounterDef Semantics=[0:1]
  MethodDef Name="never" Descriptor="()V" ThrowCrossesPath=true
    SiteDef BCI=1 Type="[J" Kind=ArrayConst
    CounterDef Counter=1 Semantics=[0:1]
Snapshot Thread=1 Values=[0:1]
End Complete=true`,
			want:       map[string]Amount{"run@1 long[]": {Objects: 1, Bytes: 16}},
			increments: 1,
			perSite:    1,
			losses:     map[string]uint64{"exceptions": 1},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := fold(t, test.text)
			if diff := cmp.Diff(test.want, amounts(p)); diff != "" {
				t.Errorf("amounts (-want +got):\n%s", diff)
			}
			if p.Increments != test.increments || p.SiteIncrements != test.perSite {
				t.Errorf("increments %d, per site %d; want %d, %d", p.Increments, p.SiteIncrements, test.increments,
					test.perSite)
			}
			if diff := cmp.Diff(test.losses, losses(p)); diff != "" {
				t.Errorf("losses (-want +got):\n%s\n%v", diff, p.Losses)
			}
			checkSums(t, p)
		})
	}
}

// checkSums checks that threads, sites and the total agree.
func checkSums(t *testing.T, p *Profile) {
	t.Helper()
	var total Amount
	sites := make([]Amount, len(p.Sites))
	for sample := range p.Samples(Filter{}) {
		sites[sample.Index].Add(sample.Amount)
		total.Add(sample.Amount)
	}
	for i, sum := range sites {
		if sum != p.Sites[i].Amount {
			t.Errorf("site %d: threads have %+v, the site %+v", i, sum, p.Sites[i].Amount)
		}
	}
	if total != p.Total {
		t.Errorf("threads have %+v, the total is %+v", total, p.Total)
	}
}

func TestThreadsThatEnded(t *testing.T) {
	f := newFolder()
	f.add(&trace.ClassDef{Name: "demo/Main", Counters: 1, Methods: []trace.MethodDef{{
		Name: "run", Descriptor: "()V",
		Sites:    []trace.SiteDef{{Type: "demo/Point"}},
		Counters: []trace.CounterDef{{Semantics: []trace.Term{{Coefficient: 1}}}},
	}}})
	const threads = maxThreads + 1000
	for id := range trace.ThreadID(threads) {
		f.add(&trace.Thread{ID: id, Name: "worker"})
		f.add(&trace.Snapshot{Thread: id, Values: []trace.CounterValue{{Value: 2}}})
		f.add(&trace.Thread{ID: id, Name: "worker", Ended: true})
	}
	if len(f.threads) > maxThreads {
		t.Errorf("%d threads are kept apart, at most %d should be", len(f.threads), maxThreads)
	}
	p := f.finish(nil)
	if p.Total.Objects != 2*threads {
		t.Errorf("%d objects, want %d", p.Total.Objects, 2*threads)
	}
	rows := p.Rows(Query{By: ByThread}).Rows
	if len(rows) != 2 || rows[0].Threads+rows[1].Threads != threads {
		t.Errorf("rows %+v, want one for workers and one for the rest, %d threads together", rows, threads)
	}
	if losses(p)["threads"] != 1000 {
		t.Errorf("losses %v, want one for 1000 threads", p.Losses)
	}
}

func TestDamage(t *testing.T) {
	whole := profiletest.MustEncode(t, process+`
ClassDef Name="demo/Main" Counters=1
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=1 Type="[J" Kind=ArrayConst
    CounterDef Semantics=[0:1]
Snapshot Thread=1 Values=[0:1]
End Complete=true`)
	if _, err := Fold(bytes.NewReader(whole[:trace.FileHeaderSize+40])); err == nil {
		t.Error("a recording whose only block is cut off was read")
	}
	for i := range whole {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 1
		p, err := Fold(bytes.NewReader(flipped))
		if err == nil && p.Total.Objects != 1 && len(p.Damage) == 0 {
			t.Errorf("byte %d flipped: %+v without a word", i, p.Total)
		}
	}
}
