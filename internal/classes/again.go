package classes

import (
	"sync"

	"mallard/internal/instrument"
)

// madeOfEntry is what a call makes, in any class out of the cache that an entry is of. Its counter is relative.
type madeOfEntry struct {
	entry uint64 // 0: of a class that is not out of it, of which nothing is remembered
	made
}

// madeOfEntries is how that is counted ([instrument.Result.MakesOf]): decoding what is known of a class costs more than
// all else that is done for a class that has come before. Any goroutine may use it.
type madeOfEntries struct {
	mu sync.Mutex // held for moments
	of map[madeOfEntry]*instrument.Result
}

// mostMadeOfEntries bounds what is remembered: with more, all is forgotten.
const mostMadeOfEntries = 1 << 12

func (m *madeOfEntries) find(key madeOfEntry) (r *instrument.Result, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok = m.of[key]
	return r, ok
}

func (m *madeOfEntries) keep(key madeOfEntry, r *instrument.Result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if key.entry == 0 {
		return
	}
	if m.of == nil || len(m.of) == mostMadeOfEntries {
		m.of = map[madeOfEntry]*instrument.Result{}
	}
	m.of[key] = r
}
