package classfile

// Attributes that relate a class to other classes. All indexes are Class
// constants unless said otherwise.

// InnerClasses lists the classes of the pool that are no members of a package
// (JVMS 4.7.6).
type InnerClasses struct {
	Classes []InnerClass
}

// An InnerClass is a class with the flags and the name that it has in source
// code. Outer is 0 for local and anonymous classes; Name is a Utf8 constant, 0
// for anonymous classes.
type InnerClass struct {
	Inner, Outer PoolIndex
	Name         PoolIndex
	AccessFlags  uint16
}

func (a *InnerClasses) layout(c *codec) { list(c, &a.Classes, 8, (*InnerClass).layout) }

func (i *InnerClass) layout(c *codec) {
	c.index(&i.Inner)
	c.index(&i.Outer)
	c.index(&i.Name)
	u2(c, &i.AccessFlags)
}

// EnclosingMethod says where a local or anonymous class stands (JVMS 4.7.7).
// Method is a NameAndType constant, 0 if the class is in no method.
type EnclosingMethod struct {
	Class, Method PoolIndex
}

func (a *EnclosingMethod) layout(c *codec) {
	c.index(&a.Class)
	c.index(&a.Method)
}

// NestHost is the host of the nest that a class belongs to (JVMS 4.7.28).
type NestHost struct {
	Host PoolIndex
}

func (a *NestHost) layout(c *codec) { c.index(&a.Host) }

// NestMembers lists the members of the nest that a class is the host of
// (JVMS 4.7.29).
type NestMembers struct {
	Classes []PoolIndex
}

func (a *NestMembers) layout(c *codec) { indexes(c, &a.Classes) }

// PermittedSubclasses lists the direct subclasses of a sealed class
// (JVMS 4.7.31).
type PermittedSubclasses struct {
	Classes []PoolIndex
}

func (a *PermittedSubclasses) layout(c *codec) { indexes(c, &a.Classes) }
