package classes

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"mallard/internal/calltree"
	"mallard/internal/classcache"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// loadCached gives the new bytes of a class that is being defined out of the cache, where the agent does not do that by
// itself; it is false where the class is not there, or some method is no leaf (any more, or yet) that was taken to be
// one.
func (t *Table) loadCached(key Key, class []byte) ([]byte, bool) {
	started := time.Now()
	e, offset, found := t.cache.find(key.Loader, class)
	if !found || slices.ContainsFunc(e.Contexts.Assumed, func(m uint64) bool { return !t.leaves.has(key.Loader, m) }) {
		return nil, false
	}
	r, err := e.Result()
	if err != nil {
		return nil, false
	}
	v := &Version{}
	if r.Bytes != nil {
		if t.number(v, r, t.contextsOf(r)) != nil {
			return nil, false
		}
	}
	t.cache.use(offset)
	t.defineCached(key.Loader, offset, e, r, v, uint32(time.Since(started).Microseconds()))
	return r.Bytes, true
}

// entries are memory for entries of the cache, of which one is looked at after the other.
var entries = sync.Pool{New: func() any { return new([]byte) }}

// errUnreadable says that the file of the cache was changed since the agent read it.
var errUnreadable = errors.New("an entry cannot be read")

// entry gives one that the agent found in the cache. The first time it is in memory that the caller has for one after
// another.
func (t *Table) entry(offset uint64, memory *[]byte) (*cachedEntry, error) {
	if known, ok := t.entries.find(offset); ok {
		return known, nil
	}
	again := t.cache.use(offset)
	if again {
		memory = new([]byte)
	}
	from, err := t.cache.entry(offset, memory)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	e := &cachedEntry{Entry: from}
	if e.result, err = e.Summary(); err != nil {
		return nil, err
	}
	e.methods = t.contextsOf(e.result)
	if again {
		t.entries.keep(offset, e)
	}
	return e, nil
}

// Cached records a class that the agent took out of the cache by itself.
func (t *Table) Cached(m *transport.ClassCached) error {
	loader, first := trace.LoaderID(m.Loader), trace.CounterID(m.First)
	memory := entries.Get().(*[]byte)
	defer entries.Put(memory)
	e, err := t.entry(m.Entry, memory)
	if errors.Is(err, errUnreadable) {
		t.out.Loss("class-cache", fmt.Sprintf("classes came out of a class cache that cannot be read any more, and "+
			"are not counted: %v", err))
		return nil
	}
	if err != nil {
		return err
	}
	v := &Version{counters: counters.Range{First: first, End: first + trace.CounterID(e.result.Counters)}}
	if len(e.methods) > 0 {
		v.contexts.First = calltree.MethodID(m.Method)
		if err := t.options.Contexts.Describe(v.contexts.First, e.methods); err != nil {
			return err
		}
	}
	t.defineCached(loader, m.Entry, e.Entry, e.result, v, 0)
	return nil
}

// defineCached records a class out of the cache. The version is not used where nothing was changed.
func (t *Table) defineCached(loader trace.LoaderID, offset uint64, e classcache.Entry, r *instrument.Result,
	v *Version, micros uint32) {
	if t.options.Contexts != nil {
		t.leaves.learn(loader, e.Contexts.Leaves)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen.Classes++
	t.seen.Cached++
	t.classify(r)
	t.unshown.load(loader, r)
	t.keepClass(r, e.Class)
	t.nameSkipped(loader, r)
	if r.Bytes == nil {
		return
	}
	v.entry = offset
	v.metadata = &stored{read: t.cache.reading(offset, func(e classcache.Entry) []byte { return e.Metadata })}
	c := t.add(loader, v, r, uint32(len(e.Class)), micros)
	c.original = nil
	if t.options.adaptable(r) {
		c.original = &stored{read: t.cache.reading(offset, func(e classcache.Entry) []byte { return e.Class })}
	}
}
