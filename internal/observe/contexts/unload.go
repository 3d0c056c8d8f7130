package contexts

import (
	"fmt"

	"mallard/internal/calltree"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/trace"
)

// mostWaiting is how many classes are unloaded before contexts are recorded for their sake.
const mostWaiting = 256

// LoadersGone forgets the methods that the agent has named of the classes of loaders that are gone.
func (c *Contexts) LoadersGone(loaders []trace.LoaderID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.agents.forget(loaders)
}

// Gone takes classes that were unloaded, and whose counts outside contexts are recorded.
func (c *Contexts) Gone(keys []classes.Key, versions []*classes.Version, last trace.ClassID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unloaded.last = last
	for _, key := range keys {
		delete(c.methods, key)
	}
	for _, v := range versions {
		numbers := v.MethodNumbers()
		if numbers.Each != nil {
			for _, id := range numbers.Each {
				c.unloaded.waiting = append(c.unloaded.waiting, methodRange{id, 1})
			}
			continue
		}
		r := methodRange{first: numbers.First}
		for id := int(r.first); r.first != 0 && id < len(c.known) && c.known[id].version == v; id++ {
			r.n++
		}
		if r.n > 0 {
			c.unloaded.waiting = append(c.unloaded.waiting, r)
		}
	}
}

// manyUnloaded reports whether contexts are to be recorded for the sake of unloaded classes.
func (c *Contexts) manyUnloaded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.unloaded.waiting) >= max(mostWaiting, c.arena.Methods()/16)
}

// takeUnloaded gives the classes whose contexts can be recorded for the last time.
func (c *Contexts) takeUnloaded() []methodRange {
	c.mu.Lock()
	defer c.mu.Unlock()
	gone := c.unloaded.waiting
	c.unloaded.waiting = nil
	for _, r := range gone {
		for id := r.first; id < r.end(); id++ {
			c.known[id].ending = true
		}
	}
	return gone
}

// freeUnloaded lets the numbers of unloaded classes be used again, of which all contexts are recorded. It is for the
// goroutine that takes snapshots.
func (c *Contexts) freeUnloaded(gone []methodRange) {
	if len(gone) == 0 {
		return
	}
	for _, b := range c.memory.Used() {
		if tree := c.readable(b); tree != nil {
			w := recorder{Contexts: c}
			c.noteDead(b, w.clearUnloaded(tree))
		}
	}
	if err := c.clearOverflow(gone); err != nil {
		c.out.Loss("contexts", fmt.Sprintf("the memory of unloaded classes cannot be used again: %v", err))
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := range c.phis {
		if c.method(at.method).ending {
			delete(c.phis, at)
		}
	}
	for _, r := range gone {
		for id := r.first; id < r.end(); id++ {
			c.known[id] = method{unloaded: true}
		}
		shape, bit := c.arena.Unload(r.first, r.n)
		c.unloaded.put(r, shape, bit)
	}
	c.out.Put(&trace.Retired{Class: c.unloaded.last}) // again: no context that is named from here on is read before
	c.arena.PutShapes(c.unloaded.shapes())
}

// clearOverflow makes zero what unloaded methods counted in threads' blocks.
func (c *Contexts) clearOverflow(gone []methodRange) error {
	return c.threads.Clear(c.overflowOf(gone))
}

// overflowOf gives the words in which unloaded methods may have counted there.
func (c *Contexts) overflowOf(gone []methodRange) (words []counters.Range) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range gone {
		for id := r.first; c.full && id < r.end(); id++ {
			first, end := c.arena.OverflowWords(id)
			words = append(words, counters.Range{First: trace.CounterID(first), End: trace.CounterID(end)})
		}
	}
	return counters.Joined(words)
}

// clearUnloaded empties the nodes of ending methods in a tree, and those below.
func (w *recorder) clearUnloaded(tree *calltree.Thread) (taken taken) {
	d := fates{Contexts: w.Contexts, anyOrder: w.arena.Reclaimed(tree), nodes: map[calltree.Node]fate{}}
	w.begin(tree)
	for more := true; more; {
		more = w.clearSome(func(x *calltree.Context) bool {
			bytes := w.arena.Bytes(x)
			taken.all += bytes
			fate := d.of(x)
			if fate == alive {
				return false
			}
			taken.dead += bytes
			if fate == ended {
				delete(w.transitionsAt, x.Node)
			}
			return fate == ended
		})
	}
	return taken
}
