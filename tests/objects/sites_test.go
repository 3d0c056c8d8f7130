package objects_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestSites: objects of a program have the site that has made them, by their tags; without these, those of classes
// that one site makes.
func TestSites(t *testing.T) {
	want := map[string]map[string][]string{
		"": {"Sites$One": {"1000 of Sites.main:33"}, "Sites$Two": {"500 of Sites.main:34", "500 of Sites.main:34"},
			"Sites$$Lambda": {"1000 of Sites.main:35"}, "Sites$Cloned": {"1 of Sites$Cloned.copy:23"},
			"Sites$Loaded": {"1 of Sites$Maker.make:17", "1 of Sites$Maker.make:17"}},
		"--no-tags": {"Sites$One": {"1000 of Sites.main:33"}, "Sites$Two": {"1000 of 2 sites"},
			"Sites$$Lambda": {"1000 of Sites.main:35"}, "Sites$Cloned": {"1 of 2 sites"},
			"Sites$Loaded": {"1 of 2 sites", "1 of 2 sites"}}}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			for flag, want := range want {
				t.Run(collector+flag, func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Sites")
					command.Options = []string{"-Xmx64m", "-Xmn6m", "-XX:+Use" + collector + "GC"}
					history, p, _ := recordedBoth(t, jdk, command, strings.Fields(flag)...)
					checkHeap(t, jdk, history)
					history = history.BySites(p.Tagged)
					checkHeap(t, jdk, history)
					if diff := cmp.Diff(want, madeBy(history, p)); diff != "" {
						t.Errorf("-want +got\n%s", diff)
					}
				})
			}
		}
	})
}

// madeBy says of each class of the program's at the end how many objects there are of which site.
func madeBy(history *heap.History, p *profile.Profile) map[string][]string {
	counts, made := heap.NewCounts(history, p), map[string][]string{}
	end := len(history.Pauses) - 1
	for _, row := range history.Held(end, heap.Query{By: []heap.By{heap.BySite}, Counts: counts}).Rows {
		c := counts.Of(row.Class)
		if c == nil || !strings.HasPrefix(c.Name, "Sites$") || c.Name == "Sites$Maker" {
			continue
		}
		by := fmt.Sprintf("%d sites", c.Sites)
		if site := counts.Site(row.Class); site != nil {
			by = fmt.Sprintf("%s.%s:%d", site.Class, site.Method, site.Line)
		}
		made[c.Name] = append(made[c.Name], fmt.Sprintf("%d of %s", row.Objects, by))
	}
	for _, list := range made {
		slices.Sort(list)
	}
	return made
}
