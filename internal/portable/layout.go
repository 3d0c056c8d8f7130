package portable

import (
	"strings"

	"mallard/internal/classfile"
)

// instanceLayout is what the size of a class's instances depends on.
type instanceLayout struct {
	super  string // internal form
	fields string // the first letters of the descriptors of its instance fields
}

const accStatic = 0x0008

// instanceLayoutOf reads the layout of a class's instances.
func instanceLayoutOf(class []byte) (name string, s instanceLayout, err error) {
	c, err := classfile.Parse(class)
	if err != nil {
		return "", instanceLayout{}, err
	}
	if name, err = c.Name(); err != nil {
		return "", instanceLayout{}, err
	}
	if s.super, err = c.SuperName(); err != nil {
		return "", instanceLayout{}, err
	}
	var fields strings.Builder
	for _, f := range c.Fields {
		descriptor, err := c.Pool.Utf8(f.Descriptor)
		if err != nil {
			return "", instanceLayout{}, err
		}
		if f.AccessFlags&accStatic == 0 && descriptor != "" {
			fields.WriteByte(descriptor[0])
		}
	}
	return strings.Clone(name), instanceLayout{strings.Clone(s.super), fields.String()}, nil
}
