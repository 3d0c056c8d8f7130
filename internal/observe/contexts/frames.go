package contexts

import (
	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// Method says what a method is that the agent names at the end.
func (c *Contexts) Method(class classes.Key, name string, native bool, lines []transport.Line) observe.FrameMethod {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := agentMethod{key: methodKey{class, name}, native: native, skipped: isSkipped(class.Name), lines: lines}
	var id calltree.MethodID
	if known := c.methods[m.key.class][m.key.method]; known != nil {
		id = *known
	}
	if c.options.Representation != instrument.Tree && !m.skipped { // whose contexts may not have come up yet
		id = c.number(&m)
	}
	return observe.FrameMethod{ID: id, Native: native, Skipped: m.skipped, Counts: c.method(id).counts}
}

// Frames finds the contexts of a stopped thread's frames, innermost first; 0 for those that have none, nil if none has.
// It is for the goroutine that takes snapshots.
func (c *Contexts) Frames(b counters.Block, flags uint32, frames []observe.Frame) []trace.ContextID {
	if b == abi.OverflowBlock {
		return nil
	}
	c.poll() // as before contexts are recorded
	c.mu.Lock()
	defer c.mu.Unlock()
	tree, err := c.tree(b)
	if err != nil {
		return nil
	}
	var stack []calltree.Frame
	var at []int
	for i, f := range frames {
		switch {
		case f.Method.Skipped && len(stack) > 0:
			stack[len(stack)-1].Gap = true
		case !f.Method.Skipped:
			stack = append(stack, calltree.Frame{Method: f.Method.ID, PC: f.PC, Native: f.Method.Native})
			at = append(at, i)
		}
	}
	turn := c.turns[b]
	if flags&abi.ThreadEnded != 0 {
		turn-- // the one before
	}
	ids := make([]trace.ContextID, len(frames))
	nodes := c.arena.Find(tree, stack)
	if c.options.Representation != instrument.Tree { // where invocations that have not counted yet have no node
		if made, ok := c.arena.FindOrMake(tree, stack); ok {
			nodes = made
		}
	}
	c.enter(tree, nodes, b, flags)
	if c.putTree(b, tree, 0) != nil {
		return nil
	}
	w := recorder{Contexts: c, turns: turns{now: turn, tree: tree}}
	for i, n := range nodes {
		if n != 0 {
			ids[at[i]] = w.recorded(n)
		}
	}
	w.flush()
	return ids
}
