package profile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if sum := got.Counted - got.EscapeAnalysis + got.AtNoSite(); sum != got.JVM {
		t.Errorf("the parts make %d, not %d", sum, got.JVM)
	}
}
