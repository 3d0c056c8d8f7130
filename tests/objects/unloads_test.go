package objects_test

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/heapgraph"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// TestUnloads: of loaders that come and go, each with sites of its own, every object is known by its class, loader and
// site, those that live on when their site is gone as well. Numbers of classes are given again, also where collections
// that unload classes do not look at what is old.
func TestUnloads(t *testing.T) {
	const loaders = 5000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, options := range [][]string{
			{"-XX:+UseSerialGC"}, {"-XX:+UseG1GC"},
			{"-XX:+UseG1GC", "-XX:+ExplicitGCInvokesConcurrent", "-XX:MaxTenuringThreshold=0"},
		} {
			track := []string{tracks[0], untagged}[(i+jdk.Feature/8)%2]
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(fmt.Sprint(options, track), func(t *testing.T) {
				events := profile.Events{heap.Observer: nil}
				command := mallardtest.Compiled(t, jdk, "Unloads")
				command.Options = append(options, "-Xmx64m", "-XX:TieredStopAtLevel=1")
				command.Args = []string{strconv.Itoa(loaders), "64"}
				flags := append([]string{"-q", "--track"}, strings.Fields(track)...)
				switch i {
				case 0:
					flags = append(flags, "--each-object") // of which the check knows the classes, too
				case 1:
					flags = append(flags, "--references", "1s")
					command.Args = append(command.Args, "100")
				}
				command, file := mallardtest.Profiled(t, command, flags...)
				process := mallardtest.Spawn(t, jdk, command)
				process.Line()
				if track == untagged {
					mallardtest.WaitUntil(t, file, func() bool { return isImplied(t, file, "Unloads$Rare") })
				}
				process.Write("\n")
				kept, rares := 0, int64(0)
				output, code := process.End()
				if _, err := fmt.Sscan(output, &kept, &rares); err != nil || kept != loaders/10 {
					t.Fatalf("exit code %d, the program says %q\n%s", code, output, process.Stderr.String())
				}
				p := mallardtest.Read(t, file, events)
				history := heap.NewHistory(events[heap.Observer])
				checkHeap(t, jdk, history)
				history = history.BySites(p.Tagged)
				if (history.Implied() > 0) != (track == untagged) {
					t.Errorf("%d sites give no tags", history.Implied())
				}
				checkUnloaded(t, history, loaders)
				checkOneSite(t, history, "Unloads$Node", "makeNodes", 11_000, 11_000)
				checkOneSite(t, history, "Unloads$Rare", "makeRare", rares, 500)
				if i == 1 {
					checkMoments(t, events[heap.Observer], history)
				}
				numbers, definitions := numbersOfClasses(events)
				if definitions < 3*loaders || int(numbers) > definitions*3/4 {
					t.Errorf("%d numbers for %d definitions", numbers, definitions)
				}
			})
		}
	})
}

// checkUnloaded: each loader's class has made one object of three classes at a site of its own, and was made once by
// reflection. Of one in ten an array lives.
func checkUnloaded(t *testing.T, h *heap.History, loaders int) {
	t.Helper()
	born, held, byLoader := map[string]int{}, map[string]int{}, map[heap.Loader]int64{}
	for _, row := range h.Diff(heap.Start, len(h.Pauses)-1, heap.Query{By: []heap.By{heap.BySite}}).Rows {
		name, site := h.Name(row.Class), h.Site(row.Class)
		if name == "Unloads$Work" {
			byLoader[h.Loader(row.Class)] += row.Born.Objects
		}
		if site == nil || site.Class != "Unloads$Work" {
			continue
		}
		born[name]++
		if row.Born.Objects != 1 {
			t.Errorf("%d objects of %s were born of one site", row.Born.Objects, name)
		}
		held[name] += int(row.After.Objects)
	}
	for _, name := range []string{"Unloads$Work", "int[]", "short[]"} {
		if born[name] != loaders {
			t.Errorf("%d sites have made one object of %s, want %d", born[name], name, loaders)
		}
	}
	if kept := held["short[]"]; kept < loaders/10 || kept > loaders/10+200 {
		t.Errorf("%d short[] live of %d", kept, loaders)
	}
	if n := len(byLoader); n != loaders {
		t.Errorf("%d loaders", n)
	}
	for loader, n := range byLoader {
		if n != 2 {
			t.Errorf("%d objects of the class of loader %d", n, loader)
		}
	}
}

// checkMoments: whenever references were recorded, each object had a class, and hardly anything lived that was made at
// the sites of loaders but the arrays that are kept, of which there are more and more.
func checkMoments(t *testing.T, events []*trace.Events, h *heap.History) {
	t.Helper()
	moments, later := 0, math.MaxInt32
	for until := heapgraph.End; ; moments++ {
		g, err := heapgraph.New(events, h, until)
		if err != nil {
			break
		}
		live, reach := map[string]int{}, g.Reach()
		for object := range int32(g.Objects) {
			class := g.Class(object)
			if class == heap.Other {
				t.Fatalf("at %v object %d has no class", g.At, object)
			}
			site := h.Site(class)
			if site != nil && site.Class == "Unloads$Work" && reach.Strength(object) == heapgraph.Strong {
				live[h.Name(class)]++
			}
		}
		const last = 2 // a class may be about to make some
		if n := live["short[]"]; n > later+last || live["int[]"] > last || live["Unloads$Work"] > last {
			t.Errorf("at %v live %v, later %d of short[]", g.At, live, later)
		} else {
			later = n
		}
		until = g.At - 1
	}
	if moments < 2 {
		t.Errorf("references of %d moments", moments)
	}
}

// checkOneSite: all objects of a class were made in one method, and so many live.
func checkOneSite(t *testing.T, h *heap.History, class, method string, born, live int64) {
	t.Helper()
	for _, row := range h.Diff(heap.Start, len(h.Pauses)-1, heap.Query{By: []heap.By{heap.BySite}}).Rows {
		site := h.Site(row.Class)
		if h.Name(row.Class) != class || row.Born.Objects == 0 && row.After.Objects == 0 {
			continue
		}
		if site == nil || site.Method != method || row.Born.Objects != born || row.After.Objects != live {
			t.Errorf("%s: %d born at %+v, of which %d live", class, row.Born.Objects, site, row.After.Objects)
		}
	}
}

// isImplied reports whether a recording that is being written says that a site gives a class's objects no tags.
func isImplied(t *testing.T, file, class string) bool {
	events, names := profile.Events{heap.Observer: nil}, map[uint32]string{}
	mallardtest.Read(t, file, events)
	for _, record := range events[heap.Observer] {
		for kind, data := range record.All() {
			switch kind {
			case abi.EventHeapClass:
				d, _ := heap.DecodeDefinition(data)
				names[d.Number] = cmp.Or(d.Name, names[d.Same])
			case abi.EventHeapImplied:
				if names[binary.LittleEndian.Uint32(data)] == class {
					return true
				}
			}
		}
	}
	return false
}

// numbersOfClasses gives how many numbers there are for objects' classes, and how often one was given.
func numbersOfClasses(events profile.Events) (numbers uint32, definitions int) {
	for _, record := range events[heap.Observer] {
		for kind, data := range record.All() {
			if kind == abi.EventHeapClass {
				numbers = max(numbers, binary.LittleEndian.Uint32(data[abi.HeapClassNumber:]))
				definitions++
			}
		}
	}
	return numbers, definitions
}
