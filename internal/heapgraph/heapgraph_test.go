package heapgraph_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/heapgraph"
	"mallard/internal/profile"
)

func read(t *testing.T, e *heaptest.Events) (*heapgraph.Graph, *heap.History) {
	t.Helper()
	h := heap.NewHistory(e.All())
	g, err := heapgraph.New(e.All(), h, heapgraph.End)
	if err != nil {
		t.Fatal(err)
	}
	return g, h
}

// TestAnswers asks everything of a small graph whose answers are known.
func TestAnswers(t *testing.T) {
	g, h := read(t, heaptest.References())
	if !g.Complete || g.Damaged != 0 || g.Missing != 0 || g.Objects != 107 {
		t.Errorf("complete %v, %d damaged, %d missing, %d objects", g.Complete, g.Damaged, g.Missing, g.Objects)
	}
	r := g.Reach()
	const entries, array = 100, 16 + 4*102
	all := int64(128 + 24 + array + 40 + 64 + 32*101)
	want := [...]heap.Amount{{}, {}, {Objects: 1, Bytes: 32}, {Objects: 5 + entries + 1, Bytes: all}}
	if diff := cmp.Diff(want, r.Sums); diff != "" {
		t.Errorf("sums, -want +got\n%s", diff)
	}

	type path struct {
		objects  int64
		strength string
		way      string
	}
	var paths []path
	rows, count := r.Paths(heap.Query{Class: "demo.Entry", Sort: profile.SortObjects})
	for _, row := range rows {
		paths = append(paths, path{row.Objects, row.Strength.String(), row.Way.String()})
	}
	wantPaths := []path{
		{entries, "strong", "static demo.Main.cache > demo.Cache.entries[]"},
		{1, "strong", "local variable 3 in demo.Main.run of thread main"},
		{1, "soft", "thread main > java.lang.Thread.soft > java.lang.ref.SoftReference.referent"},
	}
	if diff := cmp.Diff(wantPaths, paths, cmp.AllowUnexported(path{})); diff != "" || count != 3 {
		t.Errorf("%d paths, -want +got\n%s", count, diff)
	}

	d := heapgraph.NewDominators(r)
	retained, count := d.Retained(heap.Query{Top: 3, Sort: profile.SortBytes})
	wantRetained := map[string]heap.Amount{
		"java.lang.Class": {Objects: 103, Bytes: 128 + 24 + array + 32*entries},
		"demo.Cache":      {Objects: 102, Bytes: 24 + array + 32*entries},
		"demo.Entry[]":    {Objects: 101, Bytes: array + 32*entries},
	}
	for _, row := range retained {
		if row.Retained != wantRetained[h.Name(row.Of)] {
			t.Errorf("%s retains %v", h.Name(row.Of), row.Retained)
		}
	}
	if len(retained) != 3 || count != 6 {
		t.Errorf("%d classes of %d", len(retained), count)
	}
	tops, count := d.Tops(heap.Query{})
	if top := tops[0]; count != 3 || top.Name != "demo.Main" || !top.HasGathers ||
		h.Name(top.Gathers) != "demo.Entry[]" || top.Way.String() != "class demo.Main" {
		t.Errorf("%d, %+v", count, top)
	}
}

