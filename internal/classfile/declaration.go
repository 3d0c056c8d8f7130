package classfile

// Attributes of one item or one table, which stand at classes, fields and
// methods.

// ConstantValue is the value of a constant field: an Integer, Float, Long,
// Double or String constant (JVMS 4.7.2).
type ConstantValue struct {
	Value PoolIndex
}

func (a *ConstantValue) layout(c *codec) { c.index(&a.Value) }

// Exceptions lists what a method declares to throw, as Class constants
// (JVMS 4.7.5).
type Exceptions struct {
	Classes []PoolIndex
}

func (a *Exceptions) layout(c *codec) { indexes(c, &a.Classes) }

// Synthetic marks what does not appear in source code (JVMS 4.7.8).
type Synthetic struct{}

func (*Synthetic) layout(*codec) {}

// Deprecated marks what is superseded (JVMS 4.7.15).
type Deprecated struct{}

func (*Deprecated) layout(*codec) {}

// Signature is a generic signature, a Utf8 constant (JVMS 4.7.9).
type Signature struct {
	Signature PoolIndex
}

func (a *Signature) layout(c *codec) { c.index(&a.Signature) }

// SourceFile is the name of the source file, a Utf8 constant (JVMS 4.7.10).
type SourceFile struct {
	Name PoolIndex
}

func (a *SourceFile) layout(c *codec) { c.index(&a.Name) }

// SourceDebugExtension is debugging information of any kind, in modified UTF-8
// that may be longer than a constant (JVMS 4.7.11).
type SourceDebugExtension struct {
	Text []byte
}

func (a *SourceDebugExtension) layout(c *codec) { c.rest(&a.Text) }

// MethodParameters names the formal parameters of a method (JVMS 4.7.24).
type MethodParameters struct {
	Parameters []MethodParameter
}

// A MethodParameter has a Utf8 constant as its name, 0 for none.
type MethodParameter struct {
	Name        PoolIndex
	AccessFlags uint16
}

func (a *MethodParameters) layout(c *codec) {
	shortList(c, &a.Parameters, 4, (*MethodParameter).layout)
}

func (p *MethodParameter) layout(c *codec) {
	c.index(&p.Name)
	u2(c, &p.AccessFlags)
}

// BootstrapMethods is what Dynamic and InvokeDynamic constants refer to
// (JVMS 4.7.23).
type BootstrapMethods struct {
	Methods []BootstrapMethod
}

// A BootstrapMethod is a MethodHandle constant and loadable constants that it
// is called with.
type BootstrapMethod struct {
	Handle    PoolIndex
	Arguments []PoolIndex
}

func (a *BootstrapMethods) layout(c *codec) { list(c, &a.Methods, 4, (*BootstrapMethod).layout) }

func (m *BootstrapMethod) layout(c *codec) {
	c.index(&m.Handle)
	indexes(c, &m.Arguments)
}

// Record lists the components of a record class (JVMS 4.7.30).
type Record struct {
	Components []RecordComponent
}

// A RecordComponent has Utf8 constants as name and descriptor. Its attributes
// stand InRecordComponent.
type RecordComponent struct {
	Name, Descriptor PoolIndex
	Attributes       []Attribute
}

func (a *Record) layout(c *codec) { list(c, &a.Components, 6, (*RecordComponent).layout) }

func (r *RecordComponent) layout(c *codec) {
	c.index(&r.Name)
	c.index(&r.Descriptor)
	c.attributes(&r.Attributes, InRecordComponent)
}
