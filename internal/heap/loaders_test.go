package heap_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// row is objects of one class.
func row(class string, objects, bytes uint64) heaptest.Row {
	return heaptest.Row{Class: class, Objects: objects, Bytes: bytes}
}

// loaded is a program in which loaders 2 and 3 have a class of one name, and 2 one of its own; loader 3 is gone in the
// end. The class grows, loader by loader.
func loaded() *heaptest.Events {
	e := &heaptest.Events{}
	e.Born(row("demo/Plugin#2", 10, 160), row("demo/Own#2", 1, 32),
		row("java/lang/String#0", 5, 120))
	e.Walk(heaptest.Walk{Collection: 0, Start: 1e9})
	e.Finish(1e9, abi.HeapYoung)
	e.Moved(0, row("demo/Plugin#2", 8, 128), row("java/lang/String#0", 5, 120))
	e.Born(row("demo/Plugin#3", 100, 1600), row("demo/Lost", 2, 32))
	e.Walk(heaptest.Walk{Collection: 1, Start: 2e9})
	e.Finish(2e9, abi.HeapYoung)
	e.Moved(1, row("demo/Plugin#3", 40, 640))
	e.Walk(heaptest.Walk{Start: 3e9, Last: true})
	return e
}

// rowsOf prints what is held by a query, or has changed since the start.
func rowsOf(h *heap.History, q heap.Query, moment int) (list []string) {
	for _, row := range h.Held(moment, q).Rows {
		list = append(list, fmt.Sprintf("%d %s", row.Objects, h.Title(row.Class)))
	}
	return list
}

// TestLoaders tells classes of one name apart, and puts all classes of a loader together.
func TestLoaders(t *testing.T) {
	h := heap.NewHistory(loaded().All())
	if h.Damaged != 0 || !h.HasLoaders() {
		t.Errorf("%d damaged, loaders %v", h.Damaged, h.HasLoaders())
	}
	classes := heap.Query{By: []heap.By{heap.ByClass}}
	compareRows(t, rowsOf(h, classes, 1), "40 demo.Plugin in loader @3", "8 demo.Plugin in loader @2",
		"5 java.lang.String")
	compareRows(t, rowsOf(h.ByNames(), classes, 1), "48 demo.Plugin", "5 java.lang.String")
	loaders := heap.Query{By: []heap.By{heap.ByLoader}}
	compareRows(t, rowsOf(h.ByLoaders(""), loaders, 0), "8 loader @2", "5 bootstrap")
	loaders.Class = "demo.P*"
	compareRows(t, rowsOf(h.ByLoaders(loaders.Class), loaders, 1), "40 loader @3", "8 loader @2")

	h.NameLoaders(func(class string, loader heap.Loader) (string, bool) {
		return fmt.Sprintf("L%d", loader), class == "java.lang.String"
	})
	compareRows(t, rowsOf(h, classes, 1), "40 demo.Plugin in L3", "8 demo.Plugin in L2",
		"5 java.lang.String in bootstrap")
	loaders.Class = ""
	h = h.ByLoaders("")
	var born []string
	for _, row := range h.Diff(heap.Start, 2, loaders).Rows {
		born = append(born, fmt.Sprintf("%d %s", row.Born.Objects, h.Name(row.Class)))
	}
	compareRows(t, born, "100 L3", "11 L2", "5 bootstrap", "2 (unknown)")
	var met []string
	for _, row := range h.Lifetimes(loaders).Rows {
		met = append(met, fmt.Sprintf("%d %d %s", row.Met.Objects, row.Soon.Objects, h.Name(row.Class)))
	}
	compareRows(t, met, "100 60 L3", "11 3 L2", "5 0 bootstrap", "2 2 (unknown)")
	moved, err := h.Moved(0, loaders)
	if err != nil || len(moved.Rows) != 2 || moved.Rows[0].Promoted.Objects != 8 || moved.Selected != moved.Total {
		t.Errorf("moved %+v, %v", moved, err)
	}
}

