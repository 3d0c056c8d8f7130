package single

import "mallard/internal/abi"

// Classes says of a class, by its number in the recording, which it is, and how many bytes its objects have: 0 where
// they differ. False: nobody knows.
type Classes func(number uint32) (class int32, bytes uint32, known bool)

// Decoder reads events. What Classes says of one must not change, unless it is told to forget that.
type Decoder struct {
	classes  Classes
	known    []class // by number, up to the highest one that is
	meanings meanings
	events   uint32 // begun
	orders   uint32 // that there are
	pool     pool[packed]
	some     [256]packed // that are being read
}

// NewDecoder makes one.
func NewDecoder(classes Classes) *Decoder {
	return &Decoder{orders: abi.OrderMask, classes: classes, known: make([]class, 1)}
}

// class looks one up; nil: nobody knows it.
func (d *Decoder) class(number uint32) *class {
	if number < uint32(len(d.known)) && d.known[number].known {
		return &d.known[number]
	}
	index, bytes, known := d.classes(number)
	if !known {
		return nil
	}
	if more := int(number) + 1 - len(d.known); more > 0 {
		d.known = append(d.known, make([]class, more)...)
	}
	of := &d.known[number]
	of.index, of.bytes, of.known, of.differ = index, bytes, true, bytes == 0 || number == abi.HeapOthers
	return of
}

// at looks one up whose number may be higher than the agent's are.
func (d *Decoder) at(number uint32) (class, bool) {
	if number < abi.HeapClasses {
		if of := d.class(number); of != nil {
			return *of, true
		}
		return class{}, false
	}
	index, bytes, known := d.classes(number)
	return class{index: index, bytes: bytes, known: known}, known
}

// Forget has what a number stands for asked again.
func (d *Decoder) Forget(number uint32) {
	if number < uint32(len(d.known)) && d.known[number].known {
		d.meanings.list = append(d.meanings.list, meaning{number, d.known[number]})
		d.known[number].known = false
	}
}
