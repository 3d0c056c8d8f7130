package heapgraph

import (
	"encoding/binary"
	"math"

	"mallard/internal/abi"
	"mallard/internal/heap"
)

// form is how objects of a class are written.
type form uint32

// Slot is one reference of an object, as its class has it.
type Slot struct {
	Name string // of the field; "" where the JVM has it for itself
	kind byte   // abi.HeapStrong, ...
}

// shape is what objects of a class refer to.
type shape struct {
	number uint32
	form   form
	bytes  uint32 // of an object; in front of an array's elements
	shift  uint32 // an element's bytes, as a power of two
	mirror uint64 // address of its java.lang.Class
	slots  []Slot
	index  int32 // in Graph.shapes
}

// at is the index in Graph.shapes, of classes without a number too.
func (s *shape) at() int32 {
	if s == nil {
		return 0
	}
	return s.index
}

// numbered is the same with another number; nil of nil.
func (s *shape) numbered(number uint32) *shape {
	if s == nil {
		return nil
	}
	same := *s
	same.number = number
	return &same
}

// shapes are those of a recording, by number.
type shapes []*shape

// maxNumber bounds numbers of classes.
const maxNumber = 1 << 20

// add gives a shape its index; false if there is one of its number.
func (l *shapes) add(s *shape, index int32) bool {
	if l.of(uint64(s.number)) != nil {
		return false
	}
	if n := int(s.number) + 1 - len(*l); n > 0 {
		*l = append(*l, make([]*shape, n)...)
	}
	(*l)[s.number], s.index = s, index
	return true
}

// of gives the shape that has a number; nil for none.
func (l shapes) of(number uint64) *shape {
	if number >= uint64(len(l)) {
		return nil
	}
	return l[number]
}

// others is of classes without a number.
const others = abi.HeapOthers

func decodeSlots(data []byte) (slots []Slot, good bool) {
	for len(data) > 0 {
		if len(data) < 2 || len(data) < 2+int(data[1]) || data[0] > abi.HeapFinalizer {
			return nil, false
		}
		n := 2 + int(data[1])
		slots = append(slots, Slot{string(data[2:n]), data[0]})
		data = data[n:]
	}
	return slots, true
}

func decodeShape(data []byte) (s *shape, good bool) {
	if len(data) < abi.HeapShapeSlots {
		return nil, false
	}
	field := func(offset int) uint32 { return binary.LittleEndian.Uint32(data[offset:]) }
	s = &shape{number: field(abi.HeapShapeNumber), form: form(field(abi.HeapShapeForm)),
		bytes: field(abi.HeapShapeBytes), shift: field(abi.HeapShapeShift),
		mirror: binary.LittleEndian.Uint64(data[abi.HeapShapeMirror:])}
	if s.number == others || s.number >= maxNumber || s.form > abi.HeapSame || s.shift > 3 ||
		s.bytes > math.MaxInt32 {
		return nil, false
	}
	s.slots, good = decodeSlots(data[abi.HeapShapeSlots:])
	return s, good
}

// mirror is a class, as its java.lang.Class has it.
type mirror struct {
	address uint64
	name    string // the JVM's
	loader  heap.Loader
	statics []Slot
}

func decodeMirror(data []byte) (m *mirror, good bool) {
	if len(data) < abi.HeapMirrorText {
		return nil, false
	}
	n := binary.LittleEndian.Uint32(data[abi.HeapMirrorName:])
	rest := data[abi.HeapMirrorText:]
	if uint64(n) > uint64(len(rest)) {
		return nil, false
	}
	m = &mirror{address: binary.LittleEndian.Uint64(data[abi.HeapMirrorAddress:]), name: string(rest[:n]),
		loader: heap.NoLoader}
	m.statics, good = decodeSlots(rest[n:])
	return m, good
}

func decodeOwner(data []byte) (address uint64, loader heap.Loader, good bool) {
	if len(data) != abi.HeapOwnerBytes {
		return 0, 0, false
	}
	number := binary.LittleEndian.Uint64(data[abi.HeapOwnerNumber:])
	return binary.LittleEndian.Uint64(data[abi.HeapOwnerAddress:]), heap.Loader(number), number < math.MaxUint32
}

// rootRecord is a root as it was written.
type rootRecord struct {
	address        uint64
	kind, slot     uint32
	thread, method uint64
}

