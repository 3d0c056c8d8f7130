package profile

import (
	"cmp"
	"slices"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// contextCounts is what was counted in contexts.
type contextCounts struct {
	*symbols.Contexts
	methods []methodCounters // by index in Methods
	counts  []contextCount   // by index in Nodes
	values  []contextValue   // of all of these
	terms   []contextTerm
	summed  int // terms that are all of different contexts or sites
	base    contextBase
	added   []contextCell // of merged recordings
	unknown uint64        // values, invocations and live frames whose context or counter has no definition
}

// methodCounters is what a method, or a version of one, counts in contexts. Methods are
// never numbered again, so what its counters mean holds for ever.
type methodCounters struct {
	defined      bool
	own          int                       // those that its code counts with
	counters     []contextCounter          // of which these are ascending
	others       map[trace.CounterID]int32 // indexes of those for classes of what its calls make
	constructors []constructorCall         // that it calls, if they were tracked
}

type contextCounter struct {
	counter trace.CounterID
	meaning meaning
}

// contextCount is what was counted in a context.
type contextCount struct {
	thread trace.ThreadID // of the last counts
	values valueRange
	calls  int64
}

// valueRange is where values of a context stand, among those of all: those that are not zero, and some more, ascending
// by their counters.
type valueRange struct{ first, n, room int32 }

func (r valueRange) of(values []contextValue) []contextValue { return values[r.first:][:r.n] }

// contextValue is the latest total of a counter.
type contextValue struct {
	counter int32 // index in methodCounters.counters
	value   int64
}

// valuesOf are the values of a node, until more are put in.
func (c *contextCounts) valuesOf(node int32) []contextValue {
	return c.counts[node].values.of(c.values)
}

// reserve gives a node room for more values.
func (c *contextCounts) reserve(node int32, room int) {
	r, first := &c.counts[node].values, len(c.values)
	c.values = append(c.values, make([]contextValue, room)...)
	copy(c.values[first:], r.of(c.values))
	r.first, r.room = int32(first), int32(room)
}

// value is where a counter's value in a node stands, until more are put in. It is put in if the node has none; mostly
// it is the one with an index.
func (c *contextCounts) value(node, counter int32, likely int) *contextValue {
	values := c.valuesOf(node)
	if likely < len(values) && values[likely].counter == counter {
		return &values[likely]
	}
	at, known := slices.BinarySearchFunc(values, counter,
		func(a contextValue, counter int32) int { return cmp.Compare(a.counter, counter) })
	if known {
		return &values[at]
	}
	r := &c.counts[node].values
	if r.n == r.room {
		c.reserve(node, 2*len(values)+1)
	}
	r.n++
	values = r.of(c.values)
	copy(values[at+1:], values[at:])
	values[at] = contextValue{counter: counter}
	return &values[at]
}

// contextTerm is what live frames of a context counted ahead.
type contextTerm struct {
	node, site  int32
	coefficient int64
}

// grow makes room for the methods and contexts that have been defined.
func (c *contextCounts) grow() {
	for len(c.methods) < len(c.Methods) {
		c.methods = append(c.methods, methodCounters{})
	}
	if n := len(c.Nodes) - len(c.counts); n > 0 {
		c.counts = append(c.counts, make([]contextCount, n)...)
	}
}

// define says what a method counts, or counts besides.
func (c *contextCounts) define(number trace.MethodID, counters []contextCounter, constructors []constructorCall) {
	c.grow()
	i, known := c.Method(number)
	if !known {
		return
	}
	if m := &c.methods[i]; m.defined {
		m.extend(counters)
		return
	}
	slices.SortFunc(counters, func(a, b contextCounter) int { return cmp.Compare(a.counter, b.counter) })
	c.methods[i] = methodCounters{defined: true, own: len(counters), counters: counters, constructors: constructors}
}

func (m *methodCounters) extend(counters []contextCounter) {
	if m.others == nil {
		m.others = map[trace.CounterID]int32{}
	}
	for _, counter := range counters {
		m.others[counter.counter] = int32(len(m.counters))
		m.counters = append(m.counters, counter)
	}
}

// find gives the index of a counter.
func (m *methodCounters) find(counter trace.CounterID) (index int32, known bool) {
	if index, known = m.others[counter]; known {
		return index, true
	}
	own := m.counters[:m.own]
	if len(own) == 0 {
		return 0, false
	}
	if at := counter - own[0].counter; int(at) < len(own) && own[at].counter == counter { // most have no gaps
		return int32(at), true
	}
	i, known := slices.BinarySearchFunc(own, counter,
		func(a contextCounter, number trace.CounterID) int { return cmp.Compare(a.counter, number) })
	return int32(i), known
}

// minTerms is how many terms are kept without looking for those that can be added up.
const minTerms = 1 << 12

// sumTerms adds up terms of one context and site, when there are twice as many as it left last time.
func (c *contextCounts) sumTerms() {
	if len(c.terms) < max(minTerms, 2*c.summed) {
		return
	}
	slices.SortFunc(c.terms, func(a, b contextTerm) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.site, b.site))
	})
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

// contextBase is what was counted before a span; nothing where all counts.
type contextBase struct {
	counts []contextCount // of nodes that there were
	values []contextValue
}

// of are the values of a node.
func (b *contextBase) of(node int32) []contextValue {
	if int(node) < len(b.counts) {
		return b.counts[node].values.of(b.values)
	}
	return nil
}

// callsOf is how often a node was entered.
func (c *contextCounts) callsOf(node int32) int64 {
	if int(node) < len(c.base.counts) {
		return c.counts[node].calls - c.base.counts[node].calls
	}
	return c.counts[node].calls
}

// constructorCall is a trace.ConstructorCall of a method that stands in contexts.
type constructorCall struct {
	bci               int32
	class, descriptor string
	chains, counted   bool
	counter           trace.CounterID // absolute
	behind            uint32          // bytes from the new that it always comes behind, 0 without
}

// counted returns what a counter of a node's method says.
func (c *contextCounts) counted(node int32, m *methodCounters, counter trace.CounterID) int64 {
	at, known := slices.BinarySearchFunc(m.counters, counter, func(a contextCounter, number trace.CounterID) int {
		return cmp.Compare(a.counter, number)
	})
	if !known {
		return 0
	}
	values := c.valuesOf(node)
	i, counted := slices.BinarySearchFunc(values, int32(at), func(a contextValue, counter int32) int {
		return cmp.Compare(a.counter, counter)
	})
	if !counted {
		return 0
	}
	return values[i].value
}

// contextCell is what a thread allocated in a context, as a merged recording has it.
type contextCell struct {
	thread trace.ThreadID
	node   int32
	cell   cell
}
