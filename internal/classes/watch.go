package classes

import (
	"maps"
	"slices"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Watch adds orders for classes whose code is to tell what it reads from now on, or not any more, given how much it is
// worth for classes by their names, and how long none does between two moments; that and now are the program's
// processor time.
func (t *Table) Watch(orders []Order, worth map[string]float64, pause, now time.Duration) []Order {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := &t.watch
	if w.now = now; w.began {
		w.began, w.next = false, now+watchFor
	}
	switch {
	case w.classes == nil:
		w.classes, w.next = map[string]*watchedClass{}, min(max(pause, soonestWatch), latestWatch)
	case now < w.next:
	case w.on:
		w.end(pause)
	case len(worth) > 0:
		w.choose(worth, slices.Sorted(maps.Keys(w.program)))
		w.on, w.next, w.took = true, now+watchFor, 0
	}
	return t.watchOrders(orders)
}

// WatchesNow reports whether classes tell what they read.
func (t *Table) WatchesNow() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.watch.on
}

// Prepared notes a class that code may tell of what it reads.
func (t *Table) Prepared(loader trace.LoaderID, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := &t.watch
	if loader == bootLoader || t.jdkLoaders[loader] || len(w.program) >= mostOfProgram {
		return
	}
	if w.program == nil {
		w.program = map[string]bool{}
	}
	w.program[name] = true
}

// watchOrders adds those that are left to be given.
func (t *Table) watchOrders(orders []Order) []Order {
	for name, c := range t.watch.classes {
		if c.wanted != c.tells && !c.asked && len(orders) < 2*maxBatch {
			c.asked = true
			orders = append(orders, Order{Key: Key{Loader: trace.LoaderID(abi.AnyLoader), Name: name}, watch: c})
		}
	}
	return orders
}
