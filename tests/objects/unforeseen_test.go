package objects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// surprises are whether sites get lost. G1 announces all, and JDK 25 the collection for a histogram, and a full one
// behind a young one. Parallel on 17 may expect the full one, by what it has promoted before.
var surprises = map[string]bool{
	"17 Serial large": true, "17 Serial histogram": true,
	"17 G1 large": false, "17 G1 histogram": false,
	"25 Serial large": false, "25 Serial histogram": false, "25 Parallel large": true, "25 Parallel histogram": false,
	"25 G1 large": false, "25 G1 histogram": false,
}

// TestUnforeseen has full collections come that nothing has announced, or that come where a young one was to be
// expected. Then headers are made anew of objects that were not ready for it: their site is unknown, and nobody else's,
// and a loss says so.
func TestUnforeseen(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range collectors {
			for _, way := range []string{"large", "histogram"} {
				t.Run(collector+" "+way, func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Unforeseen")
					command.Options = []string{"-XX:+Use" + collector + "GC", "-Xms64m", "-Xmx64m", "-Xmn32m"}
					command.Args = []string{way}
					history, p, output := recordedBoth(t, jdk, command)
					if output.ExitCode != 0 || !strings.HasSuffix(output.Stdout, "kept 7000\n") {
						t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
					}
					checkHeap(t, jdk, history)
					history = history.BySites(p.Tagged)
					got := map[string]int64{}
					for _, row := range inAll(t, history, heap.BySite) {
						method := ""
						if site := history.Site(row.Class); site != nil {
							method = site.Method
						}
						if history.Name(row.Class) == "Unforeseen$Node" && row.After.Objects > 0 {
							got[method] += row.After.Objects
						}
					}
					want := map[string]int64{"first": 6000, "second": 1000}
					lost := got[""] > 0
					if lost {
						want = map[string]int64{"first": 5000, "": 2000}
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("-want +got\n%s", diff)
					}
					must, known := surprises[fmt.Sprint(jdk.Feature, " ", collector, " ", way)]
					if known && lost != must || lost && len(p.Losses) == 0 {
						t.Errorf("lost %t, want %t; losses: %v", lost, must, p.Losses)
					}
				})
			}
		}
	})
}
