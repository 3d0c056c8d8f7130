package instrument

import (
	"encoding/binary"
	"slices"

	"mallard/internal/classfile"
)

// Annotations of methods that HotSpot knows, among classes of the boot loader.
const (
	// Methods stand in no stack trace. JVMTI has them in its stacks as all others.
	hiddenType = "Ljdk/internal/vm/annotation/Hidden;"

	// Who asks for its caller (Reflection.getCallerClass) looks past such methods.
	compiledType = "Ljava/lang/invoke/LambdaForm$Compiled;"
)

// annotate gives a class all of whose methods have some annotations. Those of the runtime classes are hidden: a
// StackOverflowError may be thrown in any of them, and is the program's to print. What the constant pool has stays
// where it is.
func annotate(class []byte, types ...string) ([]byte, error) {
	c, err := classfile.Parse(class)
	if err != nil {
		return nil, err
	}
	for _, t := range types {
		annotation, err := c.Pool.AddUtf8(t)
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
	}
	return c.AppendTo(nil)
}
