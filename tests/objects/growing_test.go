package objects_test

import (
	"fmt"
	"strconv"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// leaks are how many entries the program keeps at most, and what is then said to grow.
var leaks = []struct {
	limit int
	grows string
}{{1_000_000, "Leak$Entry of main"}, {8000, ""}}

// TestGrowing has a program leak, or fill a cache, with many full collections, a few, or none but those that the JVM
// finds worth it.
func TestGrowing(t *testing.T) {
	const milliseconds = 2000
	fulls := []int{30, 7, 0}
	rows := jvmtest.Combinations(len(collectors), len(fulls), len(leaks))
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, row := range rows {
			if !jvmtest.IsTurn(t, jdk, row[0]) {
				continue
			}
			collector, full, leak := collectors[row[0]], fulls[row[1]], leaks[row[2]]
			if full == 0 {
				leak = leaks[1] // whether something has looked is not sure
			}
			t.Run(fmt.Sprint(collector, full, leak.grows), func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Leak")
				command.Options = []string{"-Xmx96m", "-Xmn6m", "-XX:+Use" + collector + "GC"}
				for _, n := range []int{milliseconds, leak.limit, full} {
					command.Args = append(command.Args, strconv.Itoa(n))
				}
				said := growing(t, jdk, command)
				if said == "" && leak.grows != "" { // on a busy machine it may not grow steadily
					said = growing(t, jdk, command)
				}
				if said != leak.grows {
					t.Errorf("%q is said to grow, want %q", said, leak.grows)
				}
			})
		}
	})
}

// growing runs a program, and gives its class that is said to grow, and the method that makes it; "" for none.
func growing(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command) string {
	t.Helper()
	history, p, _ := recordedBoth(t, jdk, command)
	checkHeap(t, jdk, history)
	history = history.BySites(p.Tagged)
	checkHeap(t, jdk, history)
	for _, g := range history.Growing(len(history.Pauses)-1, heap.Query{Class: "Leak$*"}) {
		return g.Name + by(g.Site)
	}
	return ""
}
