package classes

import (
	"mallard/internal/counters"
	"mallard/internal/trace"
)

// reservedNumbers is how many counter numbers the agent may give to classes out of the cache before it has to ask. A
// part of what there is before the first thread is started, when the runtime class has room for 32,768: what the agent
// does not use then, some 5,000, makes the numbers of other early classes higher.
const reservedNumbers = 1 << 13

// ReserveSoon reserves numbers before there are none, or classes out of the cache come to be instrumented.
func (t *Table) ReserveSoon() { t.reserveBelow(reservedNumbers / 2) }

// reserveBelow reserves numbers where the agent has fewer left.
func (t *Table) reserveBelow(least uint32) {
	if !t.cache.Shared() || t.ring.Reserved() >= least {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reserve()
}

// reserve lets the agent have numbers for the counters of classes out of the cache, those that it has left and those
// that come after them.
func (t *Table) reserve() {
	left, end := t.ring.Reserve(0, 0)
	if trace.CounterID(end) <= t.space.End() {
		t.space.Give([]counters.Range{{First: trace.CounterID(left), End: trace.CounterID(end)}})
	}
	if r, ok := t.space.Take(reservedNumbers); ok {
		t.ring.Reserve(uint32(r.First), uint32(r.End))
	}
}
