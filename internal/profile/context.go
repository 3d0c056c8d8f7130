package profile

// Context is a chain of calls that ends in an invocation of a method.
type Context struct {
	Parent int32 // index in Profile.Contexts of the context that called, -1 for none
	Method int32 // index in Profile.Methods, of what was called
	BCI    int32 // bytecode index of the call in the parent's method, -1 unknown
	Line   int32 // source line of the call, -1 unknown
	Calls  int64 // invocations, 0 if the recording does not say
}

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

// Stack returns where a site allocates in a context, innermost first. The context
// is one of the site's method.
func (p *Profile) Stack(site *Site, context int32) []Frame {
	c := &p.Contexts[context]
	stack := []Frame{{&p.Methods[c.Method], site.BCI, site.Line}}
	for ; c.Parent >= 0; c = &p.Contexts[c.Parent] {
		stack = append(stack, Frame{&p.Methods[p.Contexts[c.Parent].Method], c.BCI, c.Line})
	}
	return stack
}
