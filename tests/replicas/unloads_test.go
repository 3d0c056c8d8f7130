package replicas_test

import (
	"fmt"
	"strconv"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/replica"
)

// TestUnloads: where loaders come and go, and numbers of classes are given again, what was hashed of each class and
// site is what was born there, and groups of all of a class are one though each site had a number of its own.
func TestUnloads(t *testing.T) {
	const loaders = 5000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range []string{"Serial", "G1", "Parallel"} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				reading, events := heap.NewReading(false), profile.Events{replica.Observer: nil}
				command := mallardtest.Compiled(t, jdk, "Unloads")
				command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m", "-XX:TieredStopAtLevel=1"}
				command.Args = []string{strconv.Itoa(loaders), "64"}
				command, file := mallardtest.Profiled(t, command, "-q", "--track", "replicas", "--replicas-pause", "0")
				process := mallardtest.Spawn(t, jdk, command)
				process.Line()
				process.Write("\n")
				kept, rares := 0, int64(0)
				output, code := process.End()
				if _, err := fmt.Sscan(output, &kept, &rares); err != nil {
					t.Fatalf("exit code %d, the program says %q\n%s", code, output, process.Stderr.String())
				}
				p := mallardtest.Read(t, file, reading, events)
				totals := replica.Read(events[replica.Observer])
				if totals == nil {
					t.Fatal("no totals of copies")
				}
				checkSites(t, totals, reading.History().BySites(p.Tagged), loaders, rares)
				checkClasses(t, totals, reading.History(), loaders)
			})
		}
	})
}

// checkSites: each loader's class has made one array of a class, and each object was hashed once.
func checkSites(t *testing.T, totals *replica.Totals, h *heap.History, loaders int, rares int64) {
	t.Helper()
	answer, arrays := totals.Ask(h, replica.Query{}), map[string]int{}
	if answer.Lost > 0 || answer.Incomplete > 0 {
		t.Errorf("%d lost, %d incomplete", answer.Lost, answer.Incomplete)
	}
	made := map[string]int64{"makeNodes": 11_000, "makeRare": rares}
	for _, row := range answer.Rows {
		site := h.Site(row.Class)
		switch {
		case site == nil:
		case site.Class == "Unloads$Work":
			arrays[h.Name(row.Class)]++
			if row.Hashed.Objects != 1 || row.Groups != 1 || row.Saved.Objects != 0 {
				t.Errorf("of one site of %s: %+v", h.Name(row.Class), row)
			}
		case made[site.Method] > 0 && site.Class == "Unloads":
			if row.Hashed.Objects != made[site.Method] {
				t.Errorf("of %s %d were hashed, want %d", site.Method, row.Hashed.Objects, made[site.Method])
			}
			delete(made, site.Method)
		}
	}
	if len(made) > 0 {
		t.Errorf("nothing was hashed of %v", made)
	}
	for _, class := range []string{"int[]", "short[]"} {
		if arrays[class] != loaders {
			t.Errorf("%s of %d sites were hashed, want %d", class, arrays[class], loaders)
		}
	}
}

// checkClasses: they have 0 to 7 elements.
func checkClasses(t *testing.T, totals *replica.Totals, h *heap.History, loaders int) {
	t.Helper()
	rows := totals.Ask(h, replica.Query{Class: "short[]"}).Rows
	if len(rows) != 1 {
		t.Fatalf("%d rows of short[]", len(rows))
	}
	row, want := rows[0], int64(loaders)
	const lengths, others = 8, 10 // the JDK's
	if row.Hashed.Objects < want || row.Hashed.Objects > want+others || row.Groups < lengths ||
		row.Groups > lengths+others || row.Largest < want/lengths {
		t.Errorf("of %d short[], in %d groups: %+v", want, lengths, row)
	}
}
