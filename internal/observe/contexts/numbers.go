package contexts

import (
	"mallard/internal/calltree"
	"mallard/internal/instrument"
)

// Number gives methods numbers.
func (c *Contexts) Number(methods []calltree.Method) (calltree.MethodNumbers, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.grow()
	if n, ok, err := c.reuse(methods); ok || err != nil {
		return n, err
	}
	first, err := c.arena.Add(methods)
	return calltree.MethodNumbers{First: first}, err
}

// reuse gives methods numbers that others of their shape, or each of them of its own, had; false where there are none.
func (c *Contexts) reuse(methods []calltree.Method) (n calltree.MethodNumbers, ok bool, err error) {
	u := &c.unloaded
	if u.methods+u.singles == 0 {
		return n, false, nil
	}
	defer func() { c.arena.PutShapes(u.shapes()) }()
	shape, bit := c.arena.ShapeOf(methods)
	if first, ok := u.take(shape, bit); ok {
		return calltree.MethodNumbers{First: first}, true, c.arena.Reuse(first, methods)
	}
	if u.methods > mostKept {
		c.separate()
	}
	return c.reuseEach(methods)
}

// separate makes the numbers of unloaded methods free one by one.
func (c *Contexts) separate() {
	if c.options.Representation == instrument.Encoded {
		c.arena.ForgetCalls(func(m calltree.MethodID) bool { return c.method(m).unloaded })
		c.forgotten++
	}
	c.unloaded.separate(c.arena.MethodShape)
}

// reuseEach does so one by one, and gives the others new numbers; false where it has none for any.
func (c *Contexts) reuseEach(methods []calltree.Method) (n calltree.MethodNumbers, ok bool, err error) {
	each := make([]calltree.MethodID, len(methods))
	for i := range methods {
		if id, free := c.unloaded.takeOne(calltree.MethodShapeOf(&methods[i])); free {
			each[i], ok = id, true
		}
	}
	if !ok {
		return n, false, nil
	}
	for i := range methods {
		if each[i] == 0 {
			each[i], err = c.arena.Add(methods[i : i+1])
		} else {
			err = c.arena.Reuse(each[i], methods[i:i+1])
		}
		if err != nil {
			return n, false, err
		}
	}
	n = calltree.MethodNumbers{First: each[0], Each: each}
	if c.options.Representation != instrument.Encoded { // code has no numbers of calls
		return n, true, nil
	}
	for i, id := range each {
		for k := range methods[i].Calls {
			n.Calls = append(n.Calls, c.arena.FirstCall(id)+uint32(k))
		}
	}
	return n, true, nil
}
