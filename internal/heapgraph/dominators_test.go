package heapgraph_test

import (
	"math/rand/v2"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/heapgraph"
)

// TestDominators has random graphs: what an object retains is what cannot be reached without it.
func TestDominators(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n, edges, roots := 1+random.IntN(12), random.IntN(30), 1+random.IntN(3)
		to := make([][]int, n)
		for range edges {
			from := random.IntN(n)
			to[from] = append(to[from], random.IntN(n))
		}
		isRoot := map[int]bool{}
		e := &heaptest.Events{}
		address := func(object int) uint64 { return 0x1000 + 16*uint64(object) }
		for range roots {
			object := random.IntN(n)
			isRoot[object] = true
			e.Root(heaptest.Root{Address: address(object), Kind: 27})
		}
		var objects []heaptest.Object
		for object := range n {
			o := heaptest.Object{Address: address(object), Words: 2, Head: []uint64{2, uint64(len(to[object]))}}
			for _, target := range to[object] {
				o.To = append(o.To, address(target))
			}
			objects = append(objects, o)
		}
		e.Objects(20+random.IntN(100), objects...)
		e.Graph(uint64(n))
		reached := func(without int) (count int64) {
			seen := make([]bool, n)
			var visit func(int)
			visit = func(object int) {
				if object == without || seen[object] {
					return
				}
				seen[object] = true
				count++
				for _, target := range to[object] {
					visit(target)
				}
			}
			for object := range isRoot {
				visit(object)
			}
			return count
		}
		g, _ := read(t, e)
		if !g.Complete {
			t.Fatal("the graph is not complete")
		}
		d := heapgraph.NewDominators(g.Reach())
		all := reached(-1)
		for object := range n {
			want := heap.Amount{Objects: all - reached(object), Bytes: 16 * (all - reached(object))}
			if got := d.Retains(int32(object)); got != want {
				t.Fatalf("%v, roots %v: %d retains %v, want %v", to, isRoot, object, got, want)
			}
		}
	}
}

// TestDeep has a list of a million objects, each of which refers to the one before, too.
func TestDeep(t *testing.T) {
	const n = 1_000_000
	e := &heaptest.Events{}
	e.Shape(heaptest.Shape{Class: "Node", Bytes: 24, Slots: []heaptest.Slot{{Name: "next"}, {Name: "before"}}})
	e.Root(heaptest.Root{Address: 24, Kind: 21})
	objects := make([]heaptest.Object, n)
	for i := range uint64(n) {
		objects[i] = heaptest.Object{Class: "Node", Address: 24 * (i + 1), Words: 3, To: []uint64{24 * (i + 2), 24 * i}}
	}
	objects[n-1].To[0] = 24
	e.Objects(10_000, objects...)
	e.Graph(n)
	g, _ := read(t, e)
	r := g.Reach()
	rows, count := r.Paths(heap.Query{})
	if count != 2 || rows[0].Way.String() != "JNI global > Node.next" {
		t.Errorf("%d paths, %+v", count, rows)
	}
	if got := heapgraph.NewDominators(r).Retains(n / 2); got.Objects != 1 && got.Objects != n/2 {
		t.Errorf("%v", got)
	}
}
