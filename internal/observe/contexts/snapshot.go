package contexts

import (
	"time"

	"mallard/internal/counters"
	"mallard/internal/trace"
)

// Snapshot records the contexts of all threads, and what was counted in them, if it is time to, the last time, or if
// the mark says that contexts are wanted. Then the mark says that it did.
func (c *Contexts) Snapshot(mark *trace.Mark, last bool) {
	if !last && !mark.Contexts && !c.schedule.due(time.Now()) && !c.manyUnloaded() {
		return
	}
	defer c.scan()()
	c.schedule.record(time.Now(), func() {
		dropped := c.out.Dropped()
		all := last || mark.Contexts || dropped != c.unchanged.dropped
		c.unchanged.dropped = dropped
		mark.Contexts, c.last = true, last
		gone := c.takeUnloaded()
		c.recordThreads(all)
		c.freeUnloaded(gone)
		c.recordSizes()
		c.out.Put(c.totals())
	})
}

// recordThreads records the contexts of threads that have blocks.
func (c *Contexts) recordThreads(all bool) {
	for _, b := range c.memory.Used() {
		c.record(b, c.threads.At(b), false, all)
	}
}

// recordNews records what is new since it was recorded last; false where that was the last time. It is for the
// goroutine that takes snapshots.
func (c *Contexts) recordNews() bool {
	if c.last || c.out.Finished() {
		return false
	}
	defer c.scan()()
	c.recordThreads(false)
	return true
}

// totals says what contexts take of the program.
func (c *Contexts) totals() *trace.ContextTotals {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.arena.Memory()
	return &trace.ContextTotals{
		Bytes: m.Taken, Pairs: c.pairs(), Epochs: uint64(m.Epochs), Calls: uint64(m.Calls), GraphBytes: m.Graph,
		Anchors: m.Anchors, AnchorBytes: m.AnchorBytes, Asked: c.asked,
	}
}

// pairs counts the pairs of contexts that are in one tree.
func (c *Contexts) pairs() (n uint64) {
	for _, recorded := range c.recorded {
		n += uint64(recorded) * uint64(recorded-1) / 2
	}
	return n
}

// Ended records the contexts of a thread that has ended, for the last time. Its tree, with counters that are zero, is
// the next thread's that gets the block. It is for the goroutine that takes snapshots.
func (c *Contexts) Ended(b counters.Block, t *counters.Thread) (restore func() error) {
	defer c.scan()()
	tree := c.record(b, t, true, true)
	if tree == nil {
		return nil
	}
	c.turns[b]++
	c.inside[b] = tree.Inside
	tree.Next, tree.Turn = 0, c.turns[b]
	return func() error { return c.putTree(b, tree, 0) }
}
