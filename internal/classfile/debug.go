package classfile

// LineNumberTable relates bytecode to source lines (JVMS 4.7.12). A method may
// have several tables, in any order.
type LineNumberTable struct {
	Lines []LineNumber
}

// A LineNumber says that the code of a source line begins at StartPC.
type LineNumber struct {
	StartPC PC
	Line    uint16
}

func (t *LineNumberTable) layout(c *codec) { list(c, &t.Lines, 4, (*LineNumber).layout) }

func (l *LineNumber) layout(c *codec) {
	u2(c, &l.StartPC)
	u2(c, &l.Line)
}

// LocalVariableTable names local variables (JVMS 4.7.13).
type LocalVariableTable struct {
	Variables []LocalVariable
}

// LocalVariableTypeTable gives the generic signatures of local variables
// (JVMS 4.7.14); their Type is a signature.
type LocalVariableTypeTable struct {
	Variables []LocalVariable
}

// A LocalVariable has its value in Slot in the range [StartPC, StartPC+Length).
// Name and Type are Utf8 constants; Type is a field descriptor or, in a
// LocalVariableTypeTable, a field signature.
type LocalVariable struct {
	StartPC, Length PC
	Name, Type      PoolIndex
	Slot            Slot
}

func (t *LocalVariableTable) layout(c *codec) { list(c, &t.Variables, 10, (*LocalVariable).layout) }

func (t *LocalVariableTypeTable) layout(c *codec) {
	list(c, &t.Variables, 10, (*LocalVariable).layout)
}

func (v *LocalVariable) layout(c *codec) {
	u2(c, &v.StartPC)
	u2(c, &v.Length)
	c.index(&v.Name)
	c.index(&v.Type)
	u2(c, &v.Slot)
}