// TestLoaders tells classes of one name apart by their loaders, and says what is free without each: what two objects of
// one share is.
func TestLoaders(t *testing.T) {
	g, h := read(t, heaptest.Loaded())
	if !g.Complete || g.Damaged != 0 || g.Missing != 0 {
		t.Errorf("complete %v, %d damaged, %d missing", g.Complete, g.Damaged, g.Missing)
	}
	r := g.Reach()
	var paths []string
	rows, _ := r.Paths(heap.Query{Class: "java.lang.String"})
	for _, row := range rows {
		paths = append(paths, row.Way.String())
	}
	rows, _ = r.Paths(heap.Query{Class: "java.net.*"})
	for _, row := range rows {
		paths = append(paths, row.Way.String())
	}
	if diff := cmp.Diff([]string{"static demo.Main.plugins[] > demo.Plugin@2.text",
		"static demo.Main.plugins[] > demo.Plugin@3.text",
		"static demo.Main.plugins[] > demo.Plugin@2.class > java.lang.Class.classLoader",
		"static demo.Main.plugins[] > demo.Plugin@3.class > java.lang.Class.classLoader"}, paths); diff != "" {
		t.Error(diff)
	}
	d := heapgraph.NewDominators(r)
	want := []heapgraph.RetainedRow[heap.Loader]{
		{Of: 1, Amount: heap.Amount{Objects: 2, Bytes: 192}, Retained: heap.Amount{Objects: 12, Bytes: 704}},
		{Of: 2, Amount: heap.Amount{Objects: 4, Bytes: 224}, Retained: heap.Amount{Objects: 5, Bytes: 248}},
		{Of: 3, Amount: heap.Amount{Objects: 3, Bytes: 208}, Retained: heap.Amount{Objects: 4, Bytes: 232}},
		{Of: 0, Amount: heap.Amount{Objects: 3, Bytes: 80}, Retained: heap.Amount{Objects: 10, Bytes: 512}},
	}
	got, count := d.RetainedByLoaders(heap.Query{})
	slices.SortFunc(want, func(a, b heapgraph.RetainedRow[heap.Loader]) int {
		return int(b.Retained.Bytes - a.Retained.Bytes)
	})
	if diff := cmp.Diff(want, got); diff != "" || count != len(want) {
		t.Errorf("%d rows, -want +got\n%s", count, diff)
	}
	names := map[string]bool{}
	tops, _ := d.Tops(heap.Query{})
	for _, top := range tops {
		names[top.Name] = true
	}
	if !names["demo.Main"] {
		t.Errorf("%v", names)
	}
	byClass, _ := d.Retained(heap.Query{Class: "demo.Plugin"})
	if len(byClass) != 2 || h.Title(byClass[0].Of) != "demo.Plugin in loader @2" ||
		byClass[0].Retained != want[2].Retained || byClass[1].Retained != want[3].Retained {
		t.Errorf("%+v", byClass)
	}
}

// TestLost leaves out each event in turn: nothing breaks, and it is said that something is missing.
func TestLost(t *testing.T) {
	for _, e := range []*heaptest.Events{heaptest.References(), heaptest.Loaded()} {
		lose(t, e)
	}
}

func lose(t *testing.T, e *heaptest.Events) {
	t.Helper()
	whole := e.All()[0]
	for lost := range whole.Headers {
		e := &heaptest.Events{}
		at, graph := 0, false
		for kind, data := range whole.All() {
			if at != lost {
				e.Add(kind, data)
			} else {
				graph = kind == abi.EventHeapObjects || kind == abi.EventHeapShape || kind == abi.EventHeapGraph
			}
			at++
		}
		h := heap.NewHistory(e.All())
		g, err := heapgraph.New(e.All(), h, heapgraph.End)
		if err != nil {
			t.Fatal(err)
		}
		if graph && g.Complete {
			t.Errorf("event %d is lost, and the graph is complete", lost)
		}
		ask(g)
	}
}

// ask asks everything.
func ask(g *heapgraph.Graph) {
	r := g.Reach()
	r.Paths(heap.Query{Class: "*", Top: 5})
	d := heapgraph.NewDominators(r)
	d.Retained(heap.Query{})
	d.Tops(heap.Query{Top: 5})
	d.RetainedByLoaders(heap.Query{})
}

// FuzzGraph asks everything of any events, each a kind, a length of two bytes, and data.
func FuzzGraph(f *testing.F) {
	f.Add(fuzzBytes(heaptest.References()))
	f.Add(fuzzBytes(heaptest.Loaded()))
	e := &heaptest.Events{}
	e.Root(heaptest.Root{Address: 8, Kind: 27})
	e.Objects(1000, heaptest.Object{Address: 8, Head: []uint64{2, 1}, Words: 2, To: []uint64{24}},
		heaptest.Object{Address: 24, Head: []uint64{2, 2}, Words: 2, To: []uint64{8, 0}})
	e.Graph(2)
	f.Add(fuzzBytes(e))
	f.Fuzz(func(t *testing.T, b []byte) {
		e := &heaptest.Events{}
		for len(b) >= 3 {
			n := min(int(b[1])|int(b[2])<<8, len(b)-3)
			e.Add(uint16(b[0]), b[3:][:n])
			b = b[3+n:]
		}
		h := heap.NewHistory(e.All())
		g, err := heapgraph.New(e.All(), h, heapgraph.End)
		if err != nil {
			return
		}
		ask(g)
	})
}

func fuzzBytes(e *heaptest.Events) (b []byte) {
	for kind, data := range e.All()[0].All() {
		b = append(b, byte(kind), byte(len(data)), byte(len(data)>>8))
		b = append(b, data...)
	}
	return b
}
