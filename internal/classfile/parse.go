package classfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const magic = 0xCAFEBABE

// classArena is how many attributes Parse takes memory for at once.
const classArena = 32

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
	r := reader{b: b, arenaSize: classArena}
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
		return nil, fmt.Errorf("classfile: version %d.%d is not between %d and %d", c.Major, c.Minor, MinMajor,
			MaxMajor)
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
		return nil, fmt.Errorf("classfile: %sbyte %d: %w", r.member, r.pos, r.err)
	}
	return c, nil
}

// spareIndexes is room for what an instrumenter adds to a pool.
const spareIndexes = 16

// pool reads constant_pool_count and the pool, and notes where entries are.
func (r *reader) pool(p *Pool) {
	count := int(r.u2())
	if r.err != nil {
		return
	}
	if count == 0 {
		r.err = errors.New("constant_pool_count is 0")
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
		offsets[i] = uint32(pos)
		tag := Tag(b[pos])
		size := int(entrySize[tag])
		switch {
		case tag == TagUtf8:
			size += int(binary.BigEndian.Uint16(b[pos+1:]))
		case size == 0:
			r.pos, r.err = pos, fmt.Errorf("constant %d: %v does not exist", i, tag)
			return
		case tag.width() == 2:
			if i++; i == count {
				r.pos, r.err = pos, fmt.Errorf("constant %d: %v takes an index past the end of the pool", i-1, tag)
				return
			}
		}
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
			r.member = fmt.Sprintf("%s %d: ", kind, i)
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
			r.member = fmt.Sprintf("%s %d: ", kind, i)
			return nil
		}
	}
	return list
}
