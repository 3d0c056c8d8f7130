package objects_test

import (
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// stackChunk is the class of what has a virtual thread's stack while that is parked.
const stackChunk = "jdk.internal.vm.StackChunk"

// TestStackChunks has stacks of thousands of virtual threads survive, get old, and be moved with all else, while each
// of them goes on now and then: what is held is what the JVM's own histogram has, and births of what they make are
// exact.
func TestStackChunks(t *testing.T) {
	const threads, rounds = 2000, 4
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if jdk.Feature < 21 {
			t.Skip("there are no virtual threads")
		}
		for i, collector := range collectors {
			for k, flags := range [][]string{nil, {"--each-object"}} {
				if collector != "G1" && i != k {
					continue
				}
				t.Run(strings.Join(append(flags, collector), " "), func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Chunks")
					command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx96m", "-Xmn8m",
						"-Djdk.virtualThreadScheduler.parallelism=2", // threads that may be interrupted
						"-XX:InitiatingHeapOccupancyPercent=5", "-XX:-G1UseAdaptiveIHOP",
						"-XX:+UnlockExperimentalVMOptions", "-XX:G1MixedGCLiveThresholdPercent=100"}
					command.Args = []string{strconv.Itoa(threads), strconv.Itoa(rounds)}
					history, p, output := recordedBoth(t, jdk, command, flags...)
					if output.ExitCode != 0 {
						t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
					}
					checkHeap(t, jdk, history)
					checkChunks(t, history, readHistogram(t, output.Stdout), threads, threads*rounds,
						collector == "G1")
					history = history.BySites(p.Tagged)
					missing := 2 * int64(len(history.Pauses))
					checkSite(t, history, "Chunks$Made", "live", threads*rounds, missing, 0)
					checkSite(t, history, "Chunks$Local", "live", threads, missing, threads)
				})
			}
		}
	})
}

// checkChunks holds stacks to the JVM's histogram, behind the last full collection, and looks whether they came through
// all kinds of collections before.
func checkChunks(t *testing.T, history *heap.History, histogram map[string]heap.Amount, threads, made int64,
	mixes bool) {
	t.Helper()
	full, kinds := -1, map[heap.PauseKind]int{}
	var survived, promoted int64
	for _, row := range history.Collections(heap.Query{Class: stackChunk}).Rows {
		p := &history.Pauses[row.Pause]
		kinds[p.Kind()]++
		survived += row.Survived.Objects
		promoted += row.Promoted.Objects
		if p.Kind() == heap.FullPause {
			full = row.Pause
		}
	}
	if kinds[heap.YoungPause] < 5 || kinds[heap.FullPause] < 3 || mixes && kinds[heap.MixedPause] == 0 {
		t.Errorf("kinds of pauses: %v", kinds)
	}
	left, all := held(history, full), born(t, history)
	for _, class := range []string{stackChunk, "Chunks$Local", "Chunks$Made", "java.lang.VirtualThread"} {
		if left[class] != histogram[class] {
			t.Errorf("%s: %v are left, the JVM has %v", class, left[class], histogram[class])
		}
	}
	t.Logf("%d stacks were born, %d survived, %d were promoted, %d are left; %v", all[stackChunk].Objects, survived,
		promoted, left[stackChunk].Objects, kinds)
	if n := all["Chunks$Made"].Objects; n != made {
		t.Errorf("Chunks$Made: %d were born, want %d", n, made)
	}
	if n := all[stackChunk].Objects; n < threads || survived == 0 || promoted < threads {
		t.Errorf("%d stacks were born, %d survived, %d were promoted", n, survived, promoted)
	}
}
