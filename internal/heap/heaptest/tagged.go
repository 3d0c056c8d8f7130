package heaptest

import (
	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Tagged is a program with G1 whose objects have tags, of TaggedSites. It makes entries in two methods: of those of the
// first it has 20 in the static field demo.Main.kept, of the second 8 there and 2 in demo.Main.cached. Four, which have
// no tag, died.
func Tagged() *Events {
	const (
		main, kept, cached, entries = 0x1000, 0x1100, 0x1200, 0x2000
		class, list                 = "java/lang/Class", "[Ldemo/Entry;@3"
		first, second               = "demo/Entry@1", "demo/Entry@2"
		n, inKept                   = 30, 28
	)
	e := &Events{}
	e.Born(Row{class, 1, 128}, Row{list, 2, 152}, Row{first, 60, 60 * 32}, Row{second, 40, 40 * 32},
		Row{"demo/Entry", 4, 4 * 32})
	e.Walk(Walk{Collection: 0, Start: 1e9, Used: [abi.HeapSpaces]uint64{3608}})
	e.Finish(1.01e9, abi.HeapYoung)
	e.Moved(1, Row{class, 1, 128}, Row{list, 2, 152}, Row{first, 20, 20 * 32}, Row{second, 10, 10 * 32})
	e.Walk(Walk{Start: 2e9, Used: [abi.HeapSpaces]uint64{0, 1240}, Last: true})

	e.Shape(Shape{Class: class, Form: abi.HeapClassForm, Slots: []Slot{{abi.HeapStrong, "classLoader"}}})
	e.Shape(Shape{Class: list, Form: abi.HeapReferences, Bytes: 16, Shift: 2})
	e.Shape(Shape{Class: first, Bytes: 32})
	e.Shape(Shape{Class: second, Bytes: 32})
	e.Mirror(main, "demo/Main", "kept", "cached")
	e.Root(Root{Address: main, Kind: 22})
	objects := []Object{
		{Class: class, Address: main, Words: 16, Head: []uint64{16, 2}, To: []uint64{0, kept, cached, 0, 0, 0}},
		{Class: list, Address: kept, Words: 16, Head: []uint64{inKept}},
		{Class: list, Address: cached, Words: 3, Head: []uint64{n - inKept}},
	}
	for i := range uint64(n) {
		o := Object{Class: first, Address: entries + 32*i, Words: 4}
		if i >= 20 {
			o.Class = second
		}
		objects = append(objects, o)
		in := &objects[1]
		if i >= inKept {
			in = &objects[2]
		}
		in.To = append(in.To, o.Address)
	}
	e.Objects(100, objects...)
	e.Graph(uint64(len(objects)))
	return e
}

// TaggedSites are sites of Tagged: the tag of each is its number here.
func TaggedSites() []trace.Record {
	return Sites(
		Site{Class: "demo/Main", Method: "main", Type: "java/lang/Object", Size: 16, Objects: 1},
		Site{Class: "demo/Main", Method: "first", Type: "demo/Entry", Size: 32, Objects: 60},
		Site{Class: "demo/Main", Method: "second", Type: "demo/Entry", Size: 32, Objects: 40},
		Site{Class: "demo/Main", Method: "main", Type: "[Ldemo/Entry;", Size: 16, Objects: 2})
}
