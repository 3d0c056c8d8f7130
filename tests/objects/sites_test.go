package objects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestSites: classes of a program have the site that makes them, where there is one.
func TestSites(t *testing.T) {
	want := map[string]string{"Sites$One": "1000 of Sites.main:33", "Sites$Two": "1000 of 2 sites",
		"Sites$$Lambda": "1000 of Sites.main:35", "Sites$Cloned": "1 of 2 sites", "Sites$Loaded": "2 of 2 sites"}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Sites")
				command.Options = []string{"-Xmx64m", "-Xmn6m", "-XX:+Use" + collector + "GC"}
				history, p, _ := recordedBoth(t, jdk, command)
				checkHeap(t, jdk, history)
				counts, got := heap.NewCounts(history, p), map[string]string{}
				end := len(history.Pauses) - 1
				for _, row := range history.Held(end, heap.Query{By: []heap.By{heap.BySite}, Counts: counts}).Rows {
					c := counts.Of(row.Class)
					if c == nil || !strings.HasPrefix(c.Name, "Sites$") || c.Name == "Sites$Maker" {
						continue
					}
					made := fmt.Sprintf("%d sites", c.Sites)
					if site := c.Site(); site != nil {
						made = fmt.Sprintf("%s.%s:%d", site.Class, site.Method, site.Line)
					}
					got[c.Name] = fmt.Sprintf("%d of %s", row.Objects, made)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
			})
		}
	})
}
