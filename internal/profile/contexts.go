package profile

import (
	"cmp"
	"slices"

	"mallard/internal/trace"
)

// contextTable is what a recording says of contexts while it is being read.
type contextTable struct {
	tracked bool            // the recording has contexts
	methods []contextMethod // by MethodID, through numbers
	numbers map[trace.MethodID]int32
	nodes   []contextNode // a parent before its children
	indexes map[trace.ContextID]int32
	last    int // looked up last, index in nodes
	terms   []contextTerm
	summed  int           // terms that are all of different contexts or sites
	base    []contextBase // by node: what was counted before the span; nil where all counts
	unknown uint64        // values, invocations and live frames whose context or counter has no definition
}

// contextMethod is a method, or a version of one, that stands in contexts.
type contextMethod struct {
	key      methodKey
	source   string
	hidden   bool
	native   bool
	named    bool             // that is all that is known of it
	counters []contextCounter // ascending

	constructors []constructorCall // that it calls, if they were tracked
}

// contextCounter is a counter of a method that counts in contexts. Methods are
// never numbered again, so what it means holds for ever.
type contextCounter struct {
	counter trace.CounterID
	meaning meaning
}

// contextNode is a trace.ContextNode with what was counted in it.
type contextNode struct {
	id             trace.ContextID
	parent, method int32 // indexes; outermost for a thread's first frame, lost for what has no definition
	bci, line      int32
	thread         trace.ThreadID // of the last counts
	calls          int64
	values         []contextValue // those that are not zero, ascending
}

const (
	outermost = -1
	lost      = -2
)

// contextValue is the latest total of a counter.
type contextValue struct {
	counter int32 // index in contextMethod.counters
	value   int64
}

// contextTerm is what live frames of a context counted ahead.
type contextTerm struct {
	node, site  int32
	coefficient int64
}

func newContextTable() contextTable {
	return contextTable{numbers: map[trace.MethodID]int32{}, indexes: map[trace.ContextID]int32{}}
}

// defineMethod makes a method known that stands in contexts.
func (c *contextTable) defineMethod(number trace.MethodID, m contextMethod) {
	slices.SortFunc(m.counters, func(a, b contextCounter) int { return cmp.Compare(a.counter, b.counter) })
	c.tracked = true
	c.numbers[number] = int32(len(c.methods))
	c.methods = append(c.methods, m)
}

// grow adds nodes to the tree.
func (c *contextTable) grow(nodes []trace.ContextNode) {
	c.tracked = true
	for _, n := range nodes {
		if _, known := c.indexes[n.ID]; known || n.ID == 0 {
			continue // it is what it was
		}
		node := contextNode{id: n.ID, parent: outermost, method: lost, bci: n.BCI, line: n.Line}
		if n.Parent != 0 {
			node.parent = c.node(n.Parent)
		}
		if method, known := c.numbers[n.Method]; known {
			node.method = method
		}
		c.indexes[n.ID] = int32(len(c.nodes))
		c.nodes = append(c.nodes, node)
	}
}

// node returns the index of a context, lost if it is unknown. Records name contexts
// in order, so that it is mostly the one of the last time, or soon after.
func (c *contextTable) node(id trace.ContextID) int32 {
	for i := c.last; i < min(c.last+nearby, len(c.nodes)); i++ {
		if c.nodes[i].id == id {
			c.last = i
			return int32(i)
		}
	}
	i, known := c.indexes[id]
	if !known {
		return lost
	}
	c.last = int(i)
	return i
}

// nearby is how many nodes are looked at before the map is asked.
const nearby = 8

// contextCounts replaces what was counted in contexts.
func (f *folder) contextCounts(r *trace.ContextCounts) {
	f.at(r.Nanos)
	if f.merged.merged == 0 {
		f.thread(r.Thread) // a new one, if its record is missing
	}
	c := &f.contexts
	for values := r.Values; len(values) > 0; {
		n := 1
		for n < len(values) && values[n].Context == values[0].Context {
			n++
		}
		for _, v := range values[:n] {
			if !f.setInContext(r.Thread, v) {
				c.unknown++
			}
		}
		if r.Full {
			f.zeroOthersInContext(r.Thread, values[:n])
		}
		values = values[n:]
	}
	for _, v := range r.Invocations {
		i := c.node(v.Context)
		if i == lost {
			c.unknown++
			continue
		}
		c.nodes[i].thread, c.nodes[i].calls = r.Thread, v.Count
	}
}

