package symbols

import "mallard/internal/trace"

// Contexts is the calls that a recording tells apart: nodes in a tree for each thread.
type Contexts struct {
	Tracked bool            // the recording has contexts
	Methods []ContextMethod // and versions of them, in the order in which they were defined
	Nodes   []Node          // a parent before its children

	numbers  map[trace.MethodID]int32
	numbered numberedNodes
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
	return Contexts{numbers: map[trace.MethodID]int32{}, numbered: newNumberedNodes()}
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
		if i, known := c.numbered.find(n.ID); known {
			if before := &c.Nodes[i]; before.Parent == node.Parent && before.Method == node.Method {
				continue
			}
			c.Nodes[i].ID = 0 // of an unloaded class, whose number another has now
		}
		c.numbered.set(n.ID, int32(len(c.Nodes)))
		c.Nodes = append(c.Nodes, node)
	}
}

// Node returns the index in Nodes of a context, Lost if it is unknown.
func (c *Contexts) Node(id trace.ContextID) int32 {
	if i, known := c.numbered.find(id); known {
		return i
	}
	return Lost
}

// MethodOf is the method of a node, nil if it is not known, or there is no such node.
func (c *Contexts) MethodOf(node int32) *ContextMethod {
	if node < 0 || c.Nodes[node].Method == Lost {
		return nil
	}
	return &c.Methods[c.Nodes[node].Method]
}

// ForgetNumbers frees the memory of what finds nodes by their numbers, when no record is to come.
func (c *Contexts) ForgetNumbers() { c.numbered = newNumberedNodes() }

// ForgetNodes frees the memory of the tree.
func (c *Contexts) ForgetNodes() { c.Nodes, c.numbered = nil, newNumberedNodes() }
