package instrument

import (
	"encoding/binary"
	"slices"

	"mallard/internal/classfile"
)

// hiddenType is what HotSpot knows methods by that stand in no stack trace, among classes of the boot loader. JVMTI has
// them in its stacks as all others.
const hiddenType = "Ljdk/internal/vm/annotation/Hidden;"

// hide gives a runtime class whose methods stand in no stack trace: a StackOverflowError may be thrown in any of them,
// and is the program's to print. What the constant pool has stays where it is.
func hide(class []byte) ([]byte, error) {
	c, err := classfile.Parse(class)
	if err != nil {
		return nil, err
	}
	annotation, err := c.Pool.AddUtf8(hiddenType)
	if err != nil {
		return nil, err
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		info := []byte{0, 0} // the number of annotations, and each: its type, no elements
		if has := c.Pool.FindAttribute(m.Attributes, classfile.AttrRuntimeVisibleAnnotations); has != nil {
			info = slices.Clone(has.Info)
		}
		binary.BigEndian.PutUint16(info, binary.BigEndian.Uint16(info)+1)
		info = binary.BigEndian.AppendUint16(info, uint16(annotation))
		info = append(info, 0, 0)
		m.Attributes, err = c.Pool.SetAttribute(m.Attributes, classfile.AttrRuntimeVisibleAnnotations, info)
		if err != nil {
			return nil, err
		}
	}
	return c.AppendTo(nil)
}