// setInContext stores one value; false if it has no definition.
func (f *folder) setInContext(thread trace.ThreadID, v trace.ContextValue) bool {
	c := &f.contexts
	i := c.node(v.Context)
	if i == lost || c.nodes[i].method == lost {
		return false
	}
	node := &c.nodes[i]
	counter, known := slices.BinarySearchFunc(c.methods[node.method].counters, v.Counter,
		func(a contextCounter, number trace.CounterID) int { return cmp.Compare(a.counter, number) })
	if !known {
		return false
	}
	node.thread = thread
	meaning := c.methods[node.method].counters[counter].meaning
	for _, t := range meaning.terms {
		belongs, _ := f.thrownAt(i, t.site)
		c.nodes[belongs].thread = thread
	}
	at, known := slices.BinarySearchFunc(node.values, int32(counter),
		func(a contextValue, counter int32) int { return cmp.Compare(a.counter, counter) })
	if !known {
		node.values = slices.Insert(node.values, at, contextValue{counter: int32(counter)})
	}
	if f.changed != nil {
		f.difference(thread, i, meaning, node.values[at].value, v.Value)
	}
	node.values[at].value = v.Value
	return true
}

// zeroOthersInContext makes the counters of a context zero that a Full record, which names some of them, does not.
func (f *folder) zeroOthersInContext(thread trace.ThreadID, named []trace.ContextValue) {
	c := &f.contexts
	i := c.node(named[0].Context)
	if i == lost {
		return
	}
	node := &c.nodes[i]
	for k := range node.values {
		value := &node.values[k]
		counter := &c.methods[node.method].counters[value.counter]
		if value.value == 0 || slices.ContainsFunc(named, func(v trace.ContextValue) bool { return v.Counter == counter.counter }) {
			continue
		}
		if f.changed != nil {
			f.difference(thread, i, counter.meaning, value.value, 0)
		}
		value.value = 0
	}
}

// contextLiveFrames notes what unfinished invocations counted ahead.
func (f *folder) contextLiveFrames(r *trace.ContextLiveFrames) {
	for _, term := range r.Terms {
		node := f.contexts.node(term.Context)
		if node == lost || int(term.Site) >= len(f.siteOf) || f.siteOf[term.Site] < 0 {
			f.contexts.unknown++
			continue
		}
		if n := &f.contexts.nodes[node]; len(n.values) == 0 {
			n.thread = r.Thread
		}
		f.contexts.terms = append(f.contexts.terms, contextTerm{node, f.siteOf[term.Site], term.Coefficient})
		if f.changed != nil {
			f.changed(r.Thread, node, cell{site: f.siteOf[term.Site], objects: -term.Coefficient})
		}
	}
	f.contexts.sumTerms()
}

// fewTerms is how many terms are kept without looking for those that can be added up.
const fewTerms = 1 << 12

// sumTerms adds up terms of one context and site, when there are twice as many as it left last time.
func (c *contextTable) sumTerms() {
	if len(c.terms) < max(fewTerms, 2*c.summed) {
		return
	}
	slices.SortFunc(c.terms, func(a, b contextTerm) int { return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.site, b.site)) })
	sums := c.terms[:0]
	for _, t := range c.terms {
		if n := len(sums); n > 0 && sums[n-1].node == t.node && sums[n-1].site == t.site {
			sums[n-1].coefficient += t.coefficient
		} else {
			sums = append(sums, t)
		}
	}
	c.terms, c.summed = sums, len(sums)
}

// eachContext calls yield with every node that counted, and what was counted
// there by site, in one call or several. The cells are good until yield returns.
func (f *folder) eachContext(yield func(node int32, cells map[int32]cell)) {
	c := &f.contexts
	slices.SortFunc(c.terms, func(a, b contextTerm) int { return cmp.Compare(a.node, b.node) })
	terms := c.terms
	sums := map[int32]cell{}
	for i := range c.nodes {
		node := &c.nodes[i]
		clear(sums)
		for _, v := range node.values {
			f.apply(sums, c.methods[node.method].counters[v.counter].meaning, v.value)
		}
		if i < len(c.base) {
			for _, v := range c.base[i].values {
				f.takeBack(sums, c.methods[node.method].counters[v.counter].meaning, v.value)
			}
		}
		for ; len(terms) > 0 && terms[0].node == int32(i); terms = terms[1:] {
			sum := sums[terms[0].site]
			sum.site = terms[0].site
			sum.objects -= terms[0].coefficient
			sums[terms[0].site] = sum
		}
		for site, sum := range sums {
			if belongs, at := f.thrownAt(int32(i), site); at != site {
				delete(sums, site)
				sum.site = at
				yield(belongs, map[int32]cell{at: sum})
			}
		}
		if len(sums) > 0 {
			yield(int32(i), sums)
		}
	}
}
