package heap

import (
	"encoding/binary"
	"iter"
	"math"

	"mallard/internal/abi"
)

// numbers are what the numbers of classes in a recording stand for at a moment: those of classes that are gone are
// given again.
type numbers struct {
	classes map[uint32]*numbered
	loaders map[uint32]Loader // of classes whose definitions have not come
}

// numbered is a class as the recording defines it.
type numbered struct {
	class  Class
	name   string // in the recording
	loader Loader
	tag    uint32 // of its objects; 0: they have none
	bytes  uint32 // of an object; 0: they differ

	isImplied bool // its site gives no tags: what has none may have been another one's
}

func newNumbers() numbers {
	return numbers{loaders: map[uint32]Loader{}, classes: map[uint32]*numbered{
		abi.HeapOthers: {class: Other, loader: NoLoader}, abi.HeapUnused: {class: Unused, loader: NoLoader}}}
}

// class is what a number stands for.
func (n numbers) class(number uint32) (class Class, known bool) {
	is, known := n.classes[number]
	if !known {
		return Other, false
	}
	return is.class, true
}

// loader takes an event. What is damaged, or comes when the class is known, changes nothing.
func (n numbers) loader(data []byte) (good bool) {
	if len(data) != abi.HeapLoaderBytes {
		return false
	}
	class := binary.LittleEndian.Uint32(data[abi.HeapLoaderClass:])
	loader := binary.LittleEndian.Uint32(data[abi.HeapLoaderNumber:])
	_, known := n.loaders[class]
	if known || loader == math.MaxUint32 {
		return false
	}
	if n.classes[class] == nil {
		n.loaders[class] = Loader(loader)
	}
	return true
}

// define takes what an event says of a class, up to which class that is; nil, and nothing has changed, where the number
// is another one's, or the class has no name.
func (n numbers) define(d *Definition) *numbered {
	if n.classes[d.Number] != nil {
		return nil
	}
	is := &numbered{name: d.Name, loader: NoLoader, tag: d.Tag, bytes: d.bytes}
	loader, known := n.loaders[d.Number]
	switch same := n.classes[d.Same]; {
	case d.Same == 0 && known:
		is.loader = loader
	case d.Same == 0:
	case same == nil:
		return nil
	default:
		is.name, is.loader = same.name, same.loader
	}
	if is.name == "" {
		return nil
	}
	delete(n.loaders, d.Number)
	n.classes[d.Number] = is
	return is
}

// implied takes an event: the class whose site gives no tags from here on; false: it is not known.
func (n numbers) implied(data []byte) (class Class, good bool) {
	if len(data) != abi.HeapImpliedBytes {
		return Other, false
	}
	is, known := n.classes[binary.LittleEndian.Uint32(data[abi.HeapImpliedClass:])]
	if !known {
		return Other, false
	}
	is.isImplied = true
	return is.class, true
}

// single says what a number stands for.
func (n numbers) single(number uint32) (class int32, bytes uint32, known bool) {
	is, known := n.classes[number]
	if !known {
		return 0, 0, false
	}
	return int32(is.class), is.bytes, true
}

// Numbers say what numbers of classes stand for, behind the events of a heap that have come.
type Numbers struct{ numbers numbers }

// NewNumbers begins before the first event.
func NewNumbers() *Numbers { return &Numbers{newNumbers()} }

// Take takes the next event, whose data stay the caller's. Those that say nothing of numbers change nothing.
func (n *Numbers) Take(kind uint16, data []byte) {
	switch kind {
	case abi.EventHeapLoader:
		n.numbers.loader(data)
	case abi.EventHeapClass:
		if d, good := DecodeDefinition(data); good {
			n.numbers.define(&d)
		}
	case abi.EventHeapGone:
		if gone, good := DecodeGone(data); good {
			for number := range gone {
				delete(n.numbers.classes, number)
			}
		}
	}
}

// Identity gives what a number stands for.
func (n *Numbers) Identity(number uint32) (is Identity, known bool) {
	of := n.numbers.classes[number]
	if of == nil || of.name == "" {
		return Identity{}, false
	}
	return Identity{of.name, of.loader, of.tag}, true
}

// DecodeGone gives the numbers of classes that others may have from here on; false: the event is damaged.
func DecodeGone(data []byte) (gone iter.Seq[uint32], good bool) {
	list := data[abi.HeapGoneNumbers:]
	if len(list)%4 != 0 {
		return nil, false
	}
	return func(yield func(uint32) bool) {
		for rest := list; len(rest) > 0; rest = rest[4:] {
			if number := binary.LittleEndian.Uint32(rest); number >= abi.HeapFirstClass && !yield(number) {
				return
			}
		}
	}, true
}
