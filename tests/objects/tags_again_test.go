package objects_test

import (
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// What TagsAgain.java makes.
const (
	againRounds   = 8
	againEach     = 60 // in a round
	againSites    = 64
	againContexts = 200
)

// TestTagsAgain: sites of classes that come and go take more numbers than there are. Each object is of the site that
// made it all the same, those too that live on when it is gone: a tag is given again only when no object has it.
func TestTagsAgain(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				process, file := spawnAgain(t, jdk, collector, "sites,objects", "classes", againRounds)
				for round := range againRounds {
					process.Line()
					waitForRound(t, file, round)
					process.Write("\n")
				}
				p, history := readAgain(t, jdk, process, file, againRounds)
				for _, loss := range p.Losses {
					t.Errorf("%+v", loss)
				}
				checkClassesAgain(t, p, history)
			})
		}
	})
}

// TestTagsRunOut: sites in contexts of threads that come and go take more tags than there are. Those objects that have
// one are of the thread and the context that made them, and the others are said to be of other sites.
func TestTagsRunOut(t *testing.T) {
	const rounds = 5
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		process, file := spawnAgain(t, jdk, "Serial", "contexts,objects", "threads", rounds)
		for range rounds {
			process.Line()
			process.Write("\n")
		}
		p, history := readAgain(t, jdk, process, file, rounds)
		checkThreads(t, p, history, rounds*againEach)
	})
}

func spawnAgain(t *testing.T, jdk jvmtest.JDK, collector, track, of string, rounds int) (p *mallardtest.Process,
	file string) {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "TagsAgain")
	command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m"}
	command.Args = []string{of, strconv.Itoa(rounds), strconv.Itoa(againEach)}
	command, file = mallardtest.Profiled(t, command, "-q", "--few-tags", "--track", track)
	return mallardtest.Spawn(t, jdk, command), file
}

// readAgain reads what was recorded when the program has ended.
func readAgain(t *testing.T, jdk jvmtest.JDK, process *mallardtest.Process, file string,
	rounds int) (*profile.Profile, *heap.History) {
	t.Helper()
	output, code := process.End()
	if want := strconv.Itoa(rounds * againEach / 10); code != 0 || strings.TrimSpace(output) != want {
		t.Fatalf("exit code %d, the program says %q\n%s", code, output, process.Stderr.String())
	}
	reading := heap.NewReading(false)
	p := mallardtest.Read(t, file, reading)
	history := reading.History()
	checkHeap(t, jdk, history)
	return p, history
}

// unloaded counts the classes that a recording says are gone.
type unloaded int

func (n *unloaded) Add(record trace.Record) {
	if _, is := record.(*trace.Retired); is {
		*n++
	}
}

// waitForRound waits until the recorder knows that the classes of so many rounds are gone, which it learns when others
// come: but for the last one.
func waitForRound(t *testing.T, file string, rounds int) {
	t.Helper()
	mallardtest.WaitUntil(t, file, func() bool {
		var gone unloaded
		mallardtest.Read(t, file, &gone)
		return int(gone) >= rounds*againEach-1
	})
}

// checkClassesAgain: each site of each loader has made one object; those of one loader in ten are there.
func checkClassesAgain(t *testing.T, p *profile.Profile, h *heap.History) {
	h = h.BySites(p.Tagged)
	type made struct {
		loader string
		line   int32
		bci    int32
	}
	born, live, kept := map[made]int64{}, 0, map[string]int{}
	for _, row := range h.Diff(heap.Start, len(h.Pauses)-1, heap.Query{Class: "TagsAgain$Made",
		By: []heap.By{heap.BySite}}).Rows {
		site := h.Site(row.Class)
		if site == nil || site.Class != "TagsAgain$Maker" {
			if row.Born.Objects > 0 {
				t.Errorf("%d objects are of %+v", row.Born.Objects, site)
			}
			continue
		}
		at := made{site.Loader, int32(site.Line), int32(site.BCI)}
		if born[at] += row.Born.Objects; born[at] != 1 || row.After.Objects > 1 {
			t.Errorf("%+v has made %d objects, of which %d live", at, born[at], row.After.Objects)
		}
		if row.After.Objects > 0 {
			live++
			kept[site.Loader]++
		}
	}
	const loaders = againRounds * againEach
	if len(born) != loaders*againSites || live != loaders/10*againSites || len(kept) != loaders/10 {
		t.Errorf("%d sites have made objects, want %d; those of %d in %d loaders live, want %d in %d", len(born),
			loaders*againSites, live, len(kept), loaders/10*againSites, loaders/10)
	}
}

// checkThreads: of each thread in ten there is one object in each context, if it is known which.
func checkThreads(t *testing.T, p *profile.Profile, h *heap.History, threads int) {
	t.Helper()
	by := []heap.By{heap.ByContext, heap.ByThread}
	apart := h.Apart(by, "", p.Tagged)
	counts := heap.NewCounts(apart, p)
	depths, known, others := map[string]map[int]bool{}, int64(0), int64(0)
	for _, row := range apart.Held(len(apart.Pauses)-1, heap.Query{Class: "TagsAgain$Made", By: by}).Rows {
		if counts.IsNumberless(row.Class) {
			others += row.Objects
			continue
		}
		known += row.Objects
		thread, depth := apart.Thread(row.Class), 0
		for c := apart.Context(row.Class); c >= 0; c = p.Contexts[c].Parent {
			depth++
		}
		if depths[thread] == nil {
			depths[thread] = map[int]bool{}
		}
		if row.Objects != 1 || depth == 0 || depths[thread][depth] {
			t.Errorf("%d objects of %q, %d calls deep", row.Objects, thread, depth)
		}
		depths[thread][depth] = true
	}
	if want := int64(threads / 10 * againContexts); known == 0 || others == 0 || known+others != want {
		t.Errorf("%d objects have a context, %d are of others, of %d", known, others, want)
	}
	for i := 0; i < threads; i += 10 {
		delete(depths, "maker "+strconv.Itoa(i))
	}
	if len(depths) > 0 {
		t.Errorf("objects are of %v", depths)
	}
}
