package classfile

import "fmt"

// A Class is a class file (JVMS 4.1). Its tables may be changed freely; what
// Parse returned aliases the parsed bytes, so replace attribute contents
// instead of writing into them.
type Class struct {
	Minor, Major          uint16
	Pool                  *Pool
	AccessFlags           uint16
	ThisClass, SuperClass PoolIndex // SuperClass is 0 for Object and modules
	Interfaces            []PoolIndex
	Fields, Methods       []Member
	Attributes            []Attribute
}

// A Member is a field or a method (JVMS 4.5, 4.6).
type Member struct {
	AccessFlags      uint16
	Name, Descriptor PoolIndex
	Attributes       []Attribute
}

// An Attribute is an attribute as it stands in the file (JVMS 4.7): a Utf8
// constant for the name, and the bytes after attribute_length.
type Attribute struct {
	Name PoolIndex
	Info []byte
}

// Name returns the name of the class in internal form: java/lang/String.
func (c *Class) Name() (string, error) {
	return c.Pool.ClassName(c.ThisClass)
}

// SuperName returns the name of the superclass in internal form, "" when
// there is none.
func (c *Class) SuperName() (string, error) {
	if c.SuperClass == 0 {
		return "", nil
	}
	return c.Pool.ClassName(c.SuperClass)
}

// FindMethod returns the method with this name and descriptor, nil if the
// class does not declare it. The pointer is into c.Methods.
func (c *Class) FindMethod(name, descriptor string) *Member {
	return c.Pool.findMember(c.Methods, name, descriptor)
}

// FindField returns the field with this name and descriptor, nil if the class
// does not declare it. The pointer is into c.Fields.
func (c *Class) FindField(name, descriptor string) *Member {
	return c.Pool.findMember(c.Fields, name, descriptor)
}

func (p *Pool) findMember(members []Member, name, descriptor string) *Member {
	for i := range members {
		m := &members[i]
		if p.utf8Is(m.Name, name) && p.utf8Is(m.Descriptor, descriptor) {
			return m
		}
	}
	return nil
}

// AddField declares one more field. A second field of the same name and
// descriptor is an error, as it is to the JVM (JVMS 4.5).
func (c *Class) AddField(accessFlags uint16, name, descriptor string, attributes ...Attribute) error {
	if c.FindField(name, descriptor) != nil {
		return fmt.Errorf("classfile: field %s:%s is declared already", name, descriptor)
	}
	if err := CheckFieldDescriptor(descriptor); err != nil {
		return err
	}
	n, err := c.Pool.AddUtf8(name)
	if err != nil {
		return err
	}
	d, err := c.Pool.AddUtf8(descriptor)
	if err != nil {
		return err
	}
	c.Fields = append(c.Fields, Member{accessFlags, n, d, attributes})
	return nil
}

// FindAttribute returns the first attribute of that name, nil if there is
// none. The pointer is into list: assign to its Info to replace the contents.
func (p *Pool) FindAttribute(list []Attribute, name string) *Attribute {
	for i := range list {
		if p.utf8Is(list[i].Name, name) {
			return &list[i]
		}
	}
	return nil
}

// SetAttribute gives the first attribute of that name new contents, or
// appends one. It returns the list as append does; on error there is none.
func (p *Pool) SetAttribute(list []Attribute, name string, info []byte) ([]Attribute, error) {
	if a := p.FindAttribute(list, name); a != nil {
		a.Info = info
		return list, nil
	}
	i, err := p.AddUtf8(name)
	if err != nil {
		return nil, err
	}
	return append(list, Attribute{i, info}), nil
}
