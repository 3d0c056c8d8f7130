package profile

import "mallard/internal/symbols"

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
