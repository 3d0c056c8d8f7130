package objects_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestRemoved has C2 do without most objects of a class, or not, and holds what is said of that against what the
// program makes.
func TestRemoved(t *testing.T) {
	const rounds = "3000000"
	want := map[string]int64{"Removed$Point": 9_000_000, "Removed$Seen": 30_000}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			for _, escapeAnalysis := range []string{"+", "-"} {
				t.Run(collector+escapeAnalysis, func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Removed")
					command.Options = []string{"-Xmx32m", "-Xmn4m", "-XX:+Use" + collector + "GC",
						"-XX:" + escapeAnalysis + "DoEscapeAnalysis"}
					command.Args = []string{rounds}
					history, p, _ := recordedBoth(t, jdk, command, "--no-tags")
					checkHeap(t, jdk, history)
					answer, err := history.Removed(p, heap.Query{Class: "Removed$*"})
					if err != nil {
						t.Fatal(err)
					}
					for _, c := range answer.Rows {
						removed, n := c.Removed().Objects, want[c.Name]
						if c.Counted.Objects != n || c.Uncounted().Objects != 0 {
							t.Errorf("%s: %d counted and %d not, want %d and none", c.Name, c.Counted.Objects,
								c.Uncounted().Objects, n)
						}
						if isPoint := c.Name == "Removed$Point"; isPoint && escapeAnalysis == "+" {
							if removed < n/2 {
								t.Errorf("of %d points only %d are removed", n, removed)
							}
						} else if removed != 0 {
							t.Errorf("%s: %d are removed, which the compiler cannot do without", c.Name, removed)
						}
					}
					if len(answer.Rows) != len(want) {
						t.Errorf("%d classes, want %d", len(answer.Rows), len(want))
					}
				})
			}
		}
	})
}

// TestRemovedBySite: objects that carry their site are born where they were counted, each of them, but for those that
// died before they had it.
func TestRemovedBySite(t *testing.T) {
	const rounds = 1_000_000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Removed")
				command.Options = []string{"-Xmx32m", "-Xmn4m", "-XX:+Use" + collector + "GC"}
				command.Args = []string{strconv.Itoa(rounds)}
				history, p, _ := recordedBoth(t, jdk, command)
				checkHeap(t, jdk, history)
				answer, err := history.BySites(p.Tagged).Removed(p, heap.Query{Class: "Removed$*",
					By: []heap.By{heap.BySite}})
				if err != nil {
					t.Fatal(err)
				}
				want := map[string]int64{"Removed$Point Removed.distance:44": 2 * rounds,
					"Removed$Point Removed$Point.plus:15": rounds, "Removed$Seen Removed.main:32": rounds / 100}
				counted := map[string]int64{}
				for _, c := range answer.Rows {
					if c.Made == nil {
						continue
					}
					site, n := fmt.Sprintf("%s.%s:%d", c.Made.Class, c.Made.Method, c.Made.Line), c.Counted.Objects
					counted[c.Name+" "+site] += n
					if n -= c.Born.Objects; n < 0 || n > answer.Unsited.Objects || c.Removed().Objects > 0 {
						t.Errorf("%s at %s: %d counted, %d born, %d born nobody knows where, %d removed", c.Name, site,
							c.Counted.Objects, c.Born.Objects, answer.Unsited.Objects, c.Removed().Objects)
					}
				}
				if diff := cmp.Diff(want, counted); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
				if answer.Unsited.Objects > answer.Born.Objects/1000 {
					t.Errorf("of %d objects %d have no site", answer.Born.Objects, answer.Unsited.Objects)
				}
			})
		}
	})
}
