package classes_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"mallard/internal/classfile"
)

// A seed is a class that is changed, and the class whose run() says what became of it.
type seed struct {
	name, main string
	bytes      []byte
}

// older gives a class the version of a JVM that has no frames to verify by, and takes these away.
func older(b []byte, major uint16, frames bool) []byte {
	c, err := classfile.Parse(b)
	if err != nil {
		return b
	}
	c.Major = major
	for i := range c.Methods {
		a := c.Pool.FindAttribute(c.Methods[i].Attributes, classfile.AttrCode)
		if a == nil || frames {
			continue
		}
		code, err := classfile.DecodeCode(a.Info)
		if err != nil {
			return b
		}
		code.Attributes = slices.DeleteFunc(code.Attributes, func(a classfile.Attribute) bool {
			name, _ := c.Pool.Utf8(a.Name)
			return name == classfile.AttrStackMapTable
		})
		if a.Info, err = code.AppendTo(nil); err != nil {
			return b
		}
	}
	if out, err := c.AppendTo(nil); err == nil {
		return out
	}
	return b
}

// A mutation changes a class file that is its own to change; nil where it does not apply.
type mutation struct {
	name  string
	apply func(r *rand.Rand, b []byte) []byte
}

var mutations = []mutation{
	{"byte", anyByte}, {"bit", anyBit}, {"index", indexPastPool}, {"index", indexPastPool}, {"index", indexPastPool},
	{"other index", otherIndex}, {"two bytes", twoBytes}, {"truncated", truncated}, {"longer", longer},
	{"version", version}, {"constant", constant}, {"constant's operand", constantOperand},
	{"attribute", onAttributes}, {"attribute", onAttributes}, {"attribute's contents", onContents},
	{"attribute's contents", onContents}, {"attribute's length", attributeLength},
	{"code", onCode(anyInstructionByte)}, {"code", onCode(anyInstructionByte)}, {"code cut", onCode(cutCode)},
	{"limits", onCode(limits)}, {"limits", onCode(limits)}, {"handlers", onCode(handlers)},
	{"code attribute", onCode(codeAttributes)}, {"code attribute", onCode(codeAttributes)},
	{"code attribute's contents", onCode(codeContents)}, {"code attribute's contents", onCode(codeContents)},
	{"flags", flags}, {"members", members},
}

// mutate makes one class of a seed. Equal numbers make equal classes.
func mutate(s seed, number uint64) (string, []byte) {
	r := rand.New(rand.NewPCG(number, 10))
	for {
		m := mutations[r.IntN(len(mutations))]
		b := m.apply(r, bytes.Clone(s.bytes))
		for b != nil && r.IntN(8) == 0 { // and some are changed more than once
			if more := mutations[r.IntN(len(mutations))].apply(r, bytes.Clone(b)); more != nil {
				b = more
			}
		}
		if b != nil && !bytes.Equal(b, s.bytes) {
			return m.name, b
		}
	}
}

func anyByte(r *rand.Rand, b []byte) []byte {
	b[8+r.IntN(len(b)-8)] = byte(r.Uint32())
	return b
}

func anyBit(r *rand.Rand, b []byte) []byte {
	b[8+r.IntN(len(b)-8)] ^= 1 << r.IntN(8)
	return b
}

// poolCount is constant_pool_count.
func poolCount(b []byte) int { return int(binary.BigEndian.Uint16(b[8:])) }

// indexLike finds two bytes that may be an index into the pool.
func indexLike(r *rand.Rand, b []byte) (at int, found bool) {
	for range 1000 {
		at := 10 + r.IntN(len(b)-11)
		if v := int(binary.BigEndian.Uint16(b[at:])); v > 0 && v < poolCount(b) {
			return at, true
		}
	}
	return 0, false
}

// indexPastPool has an index name what is no constant, unless somebody adds some.
func indexPastPool(r *rand.Rand, b []byte) []byte {
	at, found := indexLike(r, b)
	if !found {
		return nil
	}
	binary.BigEndian.PutUint16(b[at:], uint16(poolCount(b)+r.IntN(50)))
	return b
}

func otherIndex(r *rand.Rand, b []byte) []byte {
	at, found := indexLike(r, b)
	if !found {
		return nil
	}
	binary.BigEndian.PutUint16(b[at:], uint16(r.IntN(poolCount(b))))
	return b
}

func twoBytes(r *rand.Rand, b []byte) []byte {
	values := []uint16{0, 1, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff}
	binary.BigEndian.PutUint16(b[8+r.IntN(len(b)-9):], values[r.IntN(len(values))])
	return b
}

