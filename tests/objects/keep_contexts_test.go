package objects_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// TestKeptContexts: behind a keyframe objects have the threads that have made them, though these have ended before, and
// their classes were unloaded, as the program says; and the sites and contexts that reading everything gives them.
func TestKeptContexts(t *testing.T) {
	const keep = 2 * time.Second
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range []string{"Serial", "G1"} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "KeepsOfThreads")
				command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m"}
				command, file := mallardtest.Profiled(t, command, "-q", "--track", "contexts,objects", "--keep",
					keep.String())
				process := spawnKept(t, jdk, command, file)
				workers, err := strconv.Atoi(strings.TrimSpace(endKept(t, process, "ends")))
				if err != nil {
					t.Fatal(err)
				}
				reading := heap.NewReading(false)
				whole := keptContexts{profile: mallardtest.Read(t, file, reading), history: reading.History()}
				late, begin := 0, whole.history.Begin()
				for at := begin; at < whole.profile.Duration; at += keep / 20 {
					part := contextsFrom(t, file, at)
					if part.history.Begin() == begin {
						continue
					}
					begin = part.history.Begin()
					late++
					whole.compare(t, part)
					part.checkWorkers(t, workers)
				}
				whole.checkWorkers(t, workers)
				t.Logf("%d threads, %d later keyframes", workers, late)
				if late == 0 {
					t.Error("there is no later keyframe")
				}
			})
		}
	})
}

// keptContexts is a recording, or what there is of it from a keyframe on.
type keptContexts struct {
	profile *profile.Profile
	history *heap.History
}

// contextsFrom reads from the last keyframe before a time.
func contextsFrom(t *testing.T, name string, at time.Duration) (k keptContexts) {
	t.Helper()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := trace.OpenFile(in, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	reader, err := file.From(int64(at))
	if err != nil {
		t.Fatal(err)
	}
	reading := heap.NewReading(reader.IsAtKeyframe())
	if k.profile, err = profile.FoldTags(reader, 0, func() bool { return false }, reading); err != nil {
		t.Fatal(err)
	}
	k.history = reading.History()
	return k
}

// rows are the objects that a pause has left, by what there is to tell them apart.
func (k *keptContexts) rows(pause int) map[string]int64 {
	by := []heap.By{heap.ByClass, heap.ByContext, heap.ByThread}
	apart, rows := k.history.Apart(by, "", k.profile.Tagged), map[string]int64{}
	for _, row := range apart.Held(pause, heap.Query{By: by}).Rows {
		name := apart.Name(row.Class) + " of " + apart.Thread(row.Class)
		if site := apart.Site(row.Class); site != nil {
			name += fmt.Sprintf(" at %s.%s:%d", site.Class, site.Method, site.Line)
			for c := apart.Context(row.Class); c >= 0; c = k.profile.Contexts[c].Parent {
				name += " < " + k.profile.Methods[k.profile.Contexts[c].Method].Title()
			}
		}
		rows[name] += row.Objects
	}
	return rows
}

// compare holds what each pause of a part has left against what reading everything says.
func (k *keptContexts) compare(t *testing.T, part keptContexts) {
	t.Helper()
	skip := len(k.history.Pauses) - len(part.history.Pauses)
	for _, pause := range []int{0, len(part.history.Pauses) / 2, len(part.history.Pauses) - 1} {
		if diff := cmp.Diff(k.rows(skip+pause), part.rows(pause)); diff != "" {
			t.Errorf("from %v on, pause %d of %d: -all +part\n%s", part.history.Begin(), pause,
				len(part.history.Pauses), diff)
		}
	}
}

// checkWorkers holds what the last pause has left against what so many threads have made.
func (k *keptContexts) checkWorkers(t *testing.T, workers int) {
	t.Helper()
	pause := len(k.history.Pauses) - 1
	by := []heap.By{heap.ByClass, heap.ByThread}
	apart, want, got := k.history.Apart(by, "", k.profile.Tagged), map[string]int64{}, map[string]int64{}
	for i := range workers {
		want[fmt.Sprint("worker ", i)] = int64(10 + i%7)
	}
	for _, row := range apart.Held(pause, heap.Query{By: by, Class: "KeepsOfThreads$Made"}).Rows {
		got[apart.Thread(row.Class)] += row.Objects
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("from %v on: -made +there\n%s", k.history.Begin(), diff)
	}
}
