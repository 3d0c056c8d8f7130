package emit

// A Method makes the code of one method. What depends on where it counts is its Backend's.
type Method struct {
	*Class
	Backend
}

// Method begins a method that counts for its thread.
func (c *Class) Method() *Method { return &Method{c, c.backend(false, context{})} }

// MethodInContext begins a method with a context, which gets a number, given the slot of the local variable to use, and
// how many calls it announces.
func (c *Class) MethodInContext(local uint16, calls int) (m *Method, number, first uint32, err error) {
	number, first = uint32(len(c.contexts)), c.next
	method, err := c.pool.AppendInteger(int32(number))
	if err != nil {
		return nil, 0, 0, err
	}
	x := context{Class: c, local: local, calls: calls, first: first, method: method, firstCall: c.nextCall}
	c.contexts = append(c.contexts, method)
	c.nextCall += uint32(calls)
	return &Method{c, c.backend(true, x)}, number, first, nil
}

// ClassTraits are those of the class's methods with contexts; without contexts, those of all.
func (c *Class) ClassTraits() *Traits {
	return c.backend(c.options.Contexts != NoContexts, context{}).Traits()
}

// backend chooses: the only place that knows all backends.
func (c *Class) backend(inContext bool, x context) Backend {
	agentlessly := c.options.Portable != ""
	switch {
	case !inContext && agentlessly:
		return &threads{c, agentlessThreadTraits}
	case !inContext:
		return &threads{c, threadTraits}
	case agentlessly:
		return &agentless{x}
	}
	switch c.options.Contexts {
	case Tree:
		return &tree{withAgent{x, &treeTransactions}}
	case Hashed:
		return &hashed{withAgent{x, &hashTransactions}}
	default:
		return &encoded{withAgent{x, &codeTransactions}}
	}
}
