package objects_test

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestUnloads: of loaders that come and go, each with sites of its own, every object is known by its class, loader and
// site, those that live on when their site is gone as well. Numbers of classes are given again, also where collections
// that unload classes do not look at what is old.
func TestUnloads(t *testing.T) {
	const loaders = 5000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, options := range [][]string{
			{"-XX:+UseSerialGC"}, {"-XX:+UseG1GC", "-XX:+ExplicitGCInvokesConcurrent"}, {"-XX:+UseG1GC"},
		} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(fmt.Sprint(options), func(t *testing.T) {
				events := profile.Events{heap.Observer: nil}
				command := mallardtest.Compiled(t, jdk, "Unloads")
				command.Options = append(options, "-Xmx64m", "-XX:TieredStopAtLevel=1")
				command.Args = []string{strconv.Itoa(loaders)}
				command, file := mallardtest.Profiled(t, command, "-q", "--track", "sites,objects")
				jdk.MustRun(t, command)
				p := mallardtest.Read(t, file, events)
				history := heap.NewHistory(events[heap.Observer])
				checkHeap(t, jdk, history)
				checkUnloaded(t, history.BySites(p.Tagged), loaders)
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
