package classfile

import (
	"encoding/binary"
	"fmt"
	"io"
)

const magic = 0xCAFEBABE

// Parse takes a class file apart. The result aliases b, which must not change
// as long as anything of it is in use.
//
// Parse checks what it needs to find every part: magic, version, tags of the
// pool, lengths that add up to exactly len(b). Indexes are checked by the
// pool's lookups, contents of attributes when they are decoded.
func Parse(b []byte) (*Class, error) {
	if len(b) > MaxClassBytes {
		return nil, fmt.Errorf("classfile: %d bytes exceed %d", len(b), MaxClassBytes)
	}
	r := reader{b: b, arenaSize: 32}
	if m := r.u4(); r.err == nil && m != magic {
		return nil, fmt.Errorf("classfile: magic is %#08x", m)
	}
	x := new(struct {
		Class
		pool Pool
	})
	c := &x.Class
	c.Pool = &x.pool
	c.Minor, c.Major = r.u2(), r.u2()
	if r.err == nil && (c.Major < MinMajor || c.Major > MaxMajor) {
		return nil, fmt.Errorf("classfile: version %d.%d is not between %d and %d", c.Major, c.Minor, MinMajor, MaxMajor)
	}
	r.pool(c.Pool)
	c.AccessFlags = r.u2()
	c.ThisClass, c.SuperClass = PoolIndex(r.u2()), PoolIndex(r.u2())
	c.Interfaces = r.interfaces()
	c.Fields = r.members("field")
	c.Methods = r.members("method")
	c.Attributes = r.attributes()
	if r.err == nil && r.pos < len(b) {
		r.err = fmt.Errorf("%d bytes follow the class", len(b)-r.pos)
	}
	if r.err != nil {
		return nil, fmt.Errorf("classfile: %sbyte %d: %w", r.where, r.pos, r.err)
	}
	return c, nil
}

// A reader walks a class file. After an error pos stays, and everything read
// is zero.
type reader struct {
	b     []byte
	pos   int
	err   error
	where string // the member in which err happened

	// Attribute tables are cut from arena, which is replaced by one of at least
	// arenaSize attributes when it is used up.
	arena     []Attribute
	arenaSize int
}

// need reports whether n more bytes are there; it is an error if not.
func (r *reader) need(n int) bool {
	if r.err == nil && n > len(r.b)-r.pos {
		r.err = io.ErrUnexpectedEOF
	}
	return r.err == nil
}

func (r *reader) u2() uint16 {
	if !r.need(2) {
		return 0
	}
	v := binary.BigEndian.Uint16(r.b[r.pos:])
	r.pos += 2
	return v
}

func (r *reader) u4() uint32 {
	if !r.need(4) {
		return 0
	}
	v := binary.BigEndian.Uint32(r.b[r.pos:])
	r.pos += 4
	return v
}

// table reads a count and checks that as many items of at least minSize bytes
// can follow.
func (r *reader) table(minSize int) int {
	n := int(r.u2())
	if !r.need(n * minSize) {
		return 0
	}
	return n
}

// pool reads constant_pool_count and the pool, and notes where entries are.
func (r *reader) pool(p *Pool) {
	count := int(r.u2())
	if r.err != nil {
		return
	}
	if count == 0 {
		r.err = fmt.Errorf("constant_pool_count is 0")
		return
	}
	if !r.need((count - 1) / 2 * minEntrySize) { // a Long takes 9 bytes for two indexes
		return
	}
	b, pos := r.b, r.pos
	offsets := make([]uint32, count, count+spareIndexes)
	for i := 1; i < count; i++ {
		if len(b)-pos < minEntrySize {
			r.pos, r.err = pos, io.ErrUnexpectedEOF
			return
		}
		tag := Tag(b[pos])
		size := int(entrySize[tag])
		switch tag {
		case TagUtf8:
			size += int(binary.BigEndian.Uint16(b[pos+1:]))
		case TagLong, TagDouble:
			offsets[i] = uint32(pos)
			if i++; i == count {
				r.pos, r.err = pos, fmt.Errorf("constant %d: %v takes an index past the end of the pool", i-1, tag)
				return
			}
			pos += size
			continue
		}
		if size == 0 {
			r.pos, r.err = pos, fmt.Errorf("constant %d: tag %d does not exist", i, tag)
			return
		}
		offsets[i] = uint32(pos)
		pos += size
	}
	if pos > len(b) {
		r.err = io.ErrUnexpectedEOF
		return
	}
	r.pos = pos
	p.base = b[:pos:pos]
	p.offsets = offsets
}

// spareIndexes is room for what an instrumenter adds to a pool.
const spareIndexes = 16

func (r *reader) interfaces() []PoolIndex {
	n := r.table(2)
	if n == 0 {
		return nil
	}
	list := make([]PoolIndex, n)
	for i := range list {
		list[i] = PoolIndex(r.u2())
	}
	return list
}

// memberSize is the size of a member with no attributes.
const memberSize = 2 + 2 + 2 + 2

func (r *reader) members(kind string) []Member {
	n := r.table(memberSize)
	if n == 0 {
		return nil
	}
	list := make([]Member, n)
	for i := range list {
		if !r.need(memberSize) {
			r.where = fmt.Sprintf("%s %d: ", kind, i)
			return nil
		}
		b := r.b[r.pos:]
		m := &list[i]
		m.AccessFlags = binary.BigEndian.Uint16(b)
		m.Name = index(b[2:])
		m.Descriptor = index(b[4:])
		r.pos += 6
		m.Attributes = r.attributes()
		if r.err != nil {
			r.where = fmt.Sprintf("%s %d: ", kind, i)
			return nil
		}
	}
	return list
}

// attributeSize is the size of an attribute with no contents.
const attributeSize = 2 + 4

// attributes reads an attributes table. Tables share an arena; a full slice
// expression keeps an append to one of them off the next.
func (r *reader) attributes() []Attribute {
	n := r.table(attributeSize)
	if n == 0 {
		return nil
	}
	if cap(r.arena)-len(r.arena) < n {
		r.arena = make([]Attribute, 0, max(n, min(r.arenaSize, (len(r.b)-r.pos)/attributeSize)))
	}
	first := len(r.arena)
	for range n {
		if !r.need(attributeSize) {
			return nil
		}
		b := r.b[r.pos:]
		name, length := index(b), binary.BigEndian.Uint32(b[2:])
		if uint64(length) > uint64(len(b)-attributeSize) {
			r.err = io.ErrUnexpectedEOF
			return nil
		}
		end := attributeSize + int(length)
		r.arena = append(r.arena, Attribute{name, b[attributeSize:end:end]})
		r.pos += end
	}
	return r.arena[first:len(r.arena):len(r.arena)]
}
