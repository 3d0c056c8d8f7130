package objects_test

import (
	"strconv"
	"strings"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// What TagsAgain.java makes.
const (
	againRounds   = 8
	againThreads  = 6  // rounds of them
	againEach     = 60 // in a round
	againSites    = 64
	againContexts = 200
	againWalks    = 40 // by which the agent has given up what it has met no more, and the recorder has taken note
)

// TestTagsAgain: sites of classes that come and go take more numbers than there are, and so do those in contexts of
// threads. Each object is of the site, and the context, that made it all the same, those too that live on when it is
// gone: a tag is given again only when no object has it.
func TestTagsAgain(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			for j, of := range []string{"classes", "threads"} {
				if jvmtest.IsTurn(t, jdk, i+j) {
					t.Run(of+" "+collector, func(t *testing.T) { runTagsAgain(t, jdk, collector, of) })
				}
			}
		}
	})
}

func runTagsAgain(t *testing.T, jdk jvmtest.JDK, collector, of string) {
	track, gone, rounds := "sites,objects", retired, againRounds
	if of == "threads" {
		track, gone, rounds = "contexts,objects", ended, againThreads
	}
	process, file := spawnAgain(t, jdk, collector, track, of, rounds, againEach)
	for round := range rounds {
		process.Line()
		waitForRound(t, file, round, gone)
		if of == "threads" {
			waitForWalks(t, file, againWalks)
		}
		process.Write("\n")
	}
	p, history := readAgain(t, jdk, process, file, rounds*againEach)
	for _, loss := range p.Losses {
		t.Errorf("%+v", loss)
	}
	if of == "classes" {
		checkClassesAgain(t, p, history)
		return
	}
	if others := checkThreads(t, p, history, rounds*againEach); others > 0 {
		t.Errorf("%d objects are of others", others)
	}
}

// TestTagsRunOut: sites in contexts of threads that come and go take more tags than there are before it is known that
// no object has some. Those objects that have one are of the thread and the context that made them, and the others are
// said to be of other sites.
func TestTagsRunOut(t *testing.T) {
	const threads = 5 * againEach
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		process, file := spawnAgain(t, jdk, "Serial", "contexts,objects", "threads", 1, threads)
		process.Line()
		process.Write("\n")
		p, history := readAgain(t, jdk, process, file, threads)
		if checkThreads(t, p, history, threads) == 0 {
			t.Error("no objects are of others")
		}
	})
}

func spawnAgain(t *testing.T, jdk jvmtest.JDK, collector, track, of string, rounds, each int) (p *mallardtest.Process,
	file string) {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "TagsAgain")
	command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m"}
	command.Args = []string{of, strconv.Itoa(rounds), strconv.Itoa(each)}
	command, file = mallardtest.Profiled(t, command, "-q", "--few-tags", "--track", track)
	return mallardtest.Spawn(t, jdk, command), file
}

// readAgain reads what was recorded when the program has ended, which has had so many classes or threads.
func readAgain(t *testing.T, jdk jvmtest.JDK, process *mallardtest.Process, file string,
	made int) (*profile.Profile, *heap.History) {
	t.Helper()
	output, code := process.End()
	if want := strconv.Itoa(made / 10); code != 0 || strings.TrimSpace(output) != want {
		t.Fatalf("exit code %d, the program says %q\n%s", code, output, process.Stderr.String())
	}
	reading := heap.NewReading(false)
	p := mallardtest.Read(t, file, reading)
	history := reading.History()
	checkHeap(t, jdk, history)
	return p, history
}

// count counts what records say.
type count struct {
	of func(trace.Record) int
	n  int
}

func (c *count) Add(record trace.Record) { c.n += c.of(record) }

func counted(t *testing.T, file string, of func(trace.Record) int) int {
	t.Helper()
	c := &count{of: of}
	mallardtest.Read(t, file, c)
	return c.n
}

func retired(record trace.Record) int {
	if _, is := record.(*trace.Retired); is {
		return 1
	}
	return 0
}

func ended(record trace.Record) int {
	if thread, is := record.(*trace.Thread); is && thread.Ended && strings.HasPrefix(thread.Name, "maker ") {
		return 1
	}
	return 0
}

func walks(record trace.Record) (n int) {
	if events, is := record.(*trace.Events); is {
		for kind := range events.All() {
			if kind == abi.EventHeapWalk {
				n++
			}
		}
	}
	return n
}

// waitForRound waits until the recorder knows that what so many rounds had is gone, as records say. It learns of
// classes when others come: but for the last one.
func waitForRound(t *testing.T, file string, rounds int, gone func(trace.Record) int) {
	t.Helper()
	mallardtest.WaitUntil(t, file, func() bool { return counted(t, file, gone) >= rounds*againEach-1 })
}

// waitForWalks waits until so many more are recorded.
func waitForWalks(t *testing.T, file string, more int) {
	t.Helper()
	before := counted(t, file, walks)
	mallardtest.WaitUntil(t, file, func() bool { return counted(t, file, walks) >= before+more })
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

// checkThreads: of each thread in ten there is one object in each context, if it is known which; it gives how many
// there are of which it is not.
func checkThreads(t *testing.T, p *profile.Profile, h *heap.History, threads int) (others int64) {
	t.Helper()
	by := []heap.By{heap.ByContext, heap.ByThread}
	apart := h.Apart(by, "", p.Tagged)
	counts := heap.NewCounts(apart, p)
	depths, known := map[string]map[int]bool{}, int64(0)
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
	if want := int64(threads / 10 * againContexts); known == 0 || known+others != want {
		t.Errorf("%d objects have a context, %d are of others, of %d", known, others, want)
	}
	for i := 0; i < threads; i += 10 {
		delete(depths, "maker "+strconv.Itoa(i))
	}
	if len(depths) > 0 {
		t.Errorf("objects are of %v", depths)
	}
	return others
}
