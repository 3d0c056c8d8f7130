package objects_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestLooked has others look at the heap while objects are recorded: another agent at each object and at each that
// there is a way to, histograms, heap dumps and dumps of threads. Births and what is held are exact, by site too.
// With Serial and Parallel collections for a histogram or a dump are not announced: what was born right before one is
// not known.
func TestLooked(t *testing.T) {
	const looks = "20"
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		library, err := jdk.Agent(mallardtest.Source(t, "agents", "looks.c"))
		if err != nil {
			t.Fatal(err)
		}
		for i, collector := range collectors {
			for k, of := range []string{"live", "all"} {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				t.Run(collector+" "+of, func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Looked")
					command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m", noDead,
						"-agentpath:" + library}
					// on JDK 17 what follows references has headers made anew, without tags
					follows, tagged := jdk.Feature > 17 || of == "all", jdk.Feature > 17 || of == "live"
					command.Args = []string{looks, of, t.TempDir(), strconv.FormatBool(follows)}
					log := withLog(t, &command)
					history, p, output := recordedBoth(t, jdk, command)
					var rounds, kept int64
					if n, _ := fmt.Sscanf(output.Stdout, "%d rounds, %d kept", &rounds, &kept); n != 2 {
						t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
					}
					asked := 0
					for _, cause := range []string{"Heap Inspection Initiated GC", "Heap Dump Initiated GC"} {
						asked += strings.Count(log(), "Pause Full ("+cause+")")
					}
					if (asked > 4) != (of == "live") {
						t.Errorf("the JVM has collected for histograms and dumps %d times\n%s", asked, log())
					}
					checkHeap(t, jdk, history)
					unknown := of == "live" && collector != "G1"
					checkLooked(t, history, rounds, kept, unknown)
					if history = history.BySites(p.Tagged); tagged && !unknown {
						checkHeap(t, jdk, history)
						// one of each thread may be dead before its tag is seen
						missing := 2 * int64(len(history.Pauses))
						checkSite(t, history, "Looked$Made", "one", lookedEach*rounds, missing, 0)
						checkSite(t, history, "Looked$Made", "two", lookedEach*rounds, missing, kept/2)
					}
				})
			}
		}
	})
}

const lookedEach, lookedKeeps = 500, 100 // what each site makes in a round, of which it keeps one in so many

// checkLooked holds births and what is held at the end to what the program says. Some that were born may be unknown.
func checkLooked(t *testing.T, history *heap.History, rounds, kept int64, unknown bool) {
	t.Helper()
	all, left := born(t, history), held(history, len(history.Pauses)-1)
	for class, want := range map[string]struct{ born, held int64 }{
		"Looked$Made":   {2 * lookedEach * rounds, lookedEach / lookedKeeps * rounds},
		"Looked$Kept":   {5 * rounds, 5 * rounds},
		"Looked$Made[]": {lookedEach / lookedKeeps * rounds, lookedEach / lookedKeeps * rounds},
	} {
		if n := all[class].Objects; n > want.born || n < want.born && !unknown {
			t.Errorf("%s: %d were born, want %d", class, n, want.born)
		}
		if n := left[class].Objects; n != want.held {
			t.Errorf("%s: %d are held, want %d", class, n, want.held)
		}
	}
	if kept != 10*rounds {
		t.Errorf("the program keeps %d", kept)
	}
}