func compareRows(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLoadersGrow has a class grow by loaders, each of which has a few of its objects: the line says how many. Where
// they are of one loader it says which.
func TestLoadersGrow(t *testing.T) {
	for _, test := range []struct {
		loader func(i int) int
		want   heap.Loaders
	}{
		{func(i int) int { return i }, heap.Loaders{Count: 20}},
		{func(int) int { return 7 }, heap.Loaders{Count: 1, Title: "loader @7"}},
	} {
		e := &heaptest.Events{}
		e.Born(row("demo/Plugin#99", 1, 16))
		var all []heaptest.Row
		held := map[string]uint64{}
		for i := range 20 {
			class := fmt.Sprintf("demo/Plugin#%d", test.loader(i))
			e.Born(row(class, 1000, 16000))
			held[class] += 1000
			all = nil
			for class, n := range held {
				all = append(all, row(class, n, 16*n))
			}
			e.Walk(heaptest.Walk{Collection: uint64(i), Start: uint64(i+1) * 1e9})
			e.Finish(uint64(i+1)*1e9+1e6, abi.HeapEverything)
			e.Moved(0, all...)
		}
		e.Walk(heaptest.Walk{Start: 21e9, Last: true})
		v := heap.NewHistory(e.All()).Verdicts(20, heap.Query{}, nil)
		if len(v.Growing) != 1 || v.Growing[0].Name != "demo.Plugin" || v.Growing[0].Loaders != test.want {
			t.Errorf("%+v", v.Growing)
		}
	}
}

// TestLoadersDamaged leaves out what is no loader's number; what comes when the class is known changes nothing.
func TestLoadersDamaged(t *testing.T) {
	pair := func(class, loader uint32) []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, class), loader)
	}
	e := &heaptest.Events{}
	for _, data := range [][]byte{nil, pair(2, 1)[:7], append(pair(2, 1), 0), pair(2, 1<<32-1)} {
		e.Add(abi.EventHeapLoader, data)
	}
	e.Born(row("demo/Plugin", 1, 16))
	e.Add(abi.EventHeapLoader, pair(2, 1))
	e.Walk(heaptest.Walk{Last: true})
	h := heap.NewHistory(e.All())
	if h.Damaged != 4 {
		t.Errorf("%d damaged", h.Damaged)
	}
	compareRows(t, rowsOf(h, heap.Query{By: []heap.By{heap.ByClass}}, 0), "1 demo.Plugin")
}

// TestApartByThreads has rows for threads that tags stand for: of classes, and of all that a thread has made. Tags of
// two sites, in two contexts of one thread, are of one row.
func TestApartByThreads(t *testing.T) {
	sites := []*profile.Site{{Class: "demo.A"}, {Class: "demo.B"}}
	tagged := func(tag uint32) profile.Made {
		switch tag {
		case 1, 2:
			return profile.Made{Site: sites[tag-1], Context: int32(tag), Thread: "main"}
		case 3:
			return profile.Made{Site: sites[0], Context: 3, Thread: "worker"}
		}
		return profile.Made{Site: sites[1], Context: profile.NoContext}
	}
	e := &heaptest.Events{}
	e.Born(row("demo/Entry@1", 10, 160), row("demo/Entry@2", 5, 80), row("demo/Entry@3", 4, 64),
		row("demo/Name@3", 2, 32), row("demo/Name@4", 1, 16), row("demo/Name", 1, 16))
	e.Walk(heaptest.Walk{Collection: 0, Start: 1e9})
	e.Finish(1e9, abi.HeapYoung)
	e.Moved(0, row("demo/Entry@1", 6, 96), row("demo/Entry@3", 4, 64), row("demo/Name@3", 2, 32))
	e.Walk(heaptest.Walk{Start: 2e9, Last: true})
	plain := heap.NewHistory(e.All())
	for _, test := range []struct {
		by    []heap.By
		class string
		want  []string // born, died, class, thread
	}{
		{[]heap.By{heap.ByThread}, "", []string{"15 9 main", "6 0 worker", "2 2 (unknown)"}},
		{[]heap.By{heap.ByThread}, "demo.N*", []string{"2 0 worker", "2 2 (unknown)"}},
		{[]heap.By{heap.ByThread, heap.ByClass}, "", []string{"15 9 demo.Entry main", "4 0 demo.Entry worker",
			"2 0 demo.Name worker", "2 2 demo.Name (unknown)"}},
		{[]heap.By{heap.ByThread, heap.BySite}, "demo.Entry", []string{"10 4 demo.Entry main",
			"4 0 demo.Entry worker", "5 5 demo.Entry main"}},
	} {
		q := heap.Query{By: test.by, Class: test.class}
		h := plain.Apart(test.by, test.class, tagged)
		var got []string
		for _, row := range h.Diff(heap.Start, 1, q).Rows {
			name := h.Name(row.Class)
			if len(test.by) > 1 {
				name += " " + h.Thread(row.Class)
			}
			got = append(got, fmt.Sprintf("%d %d %s", row.Born.Objects, row.Died().Objects, name))
		}
		compareRows(t, got, test.want...)
	}
	h := plain.Apart([]heap.By{heap.ByThread}, "", tagged)
	lifetimes := h.Lifetimes(heap.Query{By: []heap.By{heap.ByThread}})
	var met []string
	for _, row := range lifetimes.Rows {
		met = append(met, fmt.Sprintf("%d %d %s", row.Met.Objects, row.Soon.Objects, h.Name(row.Class)))
	}
	compareRows(t, met, "15 9 main", "6 0 worker", "2 2 (unknown)")
}
