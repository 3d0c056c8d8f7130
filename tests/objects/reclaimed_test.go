package objects_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// reclaiming has concurrent cycles come only when the program asks for one, and leaves it to them to find out that
// large arrays are dead.
var reclaiming = []string{"-XX:+UseG1GC", "-Xmx64m", "-Xmn8m", "-XX:G1HeapRegionSize=1m",
	"-XX:+ExplicitGCInvokesConcurrent", "-XX:MaxTenuringThreshold=0", "-XX:-G1UseAdaptiveIHOP",
	"-XX:InitiatingHeapOccupancyPercent=100", "-XX:+UnlockExperimentalVMOptions", "-XX:+UnlockDiagnosticVMOptions",
	"-XX:+IgnoreUnrecognizedVMOptions", "-XX:-G1EagerReclaimHumongousObjects"}

// TestReclaimed has G1 find large arrays and whole regions of old objects dead in a pause that collects nothing else,
// at the end of a marking: they have died at just that pause, and as much of them as the JVM's log says.
func TestReclaimed(t *testing.T) {
	const rounds, arrays, elements = 4, 6, (1<<20 - 16) / 4 // an array fills a region
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, flags := range [][]string{nil, {"--each-object"}} {
			t.Run(strings.Join(flags, " "), func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Reclaimed")
				command.Options = slices.Clone(reclaiming)
				command.Args = []string{strconv.Itoa(rounds), strconv.Itoa(arrays), strconv.Itoa(elements)}
				log := withLog(t, &command)
				history, p, output := recordedBoth(t, jdk, command, flags...)
				if output.ExitCode != 0 || output.Stdout != "done\n" {
					t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
				}
				checkHeap(t, jdk, history)
				reclaimed := 0
				for line := range strings.Lines(log()) {
					var id, before, after int64
					_, text, _ := strings.Cut(line, "GC(")
					if n, _ := fmt.Sscanf(text, "%d) Pause Remark %dM->%dM(", &id, &before, &after); n != 3 ||
						after+arrays > before {
						continue
					}
					reclaimed++
					checkReclaimed(t, history, id, before-after, map[string]int64{"Reclaimed$Old[]": arrays,
						"Reclaimed$Old": arrays * elements / 4})
				}
				if reclaimed != rounds {
					t.Errorf("%d of %d pauses have reclaimed something\n%s", reclaimed, rounds, log())
				}
				checkOneSite(t, history.BySites(p.Tagged), "Reclaimed$Old[]", "make", rounds*arrays, 0)
				if n := born(t, history)["Reclaimed$Old"].Objects; n != rounds*arrays*elements/4 {
					t.Errorf("%d old ones were born", n)
				}
			})
		}
	})
}

// checkReclaimed looks at the first pause of a concurrent cycle: so many megabytes died there, all of the arrays, and
// of other objects those in regions in which nothing lives.
func checkReclaimed(t *testing.T, history *heap.History, id, megabytes int64, want map[string]int64) {
	t.Helper()
	at := slices.IndexFunc(history.Pauses, func(p heap.Pause) bool { return p.Collection == id })
	if at < 1 {
		t.Fatalf("there is no pause gc:%d", id)
	}
	if p := &history.Pauses[at]; p.Collected != heap.Nothing || !p.Freed {
		t.Errorf("gc:%d: collected %v, freed %t", id, p.Collected, p.Freed)
	}
	diff := history.Diff(at-1, at, heap.Query{By: []heap.By{heap.ByClass}})
	died := map[string]int64{}
	for _, row := range diff.Rows {
		died[history.Name(row.Class)] = row.Died().Objects
	}
	arrays, objects := died["Reclaimed$Old[]"], died["Reclaimed$Old"]
	if arrays != want["Reclaimed$Old[]"] || objects > want["Reclaimed$Old"] || objects < want["Reclaimed$Old"]/2 {
		t.Errorf("gc:%d: %d arrays and %d objects of %v died", id, arrays, objects, want)
	}
	bytes := diff.Selected.Died().Bytes
	t.Logf("gc:%d: %d objects and %d bytes died, the log has %d MB", id, objects, bytes, megabytes)
	if bytes > (megabytes+1)<<20 || bytes < (megabytes-2)<<20 {
		t.Errorf("gc:%d: %d bytes died, the log has %d MB", id, bytes, megabytes)
	}
}
