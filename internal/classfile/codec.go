package classfile

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"reflect"
)

// Info is the decoded contents of a predefined attribute. Its types are those
// of this package: ConstantValue, StackMapTable, Annotations and so on.
type Info interface {
	layout(c *codec)
}

// DecodeInfo decodes the contents of an attribute as a T:
//
//	lines, err := classfile.DecodeInfo[classfile.LineNumberTable](a.Info)
//
// It fails unless info holds a T and nothing else. Bytes that stay bytes, such
// as the attributes of a record component, alias info.
func DecodeInfo[T any, P interface {
	*T
	Info
}](info []byte) (*T, error) {
	c := codec{in: info}
	t := new(T)
	P(t).layout(&c)
	if c.err == nil && len(c.in) > 0 {
		c.err = fmt.Errorf("%d bytes follow the attribute", len(c.in))
	}
	if c.err != nil {
		return nil, fmt.Errorf("classfile: %s: %w", reflect.TypeFor[T]().Name(), c.err)
	}
	return t, nil
}

// AppendInfo appends the contents of an attribute, the inverse of DecodeInfo.
// It fails if a table is too long for its count, or a value fits no form that
// the format has.
func AppendInfo(dst []byte, info Info) ([]byte, error) {
	c := codec{out: dst, encoding: true}
	info.layout(&c)
	if c.err != nil {
		return nil, fmt.Errorf("classfile: %s: %w", reflect.TypeOf(info).Elem().Name(), c.err)
	}
	return c.out, nil
}

// A codec goes through a structure in the order of the class file and, at each
// item, either reads it or writes it. Each structure is described once, by its
// layout method, so that decoding and encoding cannot drift apart:
//
//	func (l *LineNumber) layout(c *codec) {
//		u2(c, &l.StartPC)
//		u2(c, &l.Line)
//	}
//
// After an error the input is empty, and what was written is of no use.
type codec struct {
	in       []byte // decoding: what is left
	out      []byte // encoding: what is written
	encoding bool
	check    *check // decoding: indexes are held against the pool, and nothing is kept
	depth    int    // of nested element values
	err      error
}

// A check says what is asked of a structure whose indexes are checked.
type check struct {
	limit     int                                  // indexes are below
	attribute func(a Attribute, at Location) error // whose name is
	code      func(bytecode []byte) error
	items     []any // of tables, see scratch
}

// scratch gives memory for the items of a table, one after the other. What
// holds a table with items of its own type has it at its end.
func scratch[T any](x *check) *T {
	for _, item := range x.items {
		if t, ok := item.(*T); ok {
			return t
		}
	}
	t := new(T)
	x.items = append(x.items, t)
	return t
}

// fail notes the first error and ends the input; nil is none.
func (c *codec) fail(err error) {
	if err == nil {
		return
	}
	if c.err == nil {
		c.err = err
	}
	c.in = nil
}

func (c *codec) failf(format string, args ...any) { c.fail(fmt.Errorf(format, args...)) }

// take removes n bytes from the input; nil if they are not there.
func (c *codec) take(n int) []byte {
	if c.err != nil || n > len(c.in) {
		c.fail(io.ErrUnexpectedEOF)
		return nil
	}
	b := c.in[:n:n]
	c.in = c.in[n:]
	return b
}

func u1[T ~uint8](c *codec, v *T) {
	if c.encoding {
		c.out = append(c.out, byte(*v))
	} else if b := c.take(1); b != nil {
		*v = T(b[0])
	}
}

func u2[T ~uint16](c *codec, v *T) {
	if c.encoding {
		c.out = binary.BigEndian.AppendUint16(c.out, uint16(*v))
	} else if b := c.take(2); b != nil {
		*v = T(binary.BigEndian.Uint16(b))
	}
}

// narrow is a u1 in the file and wider in memory.
func narrow(c *codec, v *uint16) {
	if *v > math.MaxUint8 && c.encoding {
		c.failf("%d exceeds %d", *v, math.MaxUint8)
	}
	b := uint8(*v)
	u1(c, &b)
	*v = uint16(b)
}

// rest is all bytes up to the end of the attribute.
func (c *codec) rest(v *[]byte) {
	if c.encoding {
		c.out = append(c.out, *v...)
	} else {
		*v = c.take(len(c.in))
	}
}

// list is a table with a u2 count. Items take at least minSize bytes each.
func list[T any](c *codec, v *[]T, minSize int, item func(*T, *codec)) {
	if len(*v) > math.MaxUint16 {
		c.failf("%d items exceed %d", len(*v), math.MaxUint16)
		return
	}
	n := uint16(len(*v))
	u2(c, &n)
	items(c, v, int(n), minSize, item)
}

// shortList is a table with a u1 count.
func shortList[T any](c *codec, v *[]T, minSize int, item func(*T, *codec)) {
	if len(*v) > math.MaxUint8 {
		c.failf("%d items exceed %d", len(*v), math.MaxUint8)
		return
	}
	n := uint8(len(*v))
	u1(c, &n)
	items(c, v, int(n), minSize, item)
}

// items is a table of n items without its count.
func items[T any](c *codec, v *[]T, n, minSize int, item func(*T, *codec)) {
	if !c.encoding {
		if n*minSize > len(c.in) {
			c.fail(io.ErrUnexpectedEOF)
		}
		if c.err != nil || n == 0 {
			return
		}
		if c.check != nil {
			one := scratch[T](c.check)
			for range n {
				if item(one, c); c.err != nil {
					return
				}
			}
			return
		}
		*v = make([]T, n)
	}
	for i := range *v {
		if c.err != nil {
			return
		}
		item(&(*v)[i], c)
	}
}

// index is an index into the constant pool.
func (c *codec) index(v *PoolIndex) {
	u2(c, v)
	if c.check != nil && int(*v) >= c.check.limit {
		c.failf("constant %d is outside the pool of %d", *v, c.check.limit)
	}
}

// indexes is a table of pool indexes with a u2 count.
func indexes(c *codec, v *[]PoolIndex) {
	list(c, v, 2, func(i *PoolIndex, c *codec) { c.index(i) })
}

// attributes is an attributes table at a place, whose contents stay as they are.
func (c *codec) attributes(v *[]Attribute, at Location) {
	list(c, v, attributeSize, func(a *Attribute, c *codec) {
		c.index(&a.Name)
		c.sized(&a.Info)
		if c.check != nil && c.err == nil {
			c.fail(c.check.attribute(*a, at))
		}
	})
}

// sized is a u4 length and as many bytes.
func (c *codec) sized(v *[]byte) {
	if c.encoding {
		if len(*v) > MaxClassBytes {
			c.failf("%d bytes exceed %d", len(*v), MaxClassBytes)
			return
		}
		c.out = binary.BigEndian.AppendUint32(c.out, uint32(len(*v)))
		c.out = append(c.out, *v...)
		return
	}
	b := c.take(4)
	if b == nil {
		return
	}
	n := binary.BigEndian.Uint32(b)
	if uint64(n) > uint64(len(c.in)) {
		c.fail(io.ErrUnexpectedEOF)
		return
	}
	*v = c.take(int(n))
}
