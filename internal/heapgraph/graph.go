package heapgraph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/trace"
)

// Graph is objects, and what they refer to.
type Graph struct {
	Damaged  int64         // events that could not be read
	Missing  int64         // references to objects that are not there
	Complete bool          // nothing is left out
	Objects  int           // objects
	At       time.Duration // since the recording began
	Moments  int           // of the recording that have references
	Took     Took

	history *heap.History
	numbers *heap.Numbers // at the moment
	shapes  []*shape      // 0 is of classes without a number
	mirrors map[int32]*mirror
	several map[string]bool       // names of classes that several loaders have
	loaders map[int32]heap.Loader // by the object that is the loader
	names   map[named]string
	roots   []root

	// by object
	shape []int32 // index in shapes
	words []uint32
	first []int32 // index of its first reference; one more than there are objects

	// by reference
	target []int32 // the object
	slot   []uint16

	classMirror []int32 // by shape, the object that is its java.lang.Class; none
}

// Took is what the JVM had to wait for, in nanoseconds.
type Took struct{ All, Following, Waiting int64 }

// none is no object.
const none = -1

// root is a reason for an object to be alive that is no other object.
type root struct {
	object         int32
	kind           uint32 // as JVMTI has it, or permanent
	slot           uint32
	thread, method uint64
}

// Errors of recordings that have no graph.
var (
	ErrNone    = errors.New("no references are recorded")
	ErrTooMany = errors.New("there are too many objects or references")
)

// New takes the events of heap.Observer, in the order in which they were recorded, and gives the last references that
// are recorded by a moment, or End. They may be damaged. The error is ErrNone where there are no references.
func New(events []*trace.Events, h *heap.History, until time.Duration) (*Graph, error) {
	spans := spansOf(events)
	chosen, err := choose(spans, until)
	if err != nil {
		return nil, err
	}
	g := &Graph{history: h, numbers: heap.NewNumbers(), shapes: []*shape{{}}, mirrors: map[int32]*mirror{},
		names: map[named]string{}, several: map[string]bool{}, loaders: map[int32]heap.Loader{}, At: chosen.at,
		Moments: len(spans)}
	b := builder{Graph: g, owners: map[uint64]heap.Loader{}}
	b.definitions(events, chosen)
	if b.lists == nil && len(b.rootRecords) == 0 {
		return nil, ErrNone
	}
	if err := b.objects(); err != nil {
		return nil, err
	}
	b.references()
	b.resolve()
	return g, nil
}

// Class is an object's.
func (g *Graph) Class(object int32) heap.Class { return g.classOf(g.shape[object]) }

func (g *Graph) classOf(shape int32) heap.Class {
	if shape == 0 {
		return heap.Other
	}
	is, known := g.numbers.Identity(g.shapes[shape].number)
	if !known {
		return heap.Other
	}
	return g.history.Class(is)
}

// Amount is an object's, of one.
func (g *Graph) Amount(object int32) heap.Amount {
	return heap.Amount{Objects: 1, Bytes: 8 * int64(g.words[object])}
}

// builder makes a graph.
type builder struct {
	*Graph
	byNumber    shapes
	lists       [][]byte
	listBytes   int
	mirrorsAt   []*mirror
	owners      map[uint64]heap.Loader // of them
	rootRecords []rootRecord
	written     int64 // objects that the JVM says it has written; -1: it does not say

	address []uint64 // by object
	buckets []int32  // the first object at or behind each part of the addresses
	shift   uint
}

