package profile

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"mallard/internal/trace"
)

// countedThread is a thread on its way from folder to Profile.
type countedThread struct {
	Thread
	number   trace.ThreadID // of one that is kept apart
	cells    []cell
	jvmBytes int64
}

// allThreads lists the threads by name, number breaking ties, the merged ones
// last.
func (f *folder) allThreads() []countedThread {
	ids := slices.SortedFunc(maps.Keys(f.threads), func(a, b trace.ThreadID) int {
		return cmp.Or(strings.Compare(f.threads[a].Name, f.threads[b].Name), cmp.Compare(a, b))
	})
	var all []countedThread
	for _, id := range ids {
		t := f.threads[id]
		all = append(all, countedThread{Thread{Name: t.Name, Carrier: t.Carrier, JavaID: t.JavaID, Merged: t.merged,
			Program: t.program}, id, t.cells, t.jvmBytes})
	}
	// of a damaged recording contexts may be all that is known
	nobody := len(all) == 0 && len(f.contexts.added)+len(f.contexts.counts) > 0
	if f.merged.merged > 0 || nobody {
		all = append(all, countedThread{Thread{Name: mergedThreads, Merged: f.merged.merged}, 0, f.merged.cells,
			f.merged.jvmBytes})
	}
	return all
}

// newTagThreads takes all threads. What sites have counted tells who made their objects where nothing is missing.
func newTagThreads(threads []countedThread, complete bool) tagThreads {
	t := tagThreads{titles: map[trace.ThreadID]string{}, ofSite: map[int32]string{}}
	for i := range threads {
		thread := &threads[i]
		if thread.Merged == 1 {
			t.titles[thread.number] = thread.Title()
		}
		for _, c := range thread.cells {
			if c.objects == 0 && c.bytes == 0 || !complete {
				continue
			}
			if title, known := t.ofSite[c.site]; !known {
				t.ofSite[c.site] = thread.Title()
			} else if title != thread.Title() {
				t.ofSite[c.site] = "" // several
			}
		}
	}
	return t
}
