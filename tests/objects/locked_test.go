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

// TestLockedBefore has others lock objects, and let go of them again, before they are read while the program runs: they
// have no tag then, as those of the site that gives none.
func TestLockedBefore(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		lockAndCount(t, jdk, "G1", untagged, []int{400_000, 0, 0})
	})
}

func testLocked(t *testing.T, jdk jvmtest.JDK, collector, track string) {
	const rounds, each = 20_000, 40
	copies := each
	if track == untagged { // these would be taken for objects of the site that gives none
		copies = 0
	}
	lockAndCount(t, jdk, collector, track, []int{rounds, rounds / 10, copies})
}

// lockAndCount runs the program with numbers of rounds: all of them, between collections, and between copies.
func lockAndCount(t *testing.T, jdk jvmtest.JDK, collector, track string, args []int) {
	rounds, copies := int64(args[0]), int64(0)
	if args[2] > 0 {
		copies = rounds / int64(args[2])
	}
	command := mallardtest.Compiled(t, jdk, "Locked")
	command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m", "-Xmn4m", noDead}
	for _, arg := range args {
		command.Args = append(command.Args, strconv.Itoa(arg))
	}
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
