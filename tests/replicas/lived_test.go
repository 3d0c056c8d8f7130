package replicas_test

import (
	"fmt"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/replica"
)

// TestLived: what has come through a first young collection is compared by itself, with the contents that it has then,
// wherever the collector has put it; copies that live long and those that die young are ranked by that.
func TestLived(t *testing.T) {
	const objects = 6000
	heaps := append([][]string{
		{"-XX:+UseSerialGC", "-Xmn4m", "-XX:MaxTenuringThreshold=0"},
		{"-XX:+UseParallelGC", "-Xmn4m", "-XX:SurvivorRatio=40", "-XX:InitialSurvivorRatio=40"},
	}, heaps...)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, options := range heaps {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(strings.Join(options, " "), func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Lives")
				command.Options = append(options, "-Xmx64m")
				command.Args = []string{fmt.Sprint(objects), "4000", "0"}
				checkLived(t, record(t, jdk, command))
			})
		}
	})
}

// TestLivedOnce: nothing that has lived is looked at twice, where full collections have moved it, and mixed ones what
// is old.
func TestLivedOnce(t *testing.T) {
	heaps := [][]string{
		{"-XX:+UseSerialGC", "-Xmn4m"}, {"-XX:+UseParallelGC", "-Xmn4m"},
		{"-XX:+UseG1GC", "-XX:+UnlockExperimentalVMOptions", "-Xmn6m", "-XX:G1HeapRegionSize=1m",
			"-XX:InitiatingHeapOccupancyPercent=5", "-XX:-G1UseAdaptiveIHOP",
			"-XX:G1MixedGCLiveThresholdPercent=100", "-XX:G1HeapWastePercent=0"},
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, options := range heaps {
			t.Run(options[0], func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Lives")
				command.Options = append(options, "-Xmx64m")
				command.Args = []string{"12000", "4000", "6"}
				r := record(t, jdk, command)
				for _, k := range livedKinds(t, r) {
					if l := k.row.Lived; l.Hashed.Objects > k.kept.objects+r.answer.Walks ||
						l.Groups > k.kept.groups+r.answer.Walks {
						t.Errorf("%s: %d objects of %d groups have lived, want %+v at most", k.name, l.Hashed.Objects,
							l.Groups, k.kept)
					}
				}
			})
		}
	})
}

// livedKind is what Lives.java knows of a kind of objects, and what is recorded.
type livedKind struct {
	name       string
	made, kept copies // without their largest groups
	row        *replica.Row
}

func livedKinds(t *testing.T, r recorded) map[string]livedKind {
	t.Helper()
	if r.answer.Walks < 4 {
		t.Fatalf("%d walks are nothing to check", r.answer.Walks)
	}
	rows := map[string]*replica.Row{}
	for i, row := range r.answer.Rows {
		if site := r.counts.Site(row.Class); site != nil && strings.HasPrefix(site.Class, "Lives") {
			rows[r.history.Name(row.Class)] = &r.answer.Rows[i]
		}
	}
	kinds := map[string]livedKind{}
	for line := range strings.Lines(r.output.Stdout) {
		var k livedKind
		if _, err := fmt.Sscan(line, &k.name, &k.made.objects, &k.made.groups, &k.kept.objects,
			&k.kept.groups); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if k.row = rows["Lives$"+k.name]; k.row == nil {
			t.Fatalf("%s: no row", k.name)
		}
		kinds[k.name] = k
	}
	if len(kinds) != 5 {
		t.Fatalf("%d kinds", len(kinds))
	}
	return kinds
}

// checkLived holds rows against what Lives.java has printed: objects and groups of each kind, when they are made and of
// those that are kept. At each walk one of each kind may be alive that is not kept.
func checkLived(t *testing.T, r recorded) {
	t.Helper()
	kinds := livedKinds(t, r)
	for _, k := range kinds {
		for _, c := range []struct {
			what      string
			got, want int64
		}{
			{"objects", k.row.Hashed.Objects, k.made.objects}, {"groups", k.row.Groups, k.made.groups},
			{"objects that lived", k.row.Lived.Hashed.Objects, k.kept.objects},
			{"groups that lived", k.row.Lived.Groups, k.kept.groups},
		} {
			if off := max(c.got-c.want, c.want-c.got); off > r.answer.Walks {
				t.Errorf("%s: %d %s, want %d, give or take %d", k.name, c.got, c.what, c.want, r.answer.Walks)
			}
		}
	}
	first := func(s replica.Sort) string {
		for _, row := range r.totals.Ask(r.history, replica.Query{Sort: s, Class: "Lives$*"}).Rows {
			return r.history.Name(row.Class)
		}
		return ""
	}
	long, young := first(replica.SortLong), first(replica.SortYoung)
	if long != "Lives$Both" || young != "Lives$Dropped" {
		t.Errorf("of what lives long %s is first, of what dies young %s", long, young)
	}
	if copies := kinds["Singles"].row; copies.SavedLong() > 0.02*float64(copies.Saved.Bytes) {
		t.Errorf("what lives of Singles are no copies, and %.0f of %d bytes would be saved", copies.SavedLong(),
			copies.Saved.Bytes)
	}
}
