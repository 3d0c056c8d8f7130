package objects_test

import (
	"fmt"
	"strconv"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestBacktraces: what the JVM records stacks of exceptions in is born where they are filled in, and held there, array
// by array, as the program says.
func TestBacktraces(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			for k, track := range []string{"sites,objects", "contexts,objects"} {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				t.Run(collector+" "+track, func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Backtraces")
					command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m", "-Xmn8m"}
					command.Args = []string{strconv.Itoa(20_000)}
					history, p, output := recordedAll(t, jdk, command, track)
					checkHeap(t, jdk, history)
					var made, held, exceptions int64
					if _, err := fmt.Sscanf(output.Stdout, "%d %d of %d\n", &made, &held, &exceptions); err != nil {
						t.Fatalf("%v\n%s%s", err, output.Stdout, output.Stderr)
					}
					if made < 50_000 || held < 500 || exceptions != 400 {
						t.Fatalf("%d pieces of stacks, %d held, of %d exceptions are no test", made, held, exceptions)
					}
					compareBacktraces(t, history.BySites(p.Tagged), made, held)
				})
			}
		}
	})
}

// compareBacktraces looks at what was born between two full collections, the first and the last. A piece is an array
// that refers to four, one of which is of class mirrors. What a collection finds before it has its site, and the next
// one does not find, has none.
func compareBacktraces(t *testing.T, h *heap.History, made, held int64) {
	t.Helper()
	first, last := -1, -1
	for i := range h.Pauses {
		if h.Pauses[i].Collected == heap.Everything {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first == last {
		t.Fatal("the program asks for two full collections")
	}
	born, stayed := map[string]int64{}, map[string]int64{}
	for _, row := range h.Diff(first, last, heap.Query{By: []heap.By{heap.BySite}}).Rows {
		if site := h.Site(row.Class); site != nil && site.Method == "fillInStackTrace" {
			born[h.Name(row.Class)] += row.Born.Objects
			stayed[h.Name(row.Class)] += row.After.Objects - row.Before.Objects
		}
	}
	for class, each := range map[string]int64{"java.lang.Object[]": 2, "short[]": 1, "int[]": 1, "long[]": 1} {
		missing := each*made - born[class]
		if missing < 0 || missing > each*int64(last-first) || stayed[class] != each*held {
			t.Errorf("%s: %d were born, want %d, and %d are held, want %d", class, born[class], each*made,
				stayed[class], each*held)
		}
	}
	if len(born) != 4 {
		t.Errorf("arrays of four types, not of %v", born)
	}
}
