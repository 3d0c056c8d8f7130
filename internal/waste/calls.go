package waste

import (
	"slices"
	"strings"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// A line is one of a method.
type line struct{ method, line int32 } // index in Profile.Methods

// calls is what is known of the calls that led to invocations, by context.
type calls struct {
	p *profile.Profile
	// by method
	outside []bool   // not of the JDK, or the user's
	grows   []string // what grows in it
	thrower []bool   // fillInStackTrace

	// by context: that of the method of the JDK that the innermost method outside of it called, -1 for none
	entry    []int32
	children [][]int32 // by context; nil until asked for
}

func newCalls(p *profile.Profile, isMine []bool) *calls {
	n := len(p.Methods)
	c := &calls{p: p, outside: make([]bool, n), grows: make([]string, n), thrower: make([]bool, n),
		entry: make([]int32, len(p.Contexts))}
	others := profile.OutsideJDK()
	for i := range p.Methods {
		m := &p.Methods[i]
		c.outside[i] = isMine[i] || others.Is(m.Class)
		c.grows[i] = growing[m.Title()]
		c.thrower[i] = m.Class == throwable && m.Name == "fillInStackTrace"
	}
	for i := range p.Contexts {
		switch parent := p.Contexts[i].Parent; {
		case parent < 0 || c.outside[p.Contexts[i].Method]:
			c.entry[i] = -1
		case c.outside[p.Contexts[parent].Method]:
			c.entry[i] = int32(i)
		default:
			c.entry[i] = c.entry[parent]
		}
	}
	return c
}

// method is that of a context.
func (c *calls) method(context int32) *symbols.Method {
	return &c.p.Methods[c.p.Contexts[context].Method]
}

// nearest gives for each context the innermost line above it of methods that are the user's, ok where there is one.
func (c *calls) nearest(isMine []bool) (lines []line, ok []bool) {
	lines, ok = make([]line, len(c.p.Contexts)), make([]bool, len(c.p.Contexts))
	for i := range c.p.Contexts {
		x := &c.p.Contexts[i]
		if x.Parent < 0 {
			continue
		}
		if m := c.p.Contexts[x.Parent].Method; isMine[m] {
			lines[i], ok[i] = line{m, x.Line}, true
		} else {
			lines[i], ok[i] = lines[x.Parent], ok[x.Parent]
		}
	}
	return lines, ok
}

// thrown gives the context of the constructor of the exception whose stack is being filled in: the outermost of those
// that call each other for one object. It is -1 where a program asks for the stack again.
func (c *calls) thrown(context int32, makes func(class, made string) bool) int32 {
	made := int32(-1)
	for i := context; i >= 0; i = c.p.Contexts[i].Parent {
		m := c.method(i)
		switch {
		case made < 0 && c.thrower[c.p.Contexts[i].Method]:
			continue
		case m.Name != constructor || made >= 0 && makes(m.Class, c.method(made).Class):
			return made
		}
		made = i
	}
	return made
}

// callee gives a method that a context calls at a bytecode with an array as the last argument; nil where none is known:
// methods are that allocated something, or called what did. The JVM calls others there, to load classes.
func (c *calls) callee(context, bci int32) *symbols.Method {
	if c.children == nil {
		c.children = make([][]int32, len(c.p.Contexts))
		for i := range c.p.Contexts {
			if parent := c.p.Contexts[i].Parent; parent >= 0 {
				c.children[parent] = append(c.children[parent], int32(i))
			}
		}
	}
	for _, i := range c.children[context] {
		parameters, _, _ := strings.Cut(c.method(i).Descriptor, ")")
		if c.p.Contexts[i].BCI == bci && endsInArray(parameters) {
			return c.method(i)
		}
	}
	return nil
}

// endsInArray reports whether the last of parameters, as a descriptor has them, is an array.
func endsInArray(parameters string) bool {
	bracket := strings.LastIndexByte(parameters, '[')
	if bracket < 0 {
		return false
	}
	last := parameters[bracket+1:]
	return len(last) == 1 || strings.HasPrefix(last, "L") && strings.IndexByte(last, ';') == len(last)-1
}

// copied lists the sites of collections that are made as copies, each with a context: new, and behind it the call of a
// constructor that copies.
func (c *calls) copied() map[[2]int32]bool {
	copies := map[[2]int32]bool{}
	for i := range c.p.Contexts {
		x := &c.p.Contexts[i]
		m := &c.p.Methods[x.Method]
		if x.Parent < 0 || m.Name != constructor || c.outside[x.Method] ||
			!c.outside[c.p.Contexts[x.Parent].Method] || !copying(m) {
			continue
		}
		if site := c.site(c.method(x.Parent), x.BCI, m.Class); site >= 0 {
			copies[[2]int32{site, x.Parent}] = true
		}
	}
	return copies
}

// site finds the last site of a method in front of a bytecode that makes objects of a class; -1 for none.
func (c *calls) site(m *symbols.Method, bci int32, class string) int32 {
	sites := c.p.Sites
	from, _ := slices.BinarySearchFunc(sites, m, func(s profile.Site, m *symbols.Method) int {
		return slices.Compare([]string{s.Class, s.Method, s.Descriptor}, []string{m.Class, m.Name, m.Descriptor})
	})
	found := int32(-1)
	for i := from; i < len(sites) && sites[i].Class == m.Class && sites[i].Method == m.Name &&
		sites[i].Descriptor == m.Descriptor; i++ {
		if s := &sites[i]; s.BCI >= 0 && s.BCI < bci && s.Type == class && s.Loader == m.Loader {
			found = int32(i)
		}
	}
	return found
}
