package objects_test

import (
	"fmt"
	"strconv"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestRapid has a young generation so small that there are hundreds of collections a second, a thousand on a quiet
// machine: each is there, and births are exact, by site too.
func TestRapid(t *testing.T) {
	const collections, each = 3000, 20
	options := map[string][]string{"Serial": {"-Xmx8m", "-Xmn1m"},
		"Parallel": {"-Xmx8m", "-Xmn2m", "-XX:-UseAdaptiveSizePolicy", "-XX:ParallelGCThreads=1"},
		"G1":       {"-Xmx12m", "-Xmn1m", "-XX:G1HeapRegionSize=1m", "-XX:ParallelGCThreads=1"}}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Rapid")
				command.Options = append([]string{"-XX:+Use" + collector + "GC", noDead}, options[collector]...)
				command.Args = []string{strconv.Itoa(collections)}
				history, p, output := recordedBoth(t, jdk, command)
				var rounds, rate int64
				if n, _ := fmt.Sscanf(output.Stdout, "%d rounds, %d", &rounds, &rate); n != 2 {
					t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
				}
				t.Logf("%d collections a second", rate)
				collected := 0
				for i := range history.Pauses {
					if history.Pauses[i].Kind() != heap.OtherPause {
						collected++
					}
				}
				if collected < collections {
					t.Errorf("%d collections are there, want %d", collected, collections)
				}
				checkHeap(t, jdk, history)
				all := born(t, history)
				if fresh, kept := all["Rapid$Fresh"].Objects, all["Rapid$Kept"].Objects; fresh != (each+1)*rounds ||
					kept != rounds {
					t.Errorf("%d and %d were born in %d rounds", fresh, kept, rounds)
				}
				// one whose constructor a collection interrupts may be dead by the next one
				missing := int64(len(history.Pauses))
				checkSite(t, history.BySites(p.Tagged), "Rapid$Kept", "round", rounds, missing, 100)
			})
		}
	})
}
