package heaptest

import (
	"encoding/binary"

	"mallard/internal/abi"
)

// Shape is what objects of a class refer to, in the numbers of package abi.
type Shape struct {
	Class        string
	Form         uint32
	Bytes, Shift uint32
	Mirror       uint64
	Slots        []Slot
}

// Slot is a field.
type Slot struct {
	Kind byte
	Name string
}

func appendSlots(data []byte, slots []Slot) []byte {
	for _, s := range slots {
		data = append(append(data, s.Kind, byte(len(s.Name))), s.Name...)
	}
	return data
}

// Shape adds one.
func (e *Events) Shape(s Shape) {
	data := binary.LittleEndian.AppendUint32(nil, e.number(s.Class))
	for _, field := range []uint32{s.Form, s.Bytes, s.Shift} {
		data = binary.LittleEndian.AppendUint32(data, field)
	}
	data = binary.LittleEndian.AppendUint64(data, s.Mirror)
	e.Add(abi.EventHeapShape, appendSlots(data, s.Slots))
}

// Mirror adds a class, by the address of its java.lang.Class.
func (e *Events) Mirror(address uint64, class string, statics ...string) {
	data := binary.LittleEndian.AppendUint64(nil, address)
	data = append(binary.LittleEndian.AppendUint32(data, uint32(len(class))), class...)
	for _, name := range statics {
		data = appendSlots(data, []Slot{{abi.HeapStrong, name}})
	}
	e.Add(abi.EventHeapMirror, data)
}

// Owner has the java.lang.Class at an address be of a loader; its Mirror comes behind it.
func (e *Events) Owner(address, loader uint64) {
	e.Add(abi.EventHeapOwner, wordBytes([]uint64{address, loader}))
}

// Root is one, with all that may be known of it.
type Root struct {
	Address        uint64
	Kind, Slot     uint32
	Thread, Method uint64
}

// Root adds one.
func (e *Events) Root(r Root) {
	data := binary.LittleEndian.AppendUint64(nil, r.Address)
	data = binary.LittleEndian.AppendUint32(data, r.Kind)
	data = binary.LittleEndian.AppendUint32(data, r.Slot)
	if r.Thread|r.Method != 0 {
		data = binary.LittleEndian.AppendUint64(data, r.Thread)
		data = binary.LittleEndian.AppendUint64(data, r.Method)
	}
	e.Add(abi.EventHeapRoot, data)
}

// Name adds that of a method or a thread.
func (e *Events) Name(kind, number uint64, name string) {
	data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, kind), number)
	e.Add(abi.EventHeapName, append(data, name...))
}

// Object is one, with the addresses that it refers to, 0 for null.
type Object struct {
	Class   string // "": without a number
	Address uint64
	Words   uint64   // of those whose class does not say it
	Head    []uint64 // numbers behind the class
	To      []uint64
}

// Objects adds objects, which are in the order of their addresses, in events of some bytes at most, but for the first
// numbers of each.
func (e *Events) Objects(most int, objects ...Object) {
	var data []byte
	end := uint64(0)
	begin := func(address, slot uint64) {
		if len(data) > abi.HeapObjectsList {
			e.Add(abi.EventHeapObjects, data)
		}
		data = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, address), slot)
	}
	for i, o := range objects {
		class := uint64(abi.HeapOthers)
		if o.Class != "" {
			class = uint64(e.number(o.Class))
		}
		if i == 0 || len(data) >= most {
			begin(o.Address, 0)
			end = o.Address
		}
		if gap := (o.Address - end) / 8; gap > 0 {
			data = binary.AppendUvarint(binary.AppendUvarint(data, 2*class+1), gap)
		} else {
			data = binary.AppendUvarint(data, 2*class)
		}
		for _, n := range o.Head {
			data = binary.AppendUvarint(data, n)
		}
		for slot, to := range o.To {
			if len(data) >= most && slot > 0 {
				begin(o.Address, uint64(slot))
			}
			if to == 0 {
				data = append(data, 0)
				continue
			}
			way := int64(to-o.Address) / 8
			data = binary.AppendUvarint(data, 1+uint64(way<<1^way>>63))
		}
		end = o.Address + 8*o.Words
	}
	if len(data) > 0 {
		begin(0, 0)
	}
}

// GraphBegin adds the beginning of references, at a time in nanoseconds.
func (e *Events) GraphBegin(at uint64) { e.Add(abi.EventHeapGraphBegin, wordBytes([]uint64{at})) }

// Graph adds the end of references, after so many objects.
func (e *Events) Graph(objects uint64) {
	var data []byte
	for _, word := range [abi.HeapGraphWords]uint64{abi.HeapGraphObjects: objects, abi.HeapGraphWritten: objects} {
		data = binary.LittleEndian.AppendUint64(data, word)
	}
	e.Add(abi.EventHeapGraph, data)
}

// References is Leak, with a hundred of the entries in a cache that the static field demo.Main.cache holds; one more
// is a local variable's, and one that of a soft reference, which a thread has in a field.
func References() *Events {
	const (
		main, cache, array, soft, thread, entries = 0x1000, 0x1100, 0x1200, 0x1600, 0x1700, 0x2000
		n                                         = 102
	)
	e := Leak()
	e.Shape(Shape{Class: "java/lang/Class", Form: abi.HeapClassForm,
		Slots: []Slot{{abi.HeapStrong, "classLoader"}, {abi.HeapStrong, "name"}}})
	e.Shape(Shape{Class: "demo/Cache", Bytes: 24, Slots: []Slot{{abi.HeapStrong, "entries"}}})
	e.Shape(Shape{Class: "[Ldemo/Entry;", Form: abi.HeapReferences, Bytes: 16, Shift: 2})
	e.Shape(Shape{Class: "demo/Entry", Bytes: 32, Slots: []Slot{{abi.HeapStrong, "next"}}})
	e.Shape(Shape{Class: "java/lang/ref/SoftReference", Bytes: 40, Slots: []Slot{{abi.HeapSoft, "referent"}}})
	e.Shape(Shape{Class: "java/lang/Thread", Bytes: 64, Slots: []Slot{{abi.HeapStrong, "soft"}}})
	e.Mirror(main, "demo/Main", "cache")
	e.Root(Root{Address: main, Kind: 22})
	e.Root(Root{Address: thread, Kind: 26, Thread: 7})
	e.Root(Root{Address: entries + 32*(n-2), Kind: 24, Slot: 3, Thread: 7, Method: 0x77})
	e.Name(abi.HeapNameThread, 7, "main")
	e.Name(abi.HeapNameMethod, 0x77, "demo/Main.run")
	objects := []Object{
		{Class: "java/lang/Class", Address: main, Words: 16, Head: []uint64{16, 1}, To: []uint64{0, 0, cache, 0, 0, 0}},
		{Class: "demo/Cache", Address: cache, Words: 3, To: []uint64{array}},
		{Class: "[Ldemo/Entry;", Address: array, Words: 2 + n/2, Head: []uint64{n}, To: make([]uint64, n)},
		{Class: "java/lang/ref/SoftReference", Address: soft, Words: 5, To: []uint64{entries + 32*(n-1)}},
		{Class: "java/lang/Thread", Address: thread, Words: 8, To: []uint64{soft}},
	}
	for i := range uint64(n) {
		address := entries + 32*i
		objects = append(objects, Object{Class: "demo/Entry", Address: address, Words: 4, To: []uint64{0}})
		if i < n-2 {
			objects[2].To[i] = address
		}
	}
	e.Objects(100, objects...)
	e.Graph(uint64(len(objects)))
	return e
}
