package classfile

import (
	"encoding/binary"
	"fmt"
	"math"
)

// AppendTo appends the class file. It is the inverse of Parse: a class that
// was not changed yields the bytes that were parsed. It fails if a table has
// become too long for its count. dst must not overlap the parsed bytes.
func (c *Class) AppendTo(dst []byte) ([]byte, error) {
	start := len(dst)
	dst, err := c.encode(dst)
	if err == nil && len(dst)-start > MaxClassBytes {
		err = fmt.Errorf("%d bytes exceed %d", len(dst)-start, MaxClassBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("classfile: %w", err)
	}
	return dst, nil
}

func (c *Class) encode(dst []byte) ([]byte, error) {
	dst = binary.BigEndian.AppendUint32(dst, magic)
	dst = binary.BigEndian.AppendUint16(dst, c.Minor)
	dst = binary.BigEndian.AppendUint16(dst, c.Major)
	dst = binary.BigEndian.AppendUint16(dst, uint16(c.Pool.Len()))
	dst = append(dst, c.Pool.base[poolStart:]...)
	dst = append(dst, c.Pool.added...)
	dst = binary.BigEndian.AppendUint16(dst, c.AccessFlags)
	dst = binary.BigEndian.AppendUint16(dst, uint16(c.ThisClass))
	dst = binary.BigEndian.AppendUint16(dst, uint16(c.SuperClass))
	dst, err := appendCount(dst, len(c.Interfaces), "interfaces")
	if err != nil {
		return nil, err
	}
	for _, i := range c.Interfaces {
		dst = binary.BigEndian.AppendUint16(dst, uint16(i))
	}
	if dst, err = appendMembers(dst, c.Fields, "fields"); err != nil {
		return nil, err
	}
	if dst, err = appendMembers(dst, c.Methods, "methods"); err != nil {
		return nil, err
	}
	return appendAttributes(dst, c.Attributes)
}

func appendMembers(dst []byte, list []Member, what string) ([]byte, error) {
	dst, err := appendCount(dst, len(list), what)
	if err != nil {
		return nil, err
	}
	for i := range list {
		m := &list[i]
		dst = binary.BigEndian.AppendUint16(dst, m.AccessFlags)
		dst = binary.BigEndian.AppendUint16(dst, uint16(m.Name))
		dst = binary.BigEndian.AppendUint16(dst, uint16(m.Descriptor))
		if dst, err = appendAttributes(dst, m.Attributes); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func appendAttributes(dst []byte, list []Attribute) ([]byte, error) {
	dst, err := appendCount(dst, len(list), "attributes")
	if err != nil {
		return nil, err
	}
	for i := range list {
		a := &list[i]
		if len(a.Info) > MaxClassBytes {
			return nil, fmt.Errorf("an attribute of %d bytes exceeds %d", len(a.Info), MaxClassBytes)
		}
		dst = binary.BigEndian.AppendUint16(dst, uint16(a.Name))
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(a.Info)))
		dst = append(dst, a.Info...)
	}
	return dst, nil
}

func appendCount(dst []byte, n int, what string) ([]byte, error) {
	if n > math.MaxUint16 {
		return nil, fmt.Errorf("%d %s exceed %d", n, what, math.MaxUint16)
	}
	return binary.BigEndian.AppendUint16(dst, uint16(n)), nil
}
