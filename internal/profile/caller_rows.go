package profile

import (
	"cmp"
	"slices"
)

// callerRows gives a row for each line of the user's methods that led to an allocation. Its Amount is all that was
// allocated there and in what it called, a line that calls itself counted once; Self is of that what no line of the
// user's that was called from there has led to. Selves add up; the second result is what no line of the user's has led
// to.
func (p *Profile) callerRows(f Filter, mine *Mine) (rows []Row, others Amount) {
	isMine := make([]bool, len(p.Methods))
	for i := range p.Methods {
		isMine[i] = mine.Is(p.Methods[i].Class)
	}
	all, self := map[caller]Amount{}, map[caller]Amount{}
	add := func(to map[caller]Amount, at caller, a Amount) {
		sum := to[at]
		sum.Add(a)
		to[at] = sum
	}
	// nearest is the innermost line of the user's above an invocation; known where ok
	nearest, ok := make([]caller, len(p.Contexts)), make([]bool, len(p.Contexts))
	for i := range p.Contexts {
		c := &p.Contexts[i]
		if c.Parent < 0 {
			continue
		}
		if m := p.Contexts[c.Parent].Method; isMine[m] {
			nearest[i], ok[i] = caller{m, c.Line}, true
		} else {
			nearest[i], ok[i] = nearest[c.Parent], ok[c.Parent]
		}
	}
	amounts := make([]Amount, len(p.Contexts)) // of invocations, with what they called
	for s := range p.Samples(f) {
		if s.Site.Executed {
			continue
		}
		amounts[s.Context].Add(s.Amount)
		at, known := caller{p.Contexts[s.Context].Method, s.Site.Line}, true
		if !isMine[at.method] {
			at, known = nearest[s.Context], ok[s.Context]
		} else if !p.isAbove(s.Context, at) {
			add(all, at, s.Amount)
		}
		if known {
			add(self, at, s.Amount)
		} else {
			others.Add(s.Amount)
		}
	}
	for i := len(p.Contexts) - 1; i >= 0; i-- {
		parent := p.Contexts[i].Parent
		if parent < 0 || amounts[i].IsZero() {
			continue
		}
		amounts[parent].Add(amounts[i])
		if at := (caller{p.Contexts[parent].Method, p.Contexts[i].Line}); isMine[at.method] && !p.isAbove(parent, at) {
			add(all, at, amounts[i])
		}
	}
	for at, a := range all {
		m := &p.Methods[at.method]
		rows = append(rows, Row{Site: &Site{Class: m.Class, Method: m.Name, Descriptor: m.Descriptor, BCI: -1,
			Line: at.line, Source: m.Source}, Loader: m.Loader, Amount: a, Self: self[at], caller: at})
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.caller.method, b.caller.method), cmp.Compare(a.caller.line, b.caller.line))
	})
	return rows, others
}

// isAbove reports whether a line is one of those that led to an invocation.
func (p *Profile) isAbove(context int32, at caller) bool {
	for c := &p.Contexts[context]; c.Parent >= 0; c = &p.Contexts[c.Parent] {
		if at == (caller{p.Contexts[c.Parent].Method, c.Line}) {
			return true
		}
	}
	return false
}
