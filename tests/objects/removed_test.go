package objects_test

import (
	"testing"

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
