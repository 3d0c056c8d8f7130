package profile

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mallard/internal/trace"
)

// TestReconciliation has a thread that allocated less than it counted, one that
// allocated more, and one that the JVM does not single out.
func TestReconciliation(t *testing.T) {
	const counts = process + `
Thread ID=2 Name="worker"
Thread ID=3 Name="overflow"
ClassSize Name="demo/Point" Bytes=24
ClassDef Name="demo/Main" Counters=1
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=0 Line=3 Type="demo/Point"
    CounterDef Counter=0 Semantics=[0:1]
Snapshot Thread=1 Full=true Values=[0:100]
Snapshot Thread=2 Full=true Values=[0:10]
Snapshot Thread=3 Full=true Values=[0:1]
`
	if r := fold(t, counts+"Mark Nanos=1\n").Reconciliation; r != nil {
		t.Errorf("%+v without the JVM's figure", r)
	}
	got := fold(t, counts+`
Allocated Thread=1 Bytes=2000
Allocated Thread=2 Bytes=1000
Internal Cause="vm_start" Bytes=500
Internal Cause="vm_threads" Bytes=50
Mark Nanos=1 JVMBytes=3600
`).Reconciliation
	want := &Reconciliation{Counted: 111 * 24, JVM: 3600, VMStart: 500, VMThreads: 50, EscapeAnalysis: 2400 - 2000,
		Unattributed: (1000 - 240) + (50 - 24)}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Reconciliation{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if sum := got.Counted - got.EscapeAnalysis + got.AtNoSite(); sum != got.JVM {
		t.Errorf("the parts make %d, not %d", sum, got.JVM)
	}
}

// TestClassObjects: what the JVM made for classes has sites, no callers, and is taken from threads that allocated most
// at no known site.
func TestClassObjects(t *testing.T) {
	p := fold(t, process+`
Thread ID=2 Name="worker"
Contexts
Allocated Thread=1 Bytes=1000
Allocated Thread=2 Bytes=700
ClassObjects Type="java/lang/Class" What="mirrors" Objects=5 Bytes=600
ClassObjects Type="[B" What="names" Objects=2 Elements=60 Bytes=96
ClassObjects Type="[B" What="names" Objects=1 Elements=2 Bytes=24
Mark Nanos=1 JVMBytes=1700
`)
	want := &Reconciliation{Counted: 720, JVM: 1700, Unattributed: 980}
	if diff := cmp.Diff(want, p.Reconciliation, cmpopts.IgnoreUnexported(Reconciliation{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	var got []string
	for _, row := range p.Rows(Query{By: ByContext}).Rows {
		stack := p.Stack(row.Site, row.Context)
		got = append(got, fmt.Sprint(row.Site.Type, row.Amount, len(stack), " ", stack[0].Method.Title()))
	}
	rows := []string{"java.lang.Class{5 0 600 0 0} 1 (JVM).mirrors", "byte[]{3 62 120 0 0} 1 (JVM).names"}
	if diff := cmp.Diff(rows, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if p.ThreadsRecorded != 2 || len(p.Threads) != 1 || p.Threads[0].Merged != 0 {
		t.Errorf("%d threads, of which allocated: %+v", p.ThreadsRecorded, p.Threads)
	}
	if p.SiteIncrements != 0 {
		t.Errorf("%d increments of what nobody counts", p.SiteIncrements)
	}
}

// TestUnattributed: where the JVM allocated many bytes at no known site, in a thread or in all, a loss says so, and
// what other threads did not allocate does not hide it.
func TestUnattributed(t *testing.T) {
	const counts = process + `
Thread ID=2 Name="worker"
Thread ID=3 Name="pool" Carrier=true
ClassSize Name="demo/Point" Bytes=24
ClassDef Name="demo/Main" Counters=1
  MethodDef Name="run" Descriptor="()V"
    SiteDef BCI=0 Line=3 Type="demo/Point"
    CounterDef Counter=0 Semantics=[0:1]
Snapshot Thread=1 Full=true Values=[0:10000000]
Snapshot Thread=2 Full=true Values=[0:10000000]
Snapshot Thread=3 Full=true Values=[0:10000000]
`
	const native = "native code may have made them (run --jni counts that), or the JVM for itself"
	for _, test := range []struct{ name, allocated, want string }{
		{"escape analysis alone", "Allocated Thread=1 Bytes=24\nMark Nanos=1 JVMBytes=480000024", ""},
		{"few bytes", "Allocated Thread=1 Bytes=241000000\nAllocated Thread=2 Bytes=240000000\n" +
			"Mark Nanos=1 JVMBytes=722500000", ""},
		{"one thread", "Allocated Thread=1 Bytes=300000000\nAllocated Thread=2 Bytes=24\n" +
			"Mark Nanos=1 JVMBytes=540000024", "bytes that the JVM allocated at no known site, 11.1 % of " +
			"all: in main (20.0 % of its own); " + native},
		{"a carrier", "Allocated Thread=3 Bytes=300000000\nMark Nanos=1 JVMBytes=780000000", "bytes that the JVM " +
			"allocated at no known site, 7.7 % of all: in pool (carrier) (20.0 % of its own); " +
			native + ", such as stacks of virtual threads that wait"},
		{"virtual threads that count apart", "Thread ID=4 Name=\"(virtual threads)\" Carrier=true\n" +
			"Snapshot Thread=4 Full=true Values=[0:10000000]\nAllocated Thread=3 Bytes=480000000\n" +
			"Mark Nanos=1 JVMBytes=960000000", ""},
		{"nobody's", "Mark Nanos=1 JVMBytes=780000000", "bytes that the JVM allocated at no known site, 7.7 % of " +
			"all: " + native},
	} {
		var got string
		for _, loss := range fold(t, counts+test.allocated+"\n").Losses {
			if loss.Kind == "unattributed" {
				got = loss.Detail
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestUncounted: where nothing is to count it is no loss that nothing has.
func TestUncounted(t *testing.T) {
	for track, want := range map[string]bool{`"gc" "replicas"`: false, `"gc" "replicas" "uncounted"`: true} {
		p := fold(t, "Process PID=7 ArrayBase=[16 16 16 16] RefBytes=4 ObjectAlignment=8 Track=["+track+"]\n"+
			"Thread ID=1 Name=\"main\"\nMark Nanos=1 JVMBytes=780000000\n")
		lost := slices.ContainsFunc(p.Losses, func(l trace.Loss) bool { return l.Kind == "unattributed" })
		if p.IsUncounted() != want || lost == want {
			t.Errorf("%s: uncounted %v, losses %v", track, p.IsUncounted(), p.Losses)
		}
	}
}
