package portable

import (
	"slices"

	"mallard/internal/classfile"
)

// withoutPackages gives a module declaration that does not list the module's packages, of which there is one more
// now. The JVM looks for them in the jar then.
func withoutPackages(module []byte) ([]byte, error) {
	c, err := classfile.Parse(module)
	if err != nil {
		return nil, err
	}
	packages := c.Pool.FindAttribute(c.Attributes, classfile.AttrModulePackages)
	if packages == nil {
		return module, nil
	}
	c.Attributes = slices.DeleteFunc(c.Attributes, func(a classfile.Attribute) bool { return a.Name == packages.Name })
	return c.AppendTo(nil)
}
