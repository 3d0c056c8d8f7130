package symbols

// Method is what stands in a stack. Those without a Class are no methods of the
// program: what called is unknown, calls are not kept apart, or the program gave a
// name to what it does.
type Method struct {
	Class       string // as Class.getName prints it
	Name        string // as in the class file
	Descriptor  string // as in the class file
	Source      string // source file, empty if unknown
	Loader      string // empty unless the name was loaded twice
	Native      bool   // has no bytecode
	Transaction bool   // it is the name of one: the name is in brackets
}

// UnknownFrame is the name of the method that called where it is not known which did.
const UnknownFrame = "[unknown]"

// Title is the method's name with its class's.
func (m *Method) Title() string {
	if m.Class == "" {
		return m.Name
	}
	return m.Class + "." + m.Name
}

// Frame is a method at a place: of the site, or of a call.
type Frame struct {
	*Method
	BCI  int32 // -1 unknown
	Line int32 // -1 unknown
}

// Method names a method. It may have another name later, when its class's is loaded once more.
func (t *Table) Method(key MethodKey, source string, native bool) Method {
	if key.IsTransaction() {
		return Method{Name: key.Name, Transaction: true}
	}
	return Method{
		Class:      t.Intern(ClassName(key.Class)),
		Name:       key.Name,
		Descriptor: key.Descriptor,
		Source:     source,
		Loader:     t.Classes.Declaring(key.Class, key.Loader),
		Native:     native,
	}
}
