package waste

import (
	"strings"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// classifier says of what kind objects are.
type classifier struct {
	*calls
	throwables map[string]bool    // classes whose objects had their stacks filled in
	makes      map[[2]string]bool // a constructor's class, and what it makes
	strings    map[place]bool     // where a String and its array are made at one bytecode: what + makes
	copies     map[[2]int32]bool  // site and context of collections made as copies
	ends       map[place]bool     // the calls of toString with which builders in loops end
}

// A place is a bytecode.
type place struct {
	class, method, descriptor, loader string
	bci                               int32
}

func placeOf(s *profile.Site) place { return place{s.Class, s.Method, s.Descriptor, s.Loader, s.BCI} }

func newClassifier(p *profile.Profile, isMine []bool) *classifier {
	c := &classifier{calls: newCalls(p, isMine), throwables: map[string]bool{}, makes: map[[2]string]bool{},
		strings: map[place]bool{}, ends: map[place]bool{}}
	made := map[place]int{}
	for i := range p.Sites {
		s := &p.Sites[i]
		if s.Method == constructor {
			c.makes[[2]string{s.Class, s.Type}] = true
		}
		switch {
		case isChain(s):
			end := placeOf(s)
			end.bci = s.PassedTo
			c.ends[end] = true
		case s.PassedTo > 0 && !s.Array && !p.Tracked: // with contexts, whether it has a stack is known
			c.throwables[s.Type] = true
		}
		switch at := placeOf(s); {
		case s.BCI < 0:
		case s.Type == "java.lang.String":
			made[at] |= 1
		case s.Type == "byte[]":
			made[at] |= 2
		case isThrowable(s.Type): // that of the JVM's, with its message
			made[at] |= 4
		}
	}
	for at, what := range made {
		c.strings[at] = what == 3
	}
	if !p.Tracked {
		return c
	}
	for i := range p.Contexts {
		if c.thrower[p.Contexts[i].Method] {
			if at := c.thrown(int32(i), c.isMadeIn); at >= 0 {
				c.throwables[c.method(at).Class] = true
			}
		}
	}
	c.copies = c.copied()
	return c
}

func (c *classifier) isMadeIn(class, made string) bool { return c.makes[[2]string{class, made}] }

// A finding is what objects of a site in a context are.
type finding struct {
	kind Kind
	what string // the class, or what grows, is copied or is called
	// the context above which the line is looked for first, where that is not the site's own line or above it; else -1
	above int32
}

// classify says what objects of a site in a context are; false for no waste. The first kind that fits is theirs.
func (c *classifier) classify(s *profile.Cell) (finding, bool) {
	site, outside := &c.p.Sites[s.Site], c.outside[c.p.Contexts[s.Context].Method]
	as := func(k Kind, what string) (finding, bool) { return finding{k, what, -1}, true }
	if site.Executed || site.Class == symbols.VM {
		return finding{}, false
	}
	if isBacktrace(site) {
		return c.backtrace(s)
	}
	switch {
	case c.throwables[site.Type] || isThrowable(site.Type):
		return as(Exceptions, site.Type)
	case isEnumValues(site):
		return finding{EnumValues, site.Class, s.Context}, true
	case isBox(site):
		return as(Boxing, site.Type)
	case isLambda(site):
		return as(Lambdas, site.Type)
	case isIterator(site):
		return c.iterator(s)
	case site.Array && s.Amount.Elements == 0 && s.Amount.Objects > 0:
		return as(EmptyArrays, site.Type)
	}
	if what := c.growth(s); what != "" {
		return as(Growth, what)
	}
	if what := c.copy(s, outside); what != "" {
		return as(Copies, what)
	}
	switch _, is := familyOf[site.Type]; {
	case isChain(site) && outside || c.isOfChain(s):
		return as(Concatenation, "java.lang.String")
	case is:
		return as(EmptyCollections, site.Type) // those of them that are
	case !outside:
	case site.PassedTo > 0 && site.Array:
		if callee := c.callee(s.Context, site.PassedTo); callee != nil {
			return as(Varargs, callee.Title())
		}
		return as(Varargs, site.Type)
	case site.Looped && c.strings[placeOf(site)]:
		return as(Concatenation, "java.lang.String")
	}
	return finding{}, false
}

// isChain reports whether a site makes a builder in a loop that is nowhere but on the operand stack, or in one local
// variable, until it is made a String of: what compilers make of + for Java 8 and before, and what does the same.
func isChain(s *profile.Site) bool { return isBuilder(s.Type) && s.Looped && s.PassedTo > 0 }

// isOfChain reports whether such a builder made something: its first array, or the String and its array in the end.
// Larger arrays between these are growth.
func (c *classifier) isOfChain(s *profile.Cell) bool {
	entry := c.entry[s.Context]
	if entry < 0 || !isBuilder(c.method(entry).Class) {
		return false
	}
	x, m := &c.p.Contexts[entry], c.method(entry)
	caller := c.method(x.Parent)
	switch m.Name {
	case "toString":
		return c.ends[place{caller.Class, caller.Name, caller.Descriptor, caller.Loader, x.BCI}]
	case constructor:
		site := c.site(caller, x.BCI, m.Class)
		return c.p.Sites[s.Site].Array && site >= 0 && isChain(&c.p.Sites[site])
	}
	return false
}

// iterator belongs to the loop that asked for it.
func (c *classifier) iterator(s *profile.Cell) (finding, bool) {
	site, above := &c.p.Sites[s.Site], int32(-1)
	if returnsIterator(site.Method) {
		above = s.Context
	}
	return finding{Iterators, site.Type, above}, true
}

// backtrace is what an exception knows of the stack, or elements of it that were asked for.
func (c *classifier) backtrace(s *profile.Cell) (finding, bool) {
	site := &c.p.Sites[s.Site]
	if site.Class != throwable {
		return finding{Exceptions, site.Type, -1}, true
	}
	if at := c.thrown(s.Context, c.isMadeIn); at >= 0 {
		return finding{Exceptions, c.method(at).Class, at}, true
	}
	return finding{Exceptions, "stacks of exceptions", -1}, true
}

// growth gives what grows where a larger array replaces a smaller one; "" where that is not so.
func (c *classifier) growth(s *profile.Cell) string {
	site, x := &c.p.Sites[s.Site], &c.p.Contexts[s.Context]
	own := site.Class + "." + site.Method
	switch {
	case !site.Array:
		return ""
	case growing[own] != "":
		if site.Copied || whole[own] {
			return growing[own]
		}
		return ""
	case x.Parent < 0:
		return ""
	case site.Class == arrays || own == "java.util.WeakHashMap.newTable":
		return c.grows[c.p.Contexts[x.Parent].Method]
	}
	return ""
}

// copy gives what a copy is of, or what was called to make it; "" where it is none.
func (c *classifier) copy(s *profile.Cell, outside bool) string {
	site := &c.p.Sites[s.Site]
	switch {
	case outside && site.Copied:
		return site.Type
	case outside && c.copies[[2]int32{s.Site, s.Context}]:
		return site.Type
	case outside:
		return ""
	case !c.p.Tracked:
		if site.Copied || site.Class == arrays && strings.HasPrefix(site.Method, "copyOf") {
			return site.Class + "." + site.Method
		}
		return ""
	}
	if entry := c.entry[s.Context]; entry >= 0 && copying(c.method(entry)) {
		return title(c.method(entry))
	}
	return ""
}

// title names a method, a constructor by its class.
func title(m *symbols.Method) string {
	if m.Name == constructor {
		return m.Class
	}
	return m.Title()
}
