package truth_test

import (
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/symbols"
)

// TestEarlyCounts starts JVMs again and again: what ran before there was a second thread is main's, whichever thread
// counts first after that.
func TestEarlyCounts(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for range 5 {
			_, p := mallardtest.Record(t, jdk, jvmtest.Command{Options: []string{"-version"}})
			for _, thread := range p.Threads {
				var objects int64
				for _, cell := range thread.Cells {
					objects += cell.Amount.Objects
				}
				main := thread.Name == "main" || thread.Name == "DestroyJavaVM" || thread.Name == symbols.VM
				if !main && objects > 100 {
					t.Errorf("%s made %d objects", thread.Name, objects)
				}
			}
		}
	})
}

// TestEarlyArray: the arrays in which the early time counts are not among what the program made at no known site. The
// smaller of them has 1 MB; the rest is some 20 KB.
func TestEarlyArray(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		_, p := mallardtest.Record(t, jdk, jvmtest.Command{Options: []string{"-version"}}, "--track", "contexts")
		if r := p.Reconciliation; r == nil || r.Unattributed > 1<<16 {
			t.Errorf("%+v", r)
		}
	})
}
