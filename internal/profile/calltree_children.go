package profile

// children finds the contexts that are called in one. Most have few: the first ones are in a list, the others of such
// that have more in a map.
type children struct {
	first, next []int32 // by context, and one: of the first context that is called in it, of its next sibling; 0: none
	others      map[contextKey]int32
}

// contextKey is what tells contexts apart.
type contextKey struct{ parent, method, bci, line int32 }

// listed is how many children of one context are looked at, one after the other.
const listed = 8

func newChildren(contexts int) children {
	c := children{first: make([]int32, 1, contexts+1), next: make([]int32, 1, contexts+1)}
	c.others = map[contextKey]int32{}
	return c
}

// find gives the context with a key, or where to put it.
func (c *children) find(key contextKey, contexts []Context) (context int32, known bool, last int32) {
	at, n := c.first[key.parent+1], 0
	for ; at != 0; at, n = c.next[at], n+1 {
		if is := &contexts[at-1]; is.Method == key.method && is.BCI == key.bci && is.Line == key.line {
			return at - 1, true, 0
		}
		last = at
	}
	if n < listed {
		return 0, false, last
	}
	context, known = c.others[key]
	return context, known, full
}

// full is where the children behind the list are.
const full = -1

// add puts the next context in, behind the last one of its siblings' list; 0: it is the first.
func (c *children) add(key contextKey, last int32) {
	at := int32(len(c.first))
	c.first, c.next = append(c.first, 0), append(c.next, 0)
	switch last {
	case full:
		c.others[key] = at - 1
	case 0:
		c.first[key.parent+1] = at
	default:
		c.next[last] = at
	}
}
