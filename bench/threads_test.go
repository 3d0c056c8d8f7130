package main

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestThreadClocks: threads are known by their names, a process's by what the kernel says, and what nobody else has
// taken is the program's.
func TestThreadClocks(t *testing.T) {
	for name, want := range map[string]string{"C2 CompilerThre\n": compilerThreads, "G1 Service\n": collectorThreads,
		"GC Thread#1\n": collectorThreads, "mallard early\n": readingThreads, "main\n": programThreads,
		"VM Thread\n": vmThreads, "VM Periodic Tas\n": programThreads} {
		if kind := kindOfThread(name); kind != want {
			t.Errorf("%q is of the %s, want %s", name, kind, want)
		}
	}
	before, err := threadClocks(os.Getpid())
	for began := time.Now(); time.Since(began) < 50*time.Millisecond; {
	}
	after, again := threadClocks(os.Getpid())
	if err != nil || again != nil || after[programThreads] <= before[programThreads] {
		t.Errorf("%v s, then %v s: %v, %v", before, after, err, again)
	}
	if _, err := threadClocks(0); err == nil {
		t.Error("process 0 has threads")
	}
	got := spentByThreads(map[string]float64{collectorThreads: 1}, map[string]float64{collectorThreads: 3,
		compilerThreads: 2}, 10)
	want := map[string]float64{programThreads: 6, compilerThreads: 2, collectorThreads: 2, vmThreads: 0,
		readingThreads: 0, recorderThreads: 0}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