func decodeRoot(data []byte) (r rootRecord, good bool) {
	if len(data) != abi.HeapRootThread && len(data) != abi.HeapRootBytes {
		return rootRecord{}, false
	}
	r = rootRecord{address: binary.LittleEndian.Uint64(data[abi.HeapRootAddress:]),
		kind: binary.LittleEndian.Uint32(data[abi.HeapRootKind:]),
		slot: binary.LittleEndian.Uint32(data[abi.HeapRootSlot:])}
	if len(data) == abi.HeapRootBytes {
		r.thread = binary.LittleEndian.Uint64(data[abi.HeapRootThread:])
		r.method = binary.LittleEndian.Uint64(data[abi.HeapRootMethod:])
	}
	return r, true
}

// named is what a name is of.
type named struct {
	kind, number uint64
}

func decodeName(data []byte) (of named, name string, good bool) {
	if len(data) < abi.HeapNameText {
		return named{}, "", false
	}
	of = named{binary.LittleEndian.Uint64(data[abi.HeapNameKind:]),
		binary.LittleEndian.Uint64(data[abi.HeapNameNumber:])}
	return of, string(data[abi.HeapNameText:]), true
}

// object is one as it is written.
type object struct {
	address uint64
	words   uint64
	shape   *shape // nil: of a class without a number
	statics int    // static fields of a java.lang.Class
	slots   int    // references that follow, null or not
}

// Bounds of what can be true: larger heaps there are none.
const (
	maxWords   = 1 << 40 // of an object
	maxAddress = 1 << 62
)

// list decodes the objects of events that follow each other. use is called with each, ref with the address of each
// reference in it that is not null, by the slot's index. What cannot be read is left out, up to the next event.
type list struct {
	shapes shapes
	use    func(o *object)
	ref    func(slot int, target uint64)

	current object
	have    int    // slots of current that have been
	end     uint64 // of the object before: addresses grow
}

// event decodes one; false if it is damaged.
func (l *list) event(data []byte) (good bool) {
	if len(data) < abi.HeapObjectsList {
		return false
	}
	address := binary.LittleEndian.Uint64(data[abi.HeapObjectsAddress:])
	slot := binary.LittleEndian.Uint64(data[abi.HeapObjectsSlot:])
	rest := data[abi.HeapObjectsList:]
	next := func() (n uint64) {
		n, length := binary.Uvarint(rest)
		if length <= 0 {
			rest, good = nil, false
			return 0
		}
		rest = rest[length:]
		return n
	}
	good = true
	switch {
	case address > maxAddress:
		return false
	case slot == 0:
		l.have = l.current.slots // the rest of the one before is missing, if there is any
	case address != l.current.address || slot != uint64(l.have) || slot > uint64(l.current.slots):
		return false
	default:
		address = l.end
	}
	for first := slot == 0; good; first = false {
		for ; l.have < l.current.slots && len(rest) > 0; l.have++ {
			n := next()
			if !good {
				return false
			}
			if n > 0 {
				way := int64((n-1)>>1) ^ -int64((n-1)&1)
				l.ref(l.have, l.current.address+8*uint64(way))
			}
		}
		if len(rest) == 0 {
			return good
		}
		class := next()
		if class&1 != 0 {
			gap := next()
			if gap > maxAddress/8 {
				return false
			}
			address += 8 * gap
		}
		if !first && address < l.end {
			return false
		}
		o := object{address: address}
		if !l.header(&o, class>>1, next) || !good || address < l.end || address > maxAddress {
			l.current, l.have = object{}, 0
			return false
		}
		l.current, l.have = o, 0
		address += 8 * o.words
		l.end = address
		l.use(&l.current)
	}
	return good
}

// header reads what is in front of an object's slots.
func (l *list) header(o *object, class uint64, next func() uint64) bool {
	if o.shape = l.shapes.of(class); o.shape == nil && class != others {
		return false
	}
	if o.shape == nil || o.shape.form == abi.HeapVarying {
		o.words = next()
		n := next()
		o.slots = int(n)
		return o.words > 0 && o.words < maxWords && n < math.MaxInt32
	}
	o.slots = len(o.shape.slots)
	bytes := uint64(o.shape.bytes)
	switch o.shape.form {
	case abi.HeapReferences, abi.HeapValues:
		n := next()
		if n > math.MaxInt32 {
			return false
		}
		bytes += n << o.shape.shift
		if o.shape.form == abi.HeapReferences {
			o.slots = int(n)
		}
	case abi.HeapClassForm:
		words, statics := next(), next()
		if words > maxWords || statics > math.MaxUint16 {
			return false
		}
		bytes = 8 * words
		o.statics = int(statics)
		o.slots += o.statics + abi.HeapMirrorSlots
	}
	o.words = (bytes + 7) / 8
	return o.words > 0
}
