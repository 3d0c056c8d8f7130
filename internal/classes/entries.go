package classes

import (
	"sync"

	"mallard/internal/calltree"
	"mallard/internal/classcache"
	"mallard/internal/instrument"
)

// cachedEntry is an entry of the class cache, as classes are recorded that come out of it.
type cachedEntry struct {
	classcache.Entry
	result  *instrument.Result // [classcache.Entry.Summary]
	methods []calltree.Method  // with contexts
}

// cachedEntries are those of which classes have come again: for one more, nothing is read and decoded. Any goroutine
// may use them.
type cachedEntries struct {
	mu sync.Mutex // held for moments
	of map[uint64]*cachedEntry
}

// mostEntries bounds them: with more, all are forgotten.
const mostEntries = 1 << 8

func (c *cachedEntries) find(offset uint64) (e *cachedEntry, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok = c.of[offset]
	return e, ok
}

func (c *cachedEntries) keep(offset uint64, e *cachedEntry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil || len(c.of) == mostEntries {
		c.of = map[uint64]*cachedEntry{}
	}
	c.of[offset] = e
}