// definitions reads all events of a moment but objects.
func (b *builder) definitions(events []*trace.Events, of span) {
	b.written = -1
	n := -1
	for _, record := range events {
		for kind, data := range record.All() {
			if n++; n >= of.to {
				return
			}
			b.numbers.Take(kind, data)
			if n < of.from {
				continue
			}
			good := true
			switch uint32(kind) {
			case abi.EventHeapShape:
				var s *shape
				if s, good = decodeShape(data); good && s.form == abi.HeapSame {
					s = b.byNumber.of(uint64(s.bytes)).numbered(s.number)
					good = s != nil
				}
				if good && b.byNumber.add(s, int32(len(b.shapes))) {
					b.shapes = append(b.shapes, s)
				}
			case abi.EventHeapMirror:
				var m *mirror
				if m, good = decodeMirror(data); good {
					if loader, known := b.owners[m.address]; known {
						m.loader = loader
					}
					b.mirrorsAt = append(b.mirrorsAt, m)
				}
			case abi.EventHeapOwner:
				var address uint64
				var loader heap.Loader
				if address, loader, good = decodeOwner(data); good {
					b.owners[address] = loader
				}
			case abi.EventHeapRoot:
				var r rootRecord
				if r, good = decodeRoot(data); good {
					b.rootRecords = append(b.rootRecords, r)
				}
			case abi.EventHeapName:
				var of named
				var name string
				if of, name, good = decodeName(data); good {
					b.names[of] = name
				}
			case abi.EventHeapObjects:
				b.lists = append(b.lists, data)
				b.listBytes += len(data)
			case abi.EventHeapGraph:
				good = b.end(data)
			}
			if !good {
				b.Damaged++
			}
		}
	}
}

func (b *builder) end(data []byte) (good bool) {
	if len(data) != 8*abi.HeapGraphWords {
		return false
	}
	word := func(i int) int64 { return int64(binary.LittleEndian.Uint64(data[8*i:])) }
	b.Took = Took{word(abi.HeapGraphNanoseconds), word(abi.HeapGraphFollowing), word(abi.HeapGraphWaiting)}
	b.written = word(abi.HeapGraphWritten)
	b.Complete = b.written == word(abi.HeapGraphObjects)
	b.Missing = max(0, word(abi.HeapGraphUnread))
	return true
}

// objects reads what objects there are.
func (b *builder) objects() error {
	references := int64(0)
	room := int(min(max(b.written, 0), int64(b.listBytes)))
	b.first, b.address = make([]int32, 0, room+1), make([]uint64, 0, room)
	b.shape, b.words = make([]int32, 0, room), make([]uint32, 0, room)
	l := list{shapes: b.byNumber,
		use: func(o *object) {
			b.first = append(b.first, int32(min(references, math.MaxInt32)))
			b.address = append(b.address, o.address)
			b.shape = append(b.shape, o.shape.at())
			b.words = append(b.words, uint32(min(o.words, math.MaxUint32)))
		},
		ref: func(int, uint64) { references++ },
	}
	for _, data := range b.lists {
		if !l.event(data) {
			b.Damaged++
		}
	}
	b.Objects = len(b.address)
	if references > math.MaxInt32 || b.Objects > math.MaxInt32-1 {
		return ErrTooMany
	}
	b.first = append(b.first, int32(references))
	b.Complete = b.Complete && b.written == int64(b.Objects) && b.Damaged == 0
	b.fillBuckets()
	return nil
}

// fillBuckets divides addresses into some parts, twice as many as there are objects at most.
func (b *builder) fillBuckets() {
	n := len(b.address)
	if n == 0 {
		return
	}
	span := b.address[n-1] - b.address[0]
	for b.shift = 6; span>>b.shift > 2*uint64(n); b.shift++ {
	}
	b.buckets = make([]int32, span>>b.shift+2)
	at := 0
	for i := range b.buckets {
		for at < n && (b.address[at]-b.address[0])>>b.shift < uint64(i) {
			at++
		}
		b.buckets[i] = int32(at)
	}
}

// at gives the object at an address; none where there is none.
func (b *builder) at(address uint64) int32 {
	n := len(b.address)
	if n == 0 || address < b.address[0] || address > b.address[n-1] {
		return none
	}
	part := (address - b.address[0]) >> b.shift
	from, to := b.buckets[part], b.buckets[part+1]
	if i, ok := slices.BinarySearch(b.address[from:to], address); ok {
		return from + int32(i)
	}
	return none
}

// references reads them again, now that the objects are known.
func (b *builder) references() {
	b.target = make([]int32, b.first[b.Objects])
	b.slot = make([]uint16, len(b.target))
	at := 0
	l := list{shapes: b.byNumber, use: func(*object) {},
		ref: func(slot int, target uint64) {
			to := b.at(target)
			if to == none {
				b.Missing++
			}
			b.target[at], b.slot[at] = to, uint16(min(slot, math.MaxUint16))
			at++
		},
	}
	for _, data := range b.lists {
		l.event(data)
	}
}

