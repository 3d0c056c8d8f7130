package objects_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestThreads has threads make known numbers of objects at one site. With contexts each is known to its objects, also
// where it has another one's tree; with sites alone a thread is that is alone at a site.
func TestThreads(t *testing.T) {
	type made map[string]map[string]int64 // by class and thread
	want := map[string]made{
		"contexts,objects": {
			"Workers$OfAll":  {"main": 10, "one": 1000, "two": 2000, "late": 3000},
			"Workers$OfLate": {"late": 500},
		},
		"sites,objects": {
			"Workers$OfAll":  {"(unknown)": 6010},
			"Workers$OfLate": {"late": 500},
		},
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range []string{"Serial", "G1"} {
			for k, track := range []string{"contexts,objects", "sites,objects"} {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				t.Run(collector+" "+track, func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Workers")
					command.Options = []string{"-Xmx64m", "-XX:+Use" + collector + "GC"}
					history, p, _ := recordedAll(t, jdk, command, track)
					checkHeap(t, jdk, history)
					by := []heap.By{heap.ByThread, heap.ByClass}
					got := made{}
					threads := history.Apart(by, "", p.Tagged)
					for class, n := range heldBy(threads, heap.Query{By: by, Class: "Workers$Of*"}) {
						name := threads.Name(class)
						if got[name] == nil {
							got[name] = map[string]int64{}
						}
						got[name][threads.Thread(class)] = n
					}
					if diff := cmp.Diff(want[track], got); diff != "" {
						t.Errorf("by class, -want +got\n%s", diff)
					}
					checkAllOfThreads(t, history.Apart(by[:1], "Workers$Of*", p.Tagged), want[track])
				})
			}
		}
	})
}

// checkAllOfThreads puts all that a thread has made together.
func checkAllOfThreads[M ~map[string]map[string]int64](t *testing.T, h *heap.History, of M) {
	t.Helper()
	want, got := map[string]int64{}, map[string]int64{}
	for _, threads := range of {
		for thread, n := range threads {
			want[thread] += n
		}
	}
	for class, n := range heldBy(h, heap.Query{By: []heap.By{heap.ByThread}, Class: "Workers$Of*"}) {
		got[h.Name(class)] = n
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("all, -want +got\n%s", diff)
	}
}
