package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// isUnshown reports whether the constructors of a class show their object to nobody but the superclass's. One with a
// finalizer does, when java.lang.Object's is over.
func isUnshown(c *classfile.Class, name string) bool {
	for i := range c.Methods {
		m := &c.Methods[i]
		switch n, err := c.Pool.Utf8(m.Name); {
		case err != nil:
			return false
		case n == "finalize" && name != objectClass:
			return false
		case n == "<init>" && showsThis(c, m):
			return false
		}
	}
	return true
}

func showsThis(c *classfile.Class, constructor *classfile.Member) bool {
	attribute := c.Pool.FindAttribute(constructor.Attributes, classfile.AttrCode)
	if attribute == nil {
		return true
	}
	raw, err := classfile.DecodeCode(attribute.Info)
	if err != nil {
		return true
	}
	code, err := bytecode.Decode(raw, c.Pool)
	return err != nil || code.ShowsThis(c.Pool)
}