// permanent is the kind of root that classes are which no program can unload.
const permanent = 0

// builtin are the loaders, besides the boot loader, that are never gone.
var builtin = map[string]bool{
	"jdk.internal.loader.ClassLoaders$AppClassLoader":      true,
	"jdk.internal.loader.ClassLoaders$PlatformClassLoader": true,
}

// resolve finds the objects that are classes and roots.
func (b *builder) resolve() {
	first := map[string]heap.Loader{}
	for _, m := range b.mirrorsAt {
		if object := b.at(m.address); object != none && b.isMirror(object) {
			b.mirrors[object] = m
			b.noteLoader(first, object)
			if b.isPermanent(object) {
				b.roots = append(b.roots, root{object: object, kind: permanent})
			}
		}
	}
	slices.SortFunc(b.roots, func(x, y root) int { return int(x.object - y.object) })
	for _, r := range b.rootRecords {
		if object := b.at(r.address); object != none {
			b.roots = append(b.roots, root{object, max(r.kind, 1), r.slot, r.thread, r.method})
		}
	}
	b.classMirror = make([]int32, len(b.shapes))
	for i, s := range b.shapes {
		b.classMirror[i] = none
		if at := b.at(s.mirror); i > 0 && at != none && b.isMirror(at) && !b.isPermanent(at) {
			b.classMirror[i] = at
		}
	}
}

func (g *Graph) isMirror(object int32) bool {
	return g.shapes[g.shape[object]].form == abi.HeapClassForm
}

// isPermanent reports whether a class, by its java.lang.Class, is never gone: its loader, which that refers to, is one
// that stays. Hidden classes may be gone before it.
func (g *Graph) isPermanent(mirror int32) bool {
	if strings.Contains(g.mirrorName(mirror), "/0x") {
		return false
	}
	loader, has := g.loaderObject(mirror)
	return !has || loader != none && builtin[g.history.Name(g.Class(loader))]
}

// loaderObject is what a java.lang.Class refers to as its loader, none if that is not there; the boot loader's have no
// such object.
func (g *Graph) loaderObject(mirror int32) (object int32, has bool) {
	slots := g.shapes[g.shape[mirror]].slots
	for i := g.first[mirror]; i < g.first[mirror+1]; i++ {
		if slot := int(g.slot[i]); slot < len(slots) && slots[slot].Name == "classLoader" {
			return g.target[i], true
		}
	}
	return none, false
}

// noteLoader has a class's loader be known, given the first one of each name.
func (b *builder) noteLoader(first map[string]heap.Loader, mirror int32) {
	m := b.mirrors[mirror]
	if m.loader == heap.NoLoader {
		return
	}
	if other, known := first[m.name]; !known {
		first[m.name] = m.loader
	} else if other != m.loader {
		b.several[m.name] = true
	}
	if object, has := b.loaderObject(mirror); has && object != none {
		b.loaders[object] = m.loader
	}
}

// ownLoader is the loader that an object belongs to: that of its class, or the one that it is, or whose class it
// stands for.
func (g *Graph) ownLoader(object int32) heap.Loader {
	if m := g.mirrors[object]; m != nil && m.loader != heap.NoLoader {
		return m.loader
	}
	if loader, is := g.loaders[object]; is {
		return loader
	}
	return g.history.Loader(g.Class(object))
}

// within is behind a class's name where several loaders have it: @3, which is how their names end, too.
func within(loader heap.Loader) string {
	if loader == heap.NoLoader {
		return ""
	}
	return fmt.Sprintf("@%d", loader)
}

// className is a class in Java's words, with its loader's number where the name has several.
func (g *Graph) className(class heap.Class) string {
	if g.history.Within(class) == "" {
		return g.history.Name(class)
	}
	return g.history.Name(class) + within(g.history.Loader(class))
}

// mirrorName is the class in Java's words that an object stands for.
func (g *Graph) mirrorName(object int32) string {
	if m := g.mirrors[object]; m != nil && g.several[m.name] {
		return heap.JavaName(m.name) + within(m.loader)
	} else if m != nil {
		return heap.JavaName(m.name)
	}
	return "(unknown)"
}
