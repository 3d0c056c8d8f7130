package classes

import (
	"bytes"
	"slices"
	"time"

	"mallard/internal/classcache"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// lookUp answers for a class that is being defined out of the cache, where the agent does not do that by itself; it is
// false where the class is not there, or some method is no leaf (any more, or yet) that was taken to be one.
func (t *Table) lookUp(key Key, class []byte) (Answer, bool) {
	started := time.Now()
	e, offset, found := t.cache.find(class)
	if !found {
		return Answer{}, false
	}
	r, err := e.Result()
	if err != nil {
		return Answer{}, false
	}
	leaf := t.leaves.by(key.Loader)
	if slices.ContainsFunc(r.Assumed, func(m instrument.Callee) bool { return !leaf(m.Class, m.Method) }) {
		return Answer{}, false
	}
	v := &Version{}
	if r.Bytes != nil {
		r.Bytes = bytes.Clone(r.Bytes)
		if t.number(v, r) != nil {
			return Answer{}, false
		}
	}
	t.leaves.learn(key.Loader, r)
	t.cache.use(offset)
	t.defineCached(key.Loader, e, r, v, uint32(time.Since(started).Microseconds()))
	return Answer{Bytes: r.Bytes, After: func() {}}, true
}

// Cached records a class that the agent took out of the cache by itself, from an offset, with its first counter's
// number.
func (t *Table) Cached(loader trace.LoaderID, offset uint64, first trace.CounterID) error {
	e, err := t.cache.entry(offset)
	if err != nil {
		return err
	}
	r, err := e.Summary()
	if err != nil {
		return err
	}
	v := &Version{counters: counters.Range{First: first, End: first + trace.CounterID(r.Counters)}}
	t.defineCached(loader, e, r, v, 0)
	return nil
}

// defineCached records a class out of the cache. The version is not used where nothing was changed.
func (t *Table) defineCached(loader trace.LoaderID, e classcache.Entry, r *instrument.Result, v *Version,
	micros uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen.Classes++
	t.seen.Cached++
	t.classify(r)
	t.keepClass(r, e.Class)
	t.nameSkipped(loader, r)
	if r.Bytes == nil {
		return
	}
	v.meaning = e.Metadata // which is there as long as the cache is open
	c := t.add(loader, v, r, uint32(len(e.Class)), micros)
	c.original = nil
	if t.movable(r) {
		c.original = &original{read: func() ([]byte, error) { return e.Class, nil }}
	}
}
