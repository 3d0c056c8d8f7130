package heap

import (
	"encoding/binary"
	"iter"

	"mallard/internal/abi"
)

// definitions are a Follower's classes, of which each that a recording defines is one: those that have a number in it,
// and others as long as they are held.
type definitions struct {
	list     []definition // by Class; numbers of those that are unused are given again
	unused   []Class
	gone     int // without a number
	mostGone int // that many, until it is looked which are held
}

// definition is what defines a class.
type definition struct {
	is     Definition // its Number is 0 where another class has it, or nobody; Same is not used
	base   Class      // that has its name and loader; Other: it has them itself
	tagged int        // whose base it is
	loader Loader
	state  definitionState
}

type definitionState uint8

const (
	isUnused definitionState = iota
	isDefined
	isImplied // its site gives no tags
)

// fewGone classes without a number are not worth a look.
const fewGone = 1024

func newDefinitions() definitions {
	return definitions{list: make([]definition, Unused+1), mostGone: fewGone}
}

// define adds a class, also to what numbers stand for. What is damaged, or has been defined, changes nothing.
func (s *definitions) define(d *Definition, numbers numbers) {
	base, _ := numbers.class(d.Same)
	if of := s.list[base].base; of != Other {
		base = of
	}
	n := numbers.define(d)
	if n == nil {
		return
	}
	if len(s.unused) == 0 {
		s.list = append(s.list, definition{})
		n.class = Class(len(s.list) - 1)
	} else {
		n.class = s.unused[len(s.unused)-1]
		s.unused = s.unused[:len(s.unused)-1]
	}
	s.list[n.class] = definition{is: *d, base: base, loader: n.loader, state: isDefined}
	s.list[base].tagged++
}

func (s *definitions) imply(class Class) { s.list[class].state = isImplied }

// unnumber notes that a class has its number no more.
func (s *definitions) unnumber(class Class) {
	s.list[class].is.Number = 0
	s.gone++
}

func (s *definitions) manyGone() bool { return s.gone >= s.mostGone }

// release lets classes go that have no number and are not held, nor their name needed.
func (s *definitions) release(held iter.Seq[Class]) {
	isHeld := make([]bool, len(s.list))
	for class := range held {
		isHeld[class] = true
	}
	for _, tagged := range []bool{true, false} {
		for i := range s.list {
			d := &s.list[i]
			if d.state == isUnused || (d.base != Other) != tagged || d.is.Number != 0 || isHeld[i] || d.tagged > 0 {
				continue
			}
			s.list[d.base].tagged--
			*d = definition{}
			s.unused = append(s.unused, Class(i))
			s.gone--
		}
	}
	s.mostGone = max(fewGone, 2*s.gone)
}

// number is that which a keyframe has for a class: where it has none, one that the agent gives to nobody.
func (s *definitions) number(class Class) uint32 {
	switch d := &s.list[class]; {
	case class <= Unused:
		return uint32(class)
	case d.is.Number == 0:
		return abi.HeapClasses + uint32(class)
	default:
		return d.is.Number
	}
}

// single is number for single objects, with the bytes that each has; 0 where they differ.
func (s *definitions) single(class int32) (number, bytes uint32) {
	return s.number(Class(class)), s.list[class].is.bytes
}

// isSame reports whether classes have one name and one loader.
func (s *definitions) isSame(a, b Class) bool {
	of := func(class Class) (name string, loader Loader) {
		if base := s.list[class].base; base != Other {
			class = base
		}
		if name = s.list[class].is.Name; class <= Unused || fillers[name] {
			return "", NoLoader
		}
		return name, s.list[class].loader
	}
	nameOfA, loaderOfA := of(a)
	nameOfB, loaderOfB := of(b)
	return nameOfA == nameOfB && loaderOfA == loaderOfB
}

// put gives events that define all, those that others have their names from first. Loaders are of classes that follow.
func (s *definitions) put(loaders map[uint32]Loader, to func(kind uint16, data []byte)) {
	for number, loader := range loaders {
		putLoader(number, loader, to)
	}
	for _, tagged := range []bool{false, true} {
		for i := range s.list {
			if d := &s.list[i]; d.state != isUnused && (d.base != Other) == tagged {
				s.putOne(Class(i), d, to)
			}
		}
	}
}

func (s *definitions) putOne(class Class, d *definition, to func(kind uint16, data []byte)) {
	number := s.number(class)
	is := d.is
	is.Number, is.Same = number, s.number(d.base)
	if d.base == Other && d.loader != NoLoader {
		putLoader(number, d.loader, to)
	}
	to(abi.EventHeapClass, is.encode())
	if d.state == isImplied {
		to(abi.EventHeapImplied, binary.LittleEndian.AppendUint32(nil, number))
	}
}

func putLoader(number uint32, loader Loader, to func(kind uint16, data []byte)) {
	data := binary.LittleEndian.AppendUint32(nil, number)
	to(abi.EventHeapLoader, binary.LittleEndian.AppendUint32(data, uint32(loader)))
}

// encode gives the event that says it.
func (d *Definition) encode() []byte {
	data := make([]byte, 0, abi.HeapClassName+len(d.Name))
	for _, field := range [...]uint32{abi.HeapClassNumber / 4: d.Number, abi.HeapClassBytes / 4: d.bytes,
		abi.HeapClassTag / 4: d.Tag, abi.HeapClassSame / 4: d.Same} {
		data = binary.LittleEndian.AppendUint32(data, field)
	}
	return append(data, d.Name...)
}
