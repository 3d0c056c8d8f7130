package objects_test

import (
	"strconv"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestGrowing has a program leak, or fill a cache, with many full collections, a few, or none but those that the JVM
// finds worth it.
func TestGrowing(t *testing.T) {
	const milliseconds = 2000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			for _, full := range []int{30, 7, 0} {
				for limit, want := range map[int]string{1_000_000: "Leak$Entry of main", 8000: ""} {
					if want != "" && full == 0 {
						continue // whether something has looked is not sure
					}
					t.Run(collector+strconv.Itoa(full)+want, func(t *testing.T) {
						command := mallardtest.Compiled(t, jdk, "Leak")
						command.Options = []string{"-Xmx96m", "-Xmn6m", "-XX:+Use" + collector + "GC"}
						for _, n := range []int{milliseconds, limit, full} {
							command.Args = append(command.Args, strconv.Itoa(n))
						}
						said := growing(t, jdk, command)
						if said == "" && want != "" { // on a busy machine it may not grow steadily
							said = growing(t, jdk, command)
						}
						if said != want {
							t.Errorf("%q is said to grow, want %q", said, want)
						}
					})
				}
			}
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