func truncated(r *rand.Rand, b []byte) []byte { return b[:r.IntN(len(b))] }

func longer(r *rand.Rand, b []byte) []byte { return append(b, make([]byte, 1+r.IntN(9))...) }

func version(r *rand.Rand, b []byte) []byte {
	binary.BigEndian.PutUint16(b[6:], uint16(43+r.IntN(30)))
	if r.IntN(8) == 0 {
		binary.BigEndian.PutUint16(b[4:], 0xffff)
	}
	return b
}

// constantAt gives where a constant stands.
func constantAt(r *rand.Rand, b []byte) int {
	c, err := classfile.Parse(b)
	if err != nil {
		return 0
	}
	return c.Pool.Offset(classfile.PoolIndex(r.IntN(c.Pool.Len())))
}

func constant(r *rand.Rand, b []byte) []byte {
	at := constantAt(r, b)
	if at == 0 {
		return nil
	}
	b[at] = byte(r.IntN(22))
	return b
}

func constantOperand(r *rand.Rand, b []byte) []byte {
	at := constantAt(r, b)
	if at == 0 || at+3 > len(b) {
		return nil
	}
	if b[at] == byte(classfile.TagUtf8) {
		if n := int(binary.BigEndian.Uint16(b[at+1:])); n > 0 {
			b[at+3+r.IntN(n)] = "/;[L()V.<I\x00\xc0"[r.IntN(12)]
		}
		return b
	}
	binary.BigEndian.PutUint16(b[at+1:], uint16(r.IntN(poolCount(b)+20)))
	return b
}

// structured changes the class as a structure.
func structured(b []byte, change func(c *classfile.Class) bool) []byte {
	c, err := classfile.Parse(b)
	if err != nil || !change(c) {
		return nil
	}
	out, err := c.AppendTo(nil)
	if err != nil {
		return nil
	}
	return out
}

// lists gives the attribute tables of a class.
func lists(c *classfile.Class) []*[]classfile.Attribute {
	all := []*[]classfile.Attribute{&c.Attributes}
	for _, members := range [][]classfile.Member{c.Fields, c.Methods} {
		for i := range members {
			all = append(all, &members[i].Attributes)
		}
	}
	return slices.DeleteFunc(all, func(l *[]classfile.Attribute) bool { return len(*l) == 0 })
}

func onAttributes(r *rand.Rand, b []byte) []byte {
	return structured(b, func(c *classfile.Class) bool {
		all := lists(c)
		if len(all) == 0 {
			return false
		}
		*all[r.IntN(len(all))] = changedTable(r, *all[r.IntN(len(all))], c.Pool)
		return true
	})
}

// changedTable gives a table of attributes with one removed, doubled, renamed, moved or emptied.
func changedTable(r *rand.Rand, table []classfile.Attribute, p *classfile.Pool) []classfile.Attribute {
	table = slices.Clone(table)
	if len(table) == 0 {
		return table
	}
	k := r.IntN(len(table))
	switch r.IntN(5) {
	case 0:
		return slices.Delete(table, k, k+1)
	case 1:
		return append(table, table[k])
	case 2:
		table[k].Name = classfile.PoolIndex(r.IntN(p.Len() + 10))
	case 3:
		return append(slices.Delete(table, k, k+1), table[k])
	case 4:
		table[k].Info = nil
	}
	return table
}

func onContents(r *rand.Rand, b []byte) []byte {
	return structured(b, func(c *classfile.Class) bool {
		all := lists(c)
		return len(all) > 0 && changeContents(r, *all[r.IntN(len(all))], c.Pool)
	})
}

// changeContents changes the bytes of one attribute of a table, or their number.
func changeContents(r *rand.Rand, table []classfile.Attribute, p *classfile.Pool) bool {
	if len(table) == 0 {
		return false
	}
	a := &table[r.IntN(len(table))]
	a.Info = bytes.Clone(a.Info)
	if len(a.Info) < 2 {
		return false
	}
	at := r.IntN(len(a.Info) - 1)
	switch r.IntN(5) {
	case 0:
		a.Info[at] = byte(r.Uint32())
	case 1:
		binary.BigEndian.PutUint16(a.Info[at:], uint16(p.Len()+r.IntN(50)))
	case 2:
		a.Info = a.Info[:at]
	case 3:
		a.Info = append(a.Info, byte(r.Uint32()))
	case 4:
		a.Info[at] += byte(1 + r.IntN(3))
	}
	return true
}

