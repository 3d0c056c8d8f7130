package portable

import (
	"strings"

	"mallard/internal/classfile"
)

// shape is what the size of a class's instances depends on.
type shape struct {
	super  string // internal form
	fields string // the first letters of the descriptors of its instance fields
}

const accStatic = 0x0008

// shapeOf reads a class's shape.
func shapeOf(class []byte) (name string, s shape, err error) {
	c, err := classfile.Parse(class)
	if err != nil {
		return "", shape{}, err
	}
	if name, err = c.Name(); err != nil {
		return "", shape{}, err
	}
	if s.super, err = c.SuperName(); err != nil {
		return "", shape{}, err
	}
	var fields strings.Builder
	for _, f := range c.Fields {
		descriptor, err := c.Pool.Utf8(f.Descriptor)
		if err != nil {
			return "", shape{}, err
		}
		if f.AccessFlags&accStatic == 0 && descriptor != "" {
			fields.WriteByte(descriptor[0])
		}
	}
	return strings.Clone(name), shape{strings.Clone(s.super), fields.String()}, nil
}
