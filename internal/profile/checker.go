package profile

import (
	"cmp"
	"slices"
	"strings"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// checker applies the constructor rule to the nodes of a recording's contexts.
//
//  1. Every node that is a constructor's is counted in its caller's node, by
//     the call in the caller that it was entered by. Calls of constructors
//     without nodes have counters.
//  2. Every site's objects are counted in their node.
//  3. What a node has of one type is compared, and the difference explained
//     part by part.
type checker struct {
	f              *folder
	seen           map[constructor]bool  // constructors that stand in contexts
	calls          map[codeLocation]bool // where arrays are made, and by some calls Strings with them
	newSites       map[newSite][]int32   // bytecode indexes of new in methods, by type
	threads        int64                 // each may have been stopped between new and the constructor
	full           bool                  // there was no memory for some contexts
	counts         []checkCount
	rows           []CheckDifference // Context is a node, then a context of the tree; Type is an internal name
	withoutContext []CheckDifference // what was counted in no context; Context is a site
	arrays         int64
	certain        int64 // objects that were made where entersAlways
	check          *Check
}

type (
	constructor  struct{ class, descriptor string }
	codeLocation struct {
		method symbols.MethodKey
		bci    int32
	}
	newSite struct {
		method symbols.MethodKey
		class  string
	}
)

// checkCount is objects of one type, or invocations of its constructors.
type checkCount struct {
	node  int32
	class string
	what  checkTerm
	n     int64
}

type checkTerm uint8

const (
	constructed   checkTerm = iota // invocations by calls that are not this() or super()
	chained                        // by those that are
	outsideCode                    // by no such call
	callerUnknown                  // by a method that is not known to count in contexts
	made                           // counted where the code has new
	called                         // counted at calls that make objects
)

func newChecker(f *folder) *checker {
	c := &checker{f: f, seen: map[constructor]bool{}, calls: map[codeLocation]bool{}, newSites: map[newSite][]int32{}}
	for i := range f.symbols.Sites {
		if s := &f.symbols.Sites[i]; strings.HasPrefix(s.Def.Type, "[") {
			c.calls[locationOf(s)] = true
		}
	}
	for i := range f.symbols.Sites {
		if s := &f.symbols.Sites[i]; c.isNew(s) {
			key := newSite{s.Method, s.Def.Type}
			c.newSites[key] = append(c.newSites[key], s.Def.BCI)
		}
	}
	for key := range f.counts {
		c.full = c.full || key.kind == "contexts"
	}
	for _, m := range f.contexts.Methods {
		if !m.Named && m.Key.Name == "<init>" {
			c.seen[constructor{m.Key.Class, m.Key.Descriptor}] = true
		}
	}
	return c
}

func locationOf(s *symbols.Site) codeLocation { return codeLocation{s.Method, s.Def.BCI} }

// isNew reports whether a site is a new instruction. A call that makes a String is the site of its array as well.
func (c *checker) isNew(s *symbols.Site) bool {
	return s.Def.Kind == trace.Instance && !c.calls[locationOf(s)]
}

// collect compares node by node. It comes before nodes give up their values.
func (c *checker) collect(threads []countedThread) {
	c.threads = int64(len(threads))
	for i := range c.f.contexts.Nodes {
		c.invoked(int32(i))
	}
	increments := c.f.increments // which eachContext adds to, each time
	c.f.eachContext(0, func(node int32, cells []cell) {
		for _, cell := range cells {
			c.allocated(node, cell)
		}
	})
	c.f.increments = increments
	for _, t := range threads {
		for _, cell := range t.cells {
			c.countedOutside(cell)
		}
	}
	slices.SortFunc(c.counts, func(a, b checkCount) int {
		return cmp.Or(cmp.Compare(a.node, b.node), strings.Compare(a.class, b.class))
	})
	for i, end := 0, 0; i < len(c.counts); i = end {
		for end = i; end < len(c.counts) && c.counts[end].node == c.counts[i].node &&
			c.counts[end].class == c.counts[i].class; {
			end++
		}
		c.compare(c.counts[i:end])
	}
	c.counts = nil
}

func (c *checker) add(node int32, class string, what checkTerm, n int64) {
	if n != 0 {
		c.counts = append(c.counts, checkCount{node, class, what, n})
	}
}

// checkedMethod is the method of a node.
type checkedMethod struct {
	*symbols.ContextMethod
	*methodCounters
}

// method returns the method of a node, without a ContextMethod if it is not known.
func (c *checker) method(node int32) (m checkedMethod) {
	if m.ContextMethod = c.f.contexts.MethodOf(node); m.ContextMethod != nil {
		m.methodCounters = &c.f.contexts.methods[c.f.contexts.Nodes[node].Method]
	}
	return m
}

// invoked counts the invocations of a node's method, if that is a constructor, and those that it has counters for.
func (c *checker) invoked(i int32) {
	m := c.method(i)
	if m.ContextMethod == nil {
		return
	}
	node, counts := &c.f.contexts.Nodes[i], &c.f.contexts.counts[i]
	for _, call := range m.constructors {
		if call.counted {
			c.add(i, call.class, call.what(), c.f.contexts.counted(i, m.methodCounters, call.counter))
		}
	}
	if chain := m.chain(); chain != nil && counts.calls > 0 {
		c.counts = append(c.counts, checkCount{i, chain.class, chained, 0}) // it may never have been come to
	}
	if m.Key.Name != "<init>" || counts.calls == 0 {
		return
	}
	caller := c.method(node.Parent)
	switch {
	case caller.ContextMethod == nil || caller.Native:
		c.add(max(node.Parent, symbols.Outermost), m.Key.Class, outsideCode, counts.calls)
	case caller.Named:
		c.add(node.Parent, m.Key.Class, callerUnknown, counts.calls)
	default:
		at := slices.IndexFunc(caller.constructors, func(call constructorCall) bool {
			return call.bci == node.BCI && call.class == m.Key.Class && call.descriptor == m.Key.Descriptor
		})
		what := outsideCode
		if at >= 0 {
			what = caller.constructors[at].what()
		}
		c.add(node.Parent, m.Key.Class, what, counts.calls)
	}
}

// chain returns the call of this() or super() in a constructor: the paper's map. nil without, and for a method that is
// not known.
func (m checkedMethod) chain() *constructorCall {
	if m.ContextMethod == nil || m.Key.Name != "<init>" {
		return nil
	}
	i := slices.IndexFunc(m.constructors, func(call constructorCall) bool { return call.chains })
	if i < 0 {
		return nil
	}
	return &m.constructors[i]
}

// allocated counts what a node made.
func (c *checker) allocated(node int32, cell cell) {
	site := &c.f.symbols.Sites[cell.site]
	switch {
	case site.Def.Kind == trace.Executed:
	case strings.HasPrefix(site.Def.Type, "["):
		c.arrays += cell.objects
	case c.isNew(site):
		c.add(node, site.Def.Type, made, cell.objects)
	default:
		c.add(node, site.Def.Type, called, cell.objects)
	}
}

// countedOutside notes what was counted in no context.
func (c *checker) countedOutside(cell cell) {
	site := &c.f.symbols.Sites[cell.site]
	if site.Def.Kind == trace.Executed {
		return
	}
	if strings.HasPrefix(site.Def.Type, "[") {
		c.arrays += cell.objects
		return
	}
	row := CheckDifference{Context: cell.site, CheckedType: CheckedType{Type: site.Def.Type, Counted: cell.objects}}
	switch {
	case !c.isNew(site):
		row.Reasons[WithoutConstructor] = -cell.objects
	case c.full:
		row.Reasons[NoMemory] = -cell.objects
	default:
		row.Reasons[CountedWithoutContext] = -cell.objects
	}
	c.withoutContext = append(c.withoutContext, row)
}

// compare makes the row of one type in one node.
func (c *checker) compare(counts []checkCount) {
	node, class := counts[0].node, counts[0].class
	var n [called + 1]int64
	for _, count := range counts {
		n[count.what] += count.n
	}
	row := CheckDifference{Context: node, CheckedType: CheckedType{Type: class}}
	m := c.method(node)
	var invocations int64 // that the rule takes off
	if chain := m.chain(); chain != nil && chain.class == class {
		invocations = c.f.contexts.counts[node].calls
	}
	if c.entersAlways(m, class) {
		c.certain += n[made]
	}
	row.Rule = n[constructed] + n[chained] + n[outsideCode] + n[callerUnknown] - invocations
	row.Counted = n[made] + n[called]
	row.Reasons[ConstructedFromOutside] = n[outsideCode]
	row.Reasons[CallerWithoutContext] = n[callerUnknown]
	row.Reasons[WithoutConstructor] = -n[called]
	if late := n[chained] - invocations; late != 0 {
		row.Reasons[c.lateReason(m, late)] += late
	}
	if missing := n[constructed] - n[made]; missing != 0 {
		row.Reasons[c.missingReason(m, class, missing)] += missing
	}
	c.rows = append(c.rows, row)
}

// lateReason explains that a constructor was not invoked as often as it called this() or super(). Only a damaged
// recording has such calls in a method that is no constructor.
func (c *checker) lateReason(m checkedMethod, late int64) Reason {
	chain := m.chain()
	if chain == nil {
		return Unexplained
	}
	others := slices.ContainsFunc(m.constructors, func(call constructorCall) bool {
		return call.chains && call.class != chain.class
	})
	switch {
	case others:
		return OtherConstructor
	case late < 0:
		return SuperNotReached
	}
	return Unexplained
}

// missingReason explains that constructors were not called as often as objects were made.
func (c *checker) missingReason(m checkedMethod, class string, missing int64) Reason {
	unseen := m.ContextMethod != nil && slices.ContainsFunc(m.constructors, func(call constructorCall) bool {
		return call.class == class && !call.counted && !c.seen[constructor{class, call.descriptor}]
	})
	switch {
	case missing > 0 && m.ContextMethod != nil && len(c.newSites[newSite{m.Key, class}]) == 0:
		return CountedByCaller
	case missing > 0:
		return Unexplained
	case unseen:
		return UnseenConstructor
	case m.ContextMethod != nil && len(m.constructors) == 0:
		return CountedWithoutContext // a hidden class's, whose calls nobody sees
	case c.full:
		return NoMemory
	case -missing > c.threads && c.entersAlways(m, class):
		return Unexplained
	}
	return NotConstructed
}

// entersAlways tells whether a method calls a constructor behind each new of a class, where nothing in between can
// throw. Then what was counted more than constructed was counted too often, or the stack was full.
func (c *checker) entersAlways(m checkedMethod, class string) bool {
	if m.ContextMethod == nil {
		return false
	}
	sites := c.newSites[newSite{m.Key, class}]
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(bci int32) bool {
		return !slices.ContainsFunc(m.constructors, func(call constructorCall) bool {
			return call.behind > 0 && int64(call.bci) == int64(bci)+int64(call.behind) && call.class == class
		})
	})
}

func (c *constructorCall) what() checkTerm {
	if c.chains {
		return chained
	}
	return constructed
}
