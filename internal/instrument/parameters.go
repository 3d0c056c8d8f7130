package instrument

import (
	"fmt"

	"mallard/internal/classfile"
)

// MethodParameters are the parameters of a method of a class, as the JVM has them.
type MethodParameters struct {
	Name, Descriptor string
	Attribute        []byte // the contents of MethodParameters (JVMS 4.7.24), with indexes in the class's constant pool
}

// WithParameters gives a class file with the parameters of its methods, which JVMs before JDK 20 leave out of the files
// that they hand over for classes that are there already (JDK-8240908): reflection would not know them any more. An
// error means that they are not the class's.
func WithParameters(class []byte, list []MethodParameters) ([]byte, error) {
	c, err := classfile.Parse(class)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		m := c.FindMethod(p.Name, p.Descriptor)
		if m == nil {
			return nil, fmt.Errorf("there is no method %s%s", p.Name, p.Descriptor)
		}
		if c.Pool.FindAttribute(m.Attributes, classfile.AttrMethodParameters) != nil {
			continue
		}
		if err := checkParameters(c.Pool, p.Attribute); err != nil {
			return nil, fmt.Errorf("method %s%s: %w", p.Name, p.Descriptor, err)
		}
		m.Attributes, err = c.Pool.SetAttribute(m.Attributes, classfile.AttrMethodParameters, p.Attribute)
		if err != nil {
			return nil, err
		}
	}
	return c.AppendTo(nil)
}

// checkParameters refuses names that are none in the constant pool.
func checkParameters(pool *classfile.Pool, attribute []byte) error {
	if len(attribute) == 0 || len(attribute) != 1+4*int(attribute[0]) {
		return fmt.Errorf("%d bytes of parameters", len(attribute))
	}
	for at := 1; at < len(attribute); at += 4 {
		name := classfile.PoolIndex(attribute[at])<<8 | classfile.PoolIndex(attribute[at+1])
		if name == 0 {
			continue
		}
		if _, err := pool.Utf8(name); err != nil {
			return err
		}
	}
	return nil
}
