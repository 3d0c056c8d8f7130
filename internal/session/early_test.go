package session_test

import (
	"testing"

	"mallard/internal/jvmtest"
)

// TestEarlyCounts starts JVMs again and again: what ran before there was a second thread is main's, whichever thread counts first after that.
func TestEarlyCounts(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for range 5 {
			_, p := record(t, jdk, jvmtest.Command{Options: []string{"-version"}})
			for _, thread := range p.Threads {
				var objects int64
				for _, cell := range thread.Cells {
					objects += cell.Amount.Objects
				}
				if main := thread.Name == "main" || thread.Name == "DestroyJavaVM"; !main && objects > 100 {
					t.Errorf("%s made %d objects", thread.Name, objects)
				}
			}
		}
	})
}
