package objects_test

import (
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// lockedTracks are the ways to record what others lock at once. In the first one tags get lost early: behind the first
// collection, of the one site or the other.
var lockedTracks = []string{"sites,objects", "contexts,objects", untagged}

// TestLocked has threads lock what others are making, so that headers are elsewhere when objects are to be tagged,
// while full collections move them. All have their sites but those of which nobody can say what made them.
func TestLocked(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			for k, track := range lockedTracks {
				if k == 0 || jvmtest.IsTurn(t, jdk, i+k) {
					t.Run(collector+" "+track, func(t *testing.T) { testLocked(t, jdk, collector, track) })
				}
			}
		}
	})
}

func testLocked(t *testing.T, jdk jvmtest.JDK, collector, track string) {
	const rounds, each = 20_000, 40
	copies := int64(rounds / each)
	if track == untagged { // these would be taken for objects of the site that gives none
		copies = 0
	}
	command := mallardtest.Compiled(t, jdk, "Locked")
	command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m", "-Xmn4m", noDead}
	command.Args = []string{strconv.Itoa(rounds), strconv.Itoa(rounds / 10), strconv.FormatInt(copies*each/rounds*each,
		10)}
	history, p, output := recordedAll(t, jdk, command, strings.Fields(track)...)
	if output.ExitCode != 0 || !strings.HasSuffix(output.Stdout, ", 0 hashes have changed\n") {
		t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
	}
	checkHeap(t, jdk, history)
	history = history.BySites(p.Tagged)
	checkHeap(t, jdk, history)
	born, held := map[string]int64{}, map[string]int64{}
	end := len(history.Pauses) - 1
	for _, row := range history.Diff(heap.Start, end, heap.Query{By: []heap.By{heap.BySite}}).Rows {
		if history.Name(row.Class) != "Locked$Shown" {
			continue
		}
		method := ""
		if site := history.Site(row.Class); site != nil {
			method = site.Method
		}
		born[method] += row.Born.Objects
		held[method] += row.After.Objects
	}
	missing := int64(end) // one whose constructor a collection interrupts may be dead by the next one
	for _, method := range []string{"one", "two"} {
		if born[method] > rounds || born[method] < rounds-missing || held[method] != rounds/10 {
			t.Errorf("%s: %d were born, and %d are held, want %d and %d", method, born[method], held[method], rounds,
				rounds/10)
		}
	}
	if born[""] < copies || born[""] > copies+missing || held[""] != copies {
		t.Errorf("%d have no site, of which %d are held, want %d", born[""], held[""], copies)
	}
}
