package objects_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap"
	"mallard/internal/heapgraph"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// ofApp is the loader of the program's own classes.
const ofApp = "jdk.internal.loader.ClassLoaders$AppClassLoader @"

// loaded gives a history whose loaders have their names.
func loaded(history *heap.History, p *profile.Profile) *heap.History {
	history.NameLoaders(func(class string, loader heap.Loader) (string, bool) {
		return p.Loader(class, trace.LoaderID(loader))
	})
	return history
}

// byLoader gives objects of the classes that match a pattern, those of the application's loader first, then in the
// order in which loaders were first seen.
func byLoader(t *testing.T, h *heap.History, pattern string, of func(*heap.History, heap.Query) map[heap.Class]int64) (
	objects []int64) {
	t.Helper()
	type sum struct {
		loader  heap.Loader
		objects int64
	}
	var sums []sum
	for class, n := range of(h, heap.Query{By: []heap.By{heap.ByLoader, heap.ByClass}, Class: pattern}) {
		title := h.Within(class)
		isApp := strings.HasPrefix(title, ofApp)
		if !isApp && !strings.HasPrefix(title, "java.net.URLClassLoader @") {
			t.Errorf("%s is of %q", h.Name(class), title)
		}
		if i := slices.IndexFunc(sums, func(s sum) bool { return s.loader == h.Loader(class) }); i >= 0 {
			sums[i].objects += n
		} else {
			sums = append(sums, sum{h.Loader(class), n})
		}
	}
	slices.SortFunc(sums, func(a, b sum) int { return int(a.loader - b.loader) })
	for _, s := range sums {
		objects = append(objects, s.objects)
	}
	return objects
}

func heldBy(h *heap.History, q heap.Query) map[heap.Class]int64 {
	objects := map[heap.Class]int64{}
	for _, row := range h.Held(len(h.Pauses)-1, q).Rows {
		objects[row.Class] = row.Objects
	}
	return objects
}

func bornBy(h *heap.History, q heap.Query) map[heap.Class]int64 {
	objects := map[heap.Class]int64{}
	for _, row := range h.Diff(heap.Start, len(h.Pauses)-1, q).Rows {
		objects[row.Class] = row.Born.Objects
	}
	return objects
}

// TestLoaders has several loaders load one class, and make known numbers of its objects. One is unloaded before the
// last one comes, which may have its structures' addresses.
func TestLoaders(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range []string{"Serial", "G1"} {
			for k, track := range []string{"objects", "sites,objects", "contexts,objects"} {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				t.Run(collector+" "+track, func(t *testing.T) {
					events := profile.Events{heap.Observer: nil}
					command := mallardtest.Compiled(t, jdk, "Plugins")
					command.Options = []string{"-Xmx64m", "-XX:+Use" + collector + "GC"}
					command, file := mallardtest.Profiled(t, command, "-q", "--track", track, "--references", "end")
					jdk.MustRun(t, command)
					p := mallardtest.Read(t, file, events)
					if !p.Complete || len(p.Losses) > 0 {
						t.Fatalf("complete %v, losses %v", p.Complete, p.Losses)
					}
					history := loaded(heap.NewHistory(events[heap.Observer]), p)
					checkHeap(t, jdk, history)
					checkLoaders(t, history)
					checkLoaders(t, history.BySites(p.Tagged))
					checkUnloading(t, events, history)
				})
			}
		}
	})
}

