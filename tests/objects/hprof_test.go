package objects_test

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// dump is a heap dump of the JVM's, in the format HPROF, as far as tests need it. It shares nothing with what it is
// compared with.
type dump struct {
	r       *bufio.Reader
	names   map[uint64]string // of strings
	loaded  map[uint64]string // of classes
	classes map[uint64]*dumpedClass
	objects map[uint64]*dumpedObject
	roots   []uint64
}

type dumpedClass struct {
	super  uint64
	fields []dumpedField
}

type dumpedField struct {
	name string
	kind byte
}

type dumpedObject struct {
	class      string
	classID    uint64 // 0: of primitive values
	length     int    // of an array; -1
	references []uint64
	values     []byte // of fields, until classes are known
}

// dumpedSizes are the bytes of values, by the format's kinds.
var dumpedSizes = map[byte]int{2: 8, 4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}

var dumpedArrays = map[byte]string{4: "boolean[]", 5: "char[]", 6: "float[]", 7: "double[]", 8: "byte[]",
	9: "short[]", 10: "int[]", 11: "long[]"}

// readDump reads a file.
func readDump(t *testing.T, name string) *dump {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d := &dump{bufio.NewReaderSize(file, 1<<20), map[uint64]string{}, map[uint64]string{}, map[uint64]*dumpedClass{},
		map[uint64]*dumpedObject{}, nil}
	if _, err := d.r.ReadString(0); err != nil {
		t.Fatal(err)
	}
	if size := d.u4(); size != 8 {
		t.Fatalf("identifiers of %d bytes", size)
	}
	d.skip(8)
	for {
		tag, err := d.r.ReadByte()
		if err == io.EOF {
			break
		}
		d.skip(4)
		switch length := d.u4(); tag {
		case 0x01:
			id := d.id()
			d.names[id] = string(d.bytes(length - 8))
		case 0x02:
			d.skip(4)
			id := d.id()
			d.skip(4)
			name := strings.ReplaceAll(d.names[d.id()], "/", ".")
			d.loaded[id] = strings.ReplaceAll(jvmtest.JavaType(name), "+", "/") // of hidden classes
		case 0x0c, 0x1c:
			d.segment(t, length)
		default:
			d.skip(length)
		}
	}
	for _, o := range d.objects {
		if o.values != nil {
			o.references = append(o.references, d.fields(o)...)
			o.values = nil
		}
		if o.class == "" {
			o.class = d.loaded[o.classID]
		}
		if o.classID != 0 {
			o.references = append(o.references, o.classID)
		}
	}
	return d
}

func (d *dump) bytes(n int) []byte {
	b := make([]byte, n)
	io.ReadFull(d.r, b)
	return b
}

func (d *dump) skip(n int) { d.r.Discard(n) }
func (d *dump) u1() byte   { return d.bytes(1)[0] }
func (d *dump) u2() int    { return int(binary.BigEndian.Uint16(d.bytes(2))) }
func (d *dump) u4() int    { return int(binary.BigEndian.Uint32(d.bytes(4))) }
func (d *dump) id() uint64 { return binary.BigEndian.Uint64(d.bytes(8)) }
func (d *dump) ids(n int) (list []uint64) {
	for range n {
		list = append(list, d.id())
	}
	return list
}

// segment reads roots and objects.
func (d *dump) segment(t *testing.T, length int) {
	rootRest := map[byte]int{0xff: 0, 0x01: 8, 0x02: 8, 0x03: 8, 0x04: 4, 0x05: 0, 0x06: 4, 0x07: 0, 0x08: 8}
	for length > 0 {
		tag := d.u1()
		length--
		if rest, ok := rootRest[tag]; ok {
			d.roots = append(d.roots, d.id())
			d.skip(rest)
			length -= 8 + rest
			continue
		}
		id := d.id()
		d.skip(4)
		length -= 12
		switch tag {
		case 0x20:
			length -= d.class(id)
		case 0x21:
			o := &dumpedObject{classID: d.id(), length: -1}
			n := d.u4()
			o.values = d.bytes(n)
			d.objects[id] = o
			length -= 12 + n
		case 0x22:
			n := d.u4()
			o := &dumpedObject{classID: d.id(), length: n}
			o.references = d.ids(n)
			d.objects[id] = o
			length -= 12 + 8*n
		case 0x23:
			n := d.u4()
			kind := d.u1()
			d.objects[id] = &dumpedObject{class: dumpedArrays[kind], length: n}
			d.skip(n * dumpedSizes[kind])
			length -= 5 + n*dumpedSizes[kind]
		default:
			t.Fatalf("a record %#x in a heap dump", tag)
		}
	}
}

// class reads a class, which is an object, too, and gives the bytes that it has.
func (d *dump) class(id uint64) (read int) {
	c := &dumpedClass{super: d.id()}
	o := &dumpedObject{class: "java.lang.Class", length: -1, references: append(d.ids(3), c.super)}
	d.skip(2*8 + 4)
	read = 6*8 + 4
	value := func() (reference uint64) {
		kind := d.u1()
		if kind == 2 {
			reference = d.id()
		} else {
			d.skip(dumpedSizes[kind])
		}
		read += 1 + dumpedSizes[kind]
		return reference
	}
	for n := d.u2(); n > 0; n-- {
		d.skip(2)
		value()
		read += 2
	}
	for n := d.u2(); n > 0; n-- {
		d.skip(8)
		o.references = append(o.references, value())
		read += 8
	}
	for n := d.u2(); n > 0; n-- {
		c.fields = append(c.fields, dumpedField{d.names[d.id()], d.u1()})
		read += 9
	}
	d.classes[id], d.objects[id] = c, o
	return read + 3*2
}

// fields gives what an object's fields refer to, but for what references refer to weakly.
func (d *dump) fields(o *dumpedObject) (references []uint64) {
	values := o.values
	for id := o.classID; id != 0; id = d.classes[id].super {
		for _, f := range d.classes[id].fields {
			n := dumpedSizes[f.kind]
			weak := d.loaded[id] == "java.lang.ref.Reference" && (f.name == "referent" || f.name == "discovered")
			if f.kind == 2 && !weak {
				references = append(references, binary.BigEndian.Uint64(values))
			}
			values = values[n:]
		}
	}
	return references
}

// reachable gives the objects that roots lead to.
func (d *dump) reachable() (objects []*dumpedObject) {
	seen := map[uint64]bool{}
	stack := append([]uint64{}, d.roots...)
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		o := d.objects[id]
		if o == nil || seen[id] {
			continue
		}
		seen[id] = true
		objects = append(objects, o)
		stack = append(stack, o.references...)
	}
	return objects
}
