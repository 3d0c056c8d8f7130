package contexts

import (
	"fmt"

	"mallard/internal/abi"
	"mallard/internal/budget"
	"mallard/internal/calltree"
	"mallard/internal/classfile"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// Names of transactions that the program cannot have given.
const (
	otherTransactions = "[other]"
	unnamed           = "(empty)"
)

// transaction gives a number to a name of transactions that the agent has not heard before, 0 where there is no room
// for more methods, and memory for their sizes, 0 where there is none.
func (c *Contexts) transaction(m *transport.Transaction) (calltree.MethodID, calltree.Node) {
	name := decoded(m.Name)
	switch {
	case m.Other != 0:
		name = otherTransactions
		c.out.Loss("transactions", fmt.Sprintf("more than %d different names: what was done in transactions with "+
			"other names is in %s", abi.MaxTransactions, name))
	case name == "":
		name = unnamed
	}
	if _, isTest := budget.OfTest(name); isTest {
		c.budgets.begun()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	number, err := c.arena.AddTransaction(instrument.BeginCall)
	if err != nil {
		c.out.Loss("transactions", fmt.Sprintf("transactions %q: %v", name, err))
		return 0, 0
	}
	c.grow()
	c.known[number] = method{calls: []methodCall{{bci: -1, line: -1}}}
	c.out.Put(&trace.Transaction{Number: trace.MethodID(number), Name: name})
	at := c.arena.AddSizes()
	if at != 0 {
		c.sizes = append(c.sizes, sizes{number: number, at: at})
	}
	return number, at
}

// decoded is a name as the program has it.
func decoded(name string) string {
	if decoded, err := classfile.DecodeModifiedUTF8(name); err == nil {
		return decoded
	}
	return name
}

// recordSizes records what transactions have allocated that have ended since it was recorded last.
func (c *Contexts) recordSizes() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.sizes {
		s := &c.sizes[i]
		ended, bytes, most, sizes := c.arena.Sizes(s.at)
		if ended == s.ended {
			continue
		}
		s.ended = ended
		r := &trace.TransactionSizes{Number: trace.MethodID(s.number), Ended: ended, Bytes: bytes, Most: most}
		for _, size := range sizes {
			r.Sizes = append(r.Sizes, trace.SizeCount{Step: uint32(size.Step), Count: size.Count})
		}
		c.out.Put(r)
	}
}

// around gives the node whose call led to a context, as a recording has it: of a transaction the caller's of the
// invocation that began it.
func (c *Contexts) around(x *calltree.Context) calltree.Context {
	if x.Parent == 0 || !c.arena.IsTransaction(x.Method) || c.arena.IsTransaction(c.arena.MethodOf(x.Parent)) {
		return *x
	}
	return c.arena.Context(x.Parent)
}
