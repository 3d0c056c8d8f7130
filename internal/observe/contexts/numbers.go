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
	if c.options.Representation == instrument.Encoded { // what calls lead to has constants
		return n, false, nil
	}
	if u.methods > mostKept {
		u.separate(c.arena.MethodShape)
	}
	return c.reuseEach(methods)
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
	return calltree.MethodNumbers{First: each[0], Each: each}, true, nil
}