func attributeLength(r *rand.Rand, b []byte) []byte {
	c, err := classfile.Parse(b)
	if err != nil {
		return nil
	}
	all := lists(c)
	if len(all) == 0 {
		return nil
	}
	table := *all[r.IntN(len(all))]
	info := table[r.IntN(len(table))].Info
	if len(info) == 0 {
		return nil
	}
	at := bytes.Index(b, info)
	if at < 4 {
		return nil
	}
	binary.BigEndian.PutUint32(b[at-4:], uint32(len(info)+r.IntN(9)-4))
	return b
}

func flags(r *rand.Rand, b []byte) []byte {
	return structured(b, func(c *classfile.Class) bool {
		at := &c.AccessFlags
		if n := r.IntN(1 + len(c.Fields) + len(c.Methods)); n >= 1+len(c.Fields) {
			at = &c.Methods[n-1-len(c.Fields)].AccessFlags
		} else if n > 0 {
			at = &c.Fields[n-1].AccessFlags
		}
		*at ^= 1 << r.IntN(16)
		return true
	})
}

func members(r *rand.Rand, b []byte) []byte {
	return structured(b, func(c *classfile.Class) bool {
		list := &c.Methods
		if r.IntN(2) == 0 {
			list = &c.Fields
		}
		if len(*list) == 0 {
			return false
		}
		k := r.IntN(len(*list))
		switch r.IntN(4) {
		case 0:
			*list = append(*list, (*list)[k])
		case 1:
			*list = slices.Delete(*list, k, k+1)
		case 2:
			(*list)[k].Name = classfile.PoolIndex(r.IntN(c.Pool.Len() + 10))
		case 3:
			(*list)[k].Descriptor = classfile.PoolIndex(r.IntN(c.Pool.Len() + 10))
		}
		return true
	})
}

// onCode is a mutation of one method's Code attribute.
func onCode(change func(r *rand.Rand, c *classfile.Code, p *classfile.Pool) bool) func(*rand.Rand, []byte) []byte {
	return func(r *rand.Rand, b []byte) []byte {
		return structured(b, func(c *classfile.Class) bool {
			if len(c.Methods) == 0 {
				return false
			}
			a := c.Pool.FindAttribute(c.Methods[r.IntN(len(c.Methods))].Attributes, classfile.AttrCode)
			if a == nil {
				return false
			}
			code, err := classfile.DecodeCode(a.Info)
			if err != nil {
				return false
			}
			code.Bytecode = bytes.Clone(code.Bytecode)
			if !change(r, code, c.Pool) {
				return false
			}
			info, err := code.AppendTo(nil)
			a.Info = info
			return err == nil
		})
	}
}

func anyInstructionByte(r *rand.Rand, c *classfile.Code, _ *classfile.Pool) bool {
	c.Bytecode[r.IntN(len(c.Bytecode))] = byte(r.IntN(206))
	return true
}

func cutCode(r *rand.Rand, c *classfile.Code, _ *classfile.Pool) bool {
	at := r.IntN(len(c.Bytecode))
	if r.IntN(3) == 0 {
		c.Bytecode = slices.Delete(c.Bytecode, at, min(at+1+r.IntN(3), len(c.Bytecode)))
	} else {
		c.Bytecode = c.Bytecode[:at]
	}
	return true
}

func limits(r *rand.Rand, c *classfile.Code, _ *classfile.Pool) bool {
	at := &c.MaxStack
	if r.IntN(2) == 0 {
		at = &c.MaxLocals
	}
	*at = uint16(max(int(*at)+r.IntN(7)-4, 0))
	return true
}

func handlers(r *rand.Rand, c *classfile.Code, p *classfile.Pool) bool {
	if len(c.Handlers) == 0 || r.IntN(3) == 0 {
		c.Handlers = append(c.Handlers, classfile.Handler{EndPC: uint16(len(c.Bytecode))})
	}
	h := &c.Handlers[r.IntN(len(c.Handlers))]
	n := len(c.Bytecode) + 2
	switch r.IntN(4) {
	case 0:
		h.StartPC = uint16(r.IntN(n))
	case 1:
		h.EndPC = uint16(r.IntN(n))
	case 2:
		h.HandlerPC = uint16(r.IntN(n))
	case 3:
		h.CatchType = classfile.PoolIndex(r.IntN(p.Len() + 20))
	}
	return true
}

func codeAttributes(r *rand.Rand, c *classfile.Code, p *classfile.Pool) bool {
	c.Attributes = changedTable(r, c.Attributes, p)
	return true
}

func codeContents(r *rand.Rand, c *classfile.Code, p *classfile.Pool) bool {
	return changeContents(r, slices.Clip(c.Attributes), p)
}
