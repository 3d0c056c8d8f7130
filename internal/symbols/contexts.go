package symbols

import "mallard/internal/trace"

// Contexts is the calls that a recording tells apart: nodes in a tree for each thread.
type Contexts struct {
	Tracked bool            // the recording has contexts
	Methods []ContextMethod // and versions of them, in the order in which they were defined
	Nodes   []Node          // a parent before its children

	numbers map[trace.MethodID]int32
	indexes map[trace.ContextID]int32
	last    int // looked up last, index in Nodes
}

// ContextMethod is a method, or a version of one, that stands in contexts.
type ContextMethod struct {
	Key    MethodKey
	Source string
	Hidden bool // the JVM does not print its frames
	Native bool
	Named  bool // that is all that is known of it
}

// Node is a trace.ContextNode.
type Node struct {
	ID             trace.ContextID // 0 for one whose number is another's now
	Parent, Method int32           // indexes; Outermost for a thread's first frame, Lost for what has no definition
	BCI, Line      int32           // of the call in the parent's method
}

// Indexes that are none.
const (
	Outermost = -1
	Lost      = -2
)

func newContexts() Contexts {
	return Contexts{numbers: map[trace.MethodID]int32{}, indexes: map[trace.ContextID]int32{}}
}

// define makes a method known that stands in contexts.
func (c *Contexts) define(number trace.MethodID, m ContextMethod) {
	c.Tracked = true
	c.numbers[number] = int32(len(c.Methods))
	c.Methods = append(c.Methods, m)
}

// isDefined reports whether a number stands for a method already, which counts more than was said.
func (c *Contexts) isDefined(number trace.MethodID, key MethodKey) bool {
	i, known := c.numbers[number]
	return known && c.Methods[i].Key == key
}

// Method gives the index in Methods of what a number stands for now.
func (c *Contexts) Method(number trace.MethodID) (index int32, known bool) {
	index, known = c.numbers[number]
	return index, known
}

// grow adds nodes to the tree.
func (c *Contexts) grow(nodes []trace.ContextNode) {
	c.Tracked = true
	for _, n := range nodes {
		if n.ID == 0 {
			continue
		}
		node := Node{ID: n.ID, Parent: Outermost, Method: Lost, BCI: n.BCI, Line: n.Line}
		if n.Parent != 0 {
			node.Parent = c.Node(n.Parent)
		}
		if method, known := c.numbers[n.Method]; known {
			node.Method = method
		}
		if i, known := c.indexes[n.ID]; known {
			if before := &c.Nodes[i]; before.Parent == node.Parent && before.Method == node.Method {
				continue
			}
			c.Nodes[i].ID = 0 // of an unloaded class, whose number another has now
		}
		c.indexes[n.ID] = int32(len(c.Nodes))
		c.Nodes = append(c.Nodes, node)
	}
}

// Node returns the index in Nodes of a context, Lost if it is unknown. Records name contexts
// in order, so that it is mostly the one of the last time, or soon after.
func (c *Contexts) Node(id trace.ContextID) int32 {
	for i := c.last; i < min(c.last+nearby, len(c.Nodes)); i++ {
		if c.Nodes[i].ID == id {
			c.last = i
			return int32(i)
		}
	}
	i, known := c.indexes[id]
	if !known {
		return Lost
	}
	c.last = int(i)
	return i
}

// nearby is how many nodes are looked at before the map is asked.
const nearby = 8

// MethodOf is the method of a node, nil if it is not known, or there is no such node.
func (c *Contexts) MethodOf(node int32) *ContextMethod {
	if node < 0 || c.Nodes[node].Method == Lost {
		return nil
	}
	return &c.Methods[c.Nodes[node].Method]
}

// ForgetNumbers frees the memory of what finds nodes by their numbers, when no record is to come.
func (c *Contexts) ForgetNumbers() { c.indexes = nil }

// ForgetNodes frees the memory of the tree.
func (c *Contexts) ForgetNodes() { c.Nodes, c.indexes = nil, nil }