func checkLoaders(t *testing.T, h *heap.History) {
	t.Helper()
	for _, test := range []struct {
		what, class string
		of          func(*heap.History, heap.Query) map[heap.Class]int64
		want        []int64
	}{
		{"held", "Plugins$Made", heldBy, []int64{100, 1000, 2000, 4000}},
		{"held", "Plugins$Made[]", heldBy, []int64{1, 1, 1, 1}},
		{"born", "Plugins$Made", bornBy, []int64{100, 1000, 2000, 3000, 4000}},
		{"born", "Plugins$Plugin", bornBy, []int64{1, 1, 1, 1, 1}},
	} {
		if diff := cmp.Diff(test.want, byLoader(t, h, test.class, test.of)); diff != "" {
			t.Errorf("%s, %s, -want +got\n%s", test.class, test.what, diff)
		}
	}
	lambdas := map[string]int{} // of classes without names that others have
	loaders := h.ByLoaders("Plugins$Plugin$$Lambda*")
	for class, n := range bornBy(loaders, heap.Query{By: []heap.By{heap.ByLoader}}) {
		if n > 0 && !strings.HasPrefix(loaders.Name(class), "(") {
			lambdas[loaders.Name(class)] += int(n)
		}
	}
	if len(lambdas) != 5 {
		t.Errorf("loaders of hidden classes: %v", lambdas)
	}
}

// checkUnloading says what would be free without each loader.
func checkUnloading(t *testing.T, events profile.Events, h *heap.History) {
	t.Helper()
	g, err := heapgraph.New(events[heap.Observer], h, heapgraph.End)
	if err != nil {
		t.Fatal(err)
	}
	reached := g.Reach()
	rows, _ := heapgraph.NewDominators(reached).RetainedByLoaders(heap.Query{})
	objects := []int64{1000, 2000, 4000}
	for _, row := range slices.Backward(rows) {
		if !strings.HasPrefix(h.TitleOf(row.Of), "java.net.URLClassLoader @") {
			continue
		}
		if len(objects) == 0 {
			t.Errorf("%s: there should be no more loaders", h.TitleOf(row.Of))
			return
		}
		// besides: the loader, its classes, what it has for them
		n := objects[0]
		if row.Least || row.Objects < n+2 || row.Objects > n+20 || row.Retained.Objects < n+20 ||
			row.Retained.Objects > n+300 {
			t.Errorf("%s: %+v, for %d objects", h.TitleOf(row.Of), row, n)
		}
		objects = objects[1:]
	}
	if len(objects) > 0 {
		t.Errorf("there should be %d loaders more", len(objects))
	}
	ways := map[string]int64{}
	paths, _ := reached.Paths(heap.Query{Class: "Plugins$Made"})
	for _, path := range paths {
		loader := h.Loader(path.Class)
		way := path.Way.String()
		if end := fmt.Sprintf("Plugins$Plugin@%d.kept[]", loader); !strings.HasSuffix(way, end) || ways[way] > 0 {
			t.Errorf("%d objects of loader %d: %s", path.Objects, loader, way)
		}
		ways[way] += path.Objects
	}
	if len(ways) != 4 {
		t.Errorf("%v", ways)
	}
}

// TestLoadersUnknown has an agent that does not find a class's loader in HotSpot: it says so, and classes of one name
// are one.
func TestLoadersUnknown(t *testing.T) {
	agent := mallardtest.BuildAgent(t, `-DHOTSPOT_WITHHELD="Klass::_class_loader_data"`)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		file := filepath.Join(t.TempDir(), "run.mallard")
		command := mallardtest.Compiled(t, jdk, "Plugins")
		command.Options = []string{"-XX:+UseSerialGC",
			"-agentpath:" + agent + "=quiet,track=objects,references=end,file=" + file}
		jdk.MustRun(t, command)
		events := profile.Events{heap.Observer: nil}
		p := mallardtest.Read(t, file, events)
		if len(p.Losses) != 1 || p.Losses[0].Kind != "jvm" ||
			p.Losses[0].Detail != "this JVM does not say which class loaders objects' classes are of" {
			t.Errorf("losses %+v", p.Losses)
		}
		h := loaded(heap.NewHistory(events[heap.Observer]), p)
		if n := held(h, len(h.Pauses)-1)["Plugins$Made"].Objects; n != 7100 || h.HasLoaders() {
			t.Errorf("%d objects of 7100 are held, loaders %v", n, h.HasLoaders())
		}
	})
}
