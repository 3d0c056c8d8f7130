package contexts

import (
	"fmt"

	"mallard/internal/calltree"
	"mallard/internal/counters"
	"mallard/internal/trace"
)

// record records the contexts of a thread and what was counted in them, where that has changed, or in all. The tree is
// nil where there is none.
func (c *Contexts) record(b counters.Block, t *counters.Thread, ended, all bool) *calltree.Thread {
	tree := c.readable(b)
	if tree == nil {
		return nil
	}
	w := recorder{Contexts: c, turns: turns{now: c.turns[b]}, thread: t.ID(), ended: ended, all: all}
	w.begin(tree)
	for more := true; more; {
		more = w.fill()
		c.poll() // calls may have got counters since for what they make, before anything was counted there
		w.flush()
	}
	w.transitions()
	if ended {
		w.clear(tree)
	}
	c.recorded[b] = w.seen
	if err := w.scan.Err(); err != nil {
		c.out.Loss("contexts", fmt.Sprintf("the contexts of thread %s could not be read: %v", t.Name(), err))
	}
	return tree
}

// transitions records what has been counted on the other side of calls that enter transactions, or leave them, since it
// was recorded last.
func (w *recorder) transitions() {
	terms := w.corrections()
	w.flush()
	if len(terms) > 0 {
		w.out.Put(&trace.ContextLiveFrames{Thread: w.thread, Terms: terms})
	}
}

func (w *recorder) corrections() (terms []trace.ContextTerm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.passed {
		x := &w.passed[i]
		known := w.transition(x)
		times := int64(x.Entered - known.times)
		known.times = x.Entered
		for _, m := range known.corrections {
			if times != 0 {
				terms = append(terms,
					trace.ContextTerm{Context: w.recorded(m.from), Site: m.site, Coefficient: times * m.n},
					trace.ContextTerm{Context: w.recorded(m.to), Site: m.site, Coefficient: -times * m.n})
			}
		}
		if w.ended {
			delete(w.transitionsAt, x.Node)
		}
	}
	return terms
}
