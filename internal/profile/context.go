package profile

import "mallard/internal/symbols"

// Context is a chain of calls that ends in an invocation of a method.
type Context struct {
	Parent int32 // index in Profile.Contexts of the context that called, -1 for none
	Method int32 // index in Profile.Methods, of what was called
	BCI    int32 // bytecode index of the call in the parent's method, -1 unknown
	Line   int32 // source line of the call, -1 unknown
	Calls  int64 // invocations, 0 if the recording does not say
}

// Stack returns where a site allocates in a context, innermost first. The context
// is one of the site's method.
func (p *Profile) Stack(site *Site, context int32) []symbols.Frame {
	c := &p.Contexts[context]
	stack := []symbols.Frame{{Method: &p.Methods[c.Method], BCI: site.BCI, Line: site.Line}}
	for ; c.Parent >= 0; c = &p.Contexts[c.Parent] {
		stack = append(stack, symbols.Frame{Method: &p.Methods[p.Contexts[c.Parent].Method], BCI: c.BCI, Line: c.Line})
	}
	return stack
}
