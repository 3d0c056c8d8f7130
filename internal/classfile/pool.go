package classfile

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// A PoolIndex is an index into a constant pool. Index 0 is no constant; many
// structures use it for "none".
type PoolIndex uint16

// A Tag says which kind of constant a pool entry is (JVMS 4.4, table 4.4-A).
type Tag uint8

const (
	TagUtf8               Tag = 1
	TagInteger            Tag = 3
	TagFloat              Tag = 4
	TagLong               Tag = 5
	TagDouble             Tag = 6
	TagClass              Tag = 7
	TagString             Tag = 8
	TagFieldref           Tag = 9
	TagMethodref          Tag = 10
	TagInterfaceMethodref Tag = 11
	TagNameAndType        Tag = 12
	TagMethodHandle       Tag = 15
	TagMethodType         Tag = 16
	TagDynamic            Tag = 17
	TagInvokeDynamic      Tag = 18
	TagModule             Tag = 19
	TagPackage            Tag = 20
)

var tagNames = [...]string{
	TagUtf8: "Utf8", TagInteger: "Integer", TagFloat: "Float", TagLong: "Long", TagDouble: "Double",
	TagClass: "Class", TagString: "String", TagFieldref: "Fieldref", TagMethodref: "Methodref",
	TagInterfaceMethodref: "InterfaceMethodref", TagNameAndType: "NameAndType",
	TagMethodHandle: "MethodHandle", TagMethodType: "MethodType", TagDynamic: "Dynamic",
	TagInvokeDynamic: "InvokeDynamic", TagModule: "Module", TagPackage: "Package",
}

// String returns the JVMS name of the tag without its CONSTANT_ prefix.
func (t Tag) String() string {
	if int(t) < len(tagNames) && tagNames[t] != "" {
		return tagNames[t]
	}
	return fmt.Sprintf("tag %d", uint8(t))
}

// poolStart is where the first entry stands in a class file: after magic,
// minor_version, major_version and constant_pool_count.
const poolStart = 4 + 2 + 2 + 2

// minEntrySize is the size of the smallest pool entry (Class, an empty Utf8).
const minEntrySize = 3

// entrySize is the size of an entry with its tag, for Utf8 without the
// characters; 0 for a tag that does not exist.
var entrySize = [256]uint8{
	TagUtf8: 3, TagInteger: 5, TagFloat: 5, TagLong: 9, TagDouble: 9,
	TagClass: 3, TagString: 3, TagFieldref: 5, TagMethodref: 5,
	TagInterfaceMethodref: 5, TagNameAndType: 5,
	TagMethodHandle: 4, TagMethodType: 3, TagDynamic: 5,
	TagInvokeDynamic: 5, TagModule: 3, TagPackage: 3,
}

// A Pool is a constant pool (JVMS 4.4): the bytes of a class file up to the
// pool's end, where each entry starts, and the entries added since. Entries
// never move, change or go away; that is why strings may alias them.
//
// Reading a pool from several goroutines is safe, adding to it is not.
type Pool struct {
	base    []byte   // the class file's header and parsed entries
	added   []byte   // entries added since, in order
	offsets []uint32 // by PoolIndex, see Offset; 0 where no entry starts

	// The hash index over entries, built by the first Add; see pool_index.go.
	slots []PoolIndex
	used  int
}

// NewPool returns an empty pool.
func NewPool() *Pool {
	return &Pool{base: make([]byte, poolStart), offsets: make([]uint32, 1)}
}

// Len returns constant_pool_count: one more than the largest index.
func (p *Pool) Len() int { return len(p.offsets) }

// Offset returns where entry i starts (its tag) in the class file that
// Class.AppendTo writes; 0 if i is no entry. Adding constants later does not
// move it.
func (p *Pool) Offset(i PoolIndex) int {
	if int(i) >= len(p.offsets) {
		return 0
	}
	return int(p.offsets[i])
}

// Tag returns the tag of entry i. It is 0 where no entry starts: at index 0,
// outside the pool, and at the second index of a Long or Double.
func (p *Pool) Tag(i PoolIndex) Tag {
	e := p.entry(i)
	if e == nil {
		return 0
	}
	return Tag(e[0])
}

// entry returns the bytes that begin with entry i, nil if i is no entry.
func (p *Pool) entry(i PoolIndex) []byte {
	if int(i) >= len(p.offsets) {
		return nil
	}
	off := int(p.offsets[i])
	switch {
	case off == 0:
		return nil
	case off < len(p.base):
		return p.base[off:]
	}
	return p.added[off-len(p.base):]
}

// sizeOf returns the size of the entry at the start of e.
func sizeOf(e []byte) int {
	n := int(entrySize[e[0]])
	if Tag(e[0]) == TagUtf8 {
		n += int(binary.BigEndian.Uint16(e[1:]))
	}
	return n
}

// operand returns the entry i after its tag, if it has one of the wanted tags.
func (p *Pool) operand(i PoolIndex, want ...Tag) ([]byte, error) {
	if e := p.entry(i); e != nil {
		for _, t := range want {
			if Tag(e[0]) == t {
				return e[1:sizeOf(e)], nil
			}
		}
	}
	return nil, p.mismatch(i, want...)
}

// mismatch says why entry i is not the constant that was asked for.
func (p *Pool) mismatch(i PoolIndex, want ...Tag) error {
	names := make([]string, len(want))
	for k, t := range want {
		names[k] = t.String()
	}
	wanted := strings.Join(names, " or ")
	if int(i) >= p.Len() {
		return fmt.Errorf("classfile: constant %d: outside the pool of %d, want %s", i, p.Len(), wanted)
	}
	if t := p.Tag(i); t != 0 {
		return fmt.Errorf("classfile: constant %d: %s, want %s", i, t, wanted)
	}
	return fmt.Errorf("classfile: constant %d: no constant, want %s", i, wanted)
}
