package heaptest

import (
	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Loaded is a program in which the loaders 2 and 3, of the class java.net.URLClassLoader, have a class demo.Plugin
// each, of which demo.Main, of loader 1, has two objects and one in a static field. Those of loader 2 share a string.
// Loader 4 has one, too, which is garbage.
func Loaded() *Events {
	const (
		main, plugin2, plugin3, app, loader2, loader3 = 0x1000, 0x1100, 0x1200, 0x1300, 0x1340, 0x1380
		array, a, b, c, shared, own                   = 0x1400, 0x1500, 0x1510, 0x1520, 0x1600, 0x1620
		appClass, loaderClass                         = "jdk/internal/loader/ClassLoaders$AppClassLoader#0",
			"java/net/URLClassLoader#0"
		class, list, text = "java/lang/Class#0", "[Ljava/lang/Object;#0", "java/lang/String#0"
	)
	e := &Events{}
	e.Born(Row{class, 3, 3 * 128}, Row{appClass, 1, 64}, Row{loaderClass, 2, 128}, Row{list, 1, 32},
		Row{"demo/Plugin#2", 2, 32}, Row{"demo/Plugin#3", 1, 16}, Row{"demo/Plugin#4", 1, 16}, Row{text, 2, 48})
	used := [abi.HeapSpaces]uint64{720}
	e.Walk(Walk{Start: 1e9, Used: used, Last: true})

	e.Shape(Shape{Class: class, Form: abi.HeapClassForm, Slots: []Slot{{abi.HeapStrong, "classLoader"}}})
	e.Shape(Shape{Class: appClass, Bytes: 64})
	e.Shape(Shape{Class: loaderClass, Bytes: 64})
	e.Shape(Shape{Class: list, Form: abi.HeapReferences, Bytes: 16, Shift: 2})
	fields := []Slot{{abi.HeapStrong, "text"}}
	e.Shape(Shape{Class: "demo/Plugin#2", Bytes: 16, Mirror: plugin2, Slots: fields})
	e.Shape(Shape{Class: "demo/Plugin#3", Bytes: 16, Mirror: plugin3, Slots: fields})
	e.Shape(Shape{Class: text, Bytes: 24})
	for _, m := range []struct {
		address, loader uint64
		name            string
		statics         []string
	}{{main, 1, "demo/Main", []string{"plugins"}}, {plugin2, 2, "demo/Plugin", nil},
		{plugin3, 3, "demo/Plugin", nil}} {
		e.Owner(m.address, m.loader)
		e.Mirror(m.address, m.name, m.statics...)
	}
	e.Root(Root{Address: main, Kind: 22})
	objects := []Object{
		{Class: class, Address: main, Words: 16, Head: []uint64{16, 1}, To: []uint64{app, array, 0, 0, 0}},
		{Class: class, Address: plugin2, Words: 16, Head: []uint64{16, 0}, To: []uint64{loader2, 0, 0, 0}},
		{Class: class, Address: plugin3, Words: 16, Head: []uint64{16, 0}, To: []uint64{loader3, 0, 0, 0}},
		{Class: appClass, Address: app, Words: 8},
		{Class: loaderClass, Address: loader2, Words: 8},
		{Class: loaderClass, Address: loader3, Words: 8},
		{Class: list, Address: array, Words: 4, Head: []uint64{3}, To: []uint64{a, b, c}},
		{Class: "demo/Plugin#2", Address: a, Words: 2, To: []uint64{shared}},
		{Class: "demo/Plugin#2", Address: b, Words: 2, To: []uint64{shared}},
		{Class: "demo/Plugin#3", Address: c, Words: 2, To: []uint64{own}},
		{Class: text, Address: shared, Words: 3},
		{Class: text, Address: own, Words: 3},
	}
	e.Objects(100, objects...)
	e.Graph(uint64(len(objects)))
	return e
}

// Loaders are records that name the loaders of Loaded, and say which classes they have loaded.
func Loaders() (records []trace.Record) {
	for id, class := range []string{"", "jdk/internal/loader/ClassLoaders$AppClassLoader", "java/net/URLClassLoader",
		"java/net/URLClassLoader", "java/net/URLClassLoader"} {
		loader := trace.LoaderID(id)
		records = append(records, &trace.Loader{ID: loader, Class: class})
		if id > 1 {
			records = append(records, &trace.ClassSize{Loader: loader, Name: "demo/Plugin", Bytes: 16})
		}
	}
	return records
}
