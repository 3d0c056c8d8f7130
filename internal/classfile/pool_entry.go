package classfile

import (
	"encoding/binary"
	"fmt"
	"math"
)

// An Entry is a pool entry taken apart. Which fields count depends on Tag:
//
//	Utf8                   Utf8, modified UTF-8
//	Integer, Float         Bits, the lower half
//	Long, Double           Bits
//	Class, String, Module,
//	Package, MethodType    A
//	MethodHandle           A, the reference kind; B, the reference
//	all others             A and B, in the order of the class file
type Entry struct {
	Tag  Tag
	Utf8 string
	Bits uint64
	A, B PoolIndex
}

// Entry returns entry i taken apart; its Utf8 aliases the pool.
func (p *Pool) Entry(i PoolIndex) (Entry, error) {
	e := p.entry(i)
	if e == nil {
		return Entry{}, fmt.Errorf("classfile: constant %d: no constant", i)
	}
	x := Entry{Tag: Tag(e[0])}
	switch x.Tag {
	case TagUtf8:
		x.Utf8 = utf8Contents(e)
	case TagInteger, TagFloat:
		x.Bits = uint64(binary.BigEndian.Uint32(e[1:]))
	case TagLong, TagDouble:
		x.Bits = binary.BigEndian.Uint64(e[1:])
	case TagClass, TagString, TagMethodType, TagModule, TagPackage:
		x.A = index(e[1:])
	case TagMethodHandle:
		x.A, x.B = PoolIndex(e[1]), index(e[2:])
	default:
		x.A, x.B = index(e[1:]), index(e[3:])
	}
	return x, nil
}

// appendTo appends the entry as it stands in a class file.
func (x Entry) appendTo(dst []byte) ([]byte, error) {
	dst = append(dst, byte(x.Tag))
	switch x.Tag {
	case TagUtf8:
		if len(x.Utf8) > math.MaxUint16 {
			return nil, fmt.Errorf("classfile: a Utf8 constant of %d bytes exceeds %d", len(x.Utf8), math.MaxUint16)
		}
		dst = binary.BigEndian.AppendUint16(dst, uint16(len(x.Utf8)))
		return append(dst, x.Utf8...), nil
	case TagInteger, TagFloat:
		return binary.BigEndian.AppendUint32(dst, uint32(x.Bits)), nil
	case TagLong, TagDouble:
		return binary.BigEndian.AppendUint64(dst, x.Bits), nil
	case TagClass, TagString, TagMethodType, TagModule, TagPackage:
		return binary.BigEndian.AppendUint16(dst, uint16(x.A)), nil
	case TagMethodHandle:
		if x.A > math.MaxUint8 {
			return nil, fmt.Errorf("classfile: reference kind %d does not exist", x.A)
		}
		dst = append(dst, byte(x.A))
		return binary.BigEndian.AppendUint16(dst, uint16(x.B)), nil
	case TagFieldref, TagMethodref, TagInterfaceMethodref, TagNameAndType, TagDynamic, TagInvokeDynamic:
		dst = binary.BigEndian.AppendUint16(dst, uint16(x.A))
		return binary.BigEndian.AppendUint16(dst, uint16(x.B)), nil
	}
	return nil, fmt.Errorf("classfile: constant with %v does not exist", x.Tag)
}

// width returns how many indexes an entry takes (JVMS 4.4.5).
func (t Tag) width() int {
	if t == TagLong || t == TagDouble {
		return 2
	}
	return 1
}
