package counters

import (
	"slices"
	"sync"

	"mallard/internal/trace"
)

// Total is what all threads together have counted with a counter.
type Total struct {
	Passed  int64 // how often it was incremented
	Packed  bool  // its values are several numbers in one ([trace.Unpack])
	Movable bool  // it is on a path of a method that may be placed again
}

// Totals has the totals of all counters, as far as snapshots have seen them.
type Totals struct {
	mu   sync.Mutex
	list []Total // by counter
}

// Define begins the totals of a class's counters.
func (t *Totals) Define(numbers Range, totals []Total) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := int(numbers.End) - len(t.list); n > 0 {
		t.list = append(t.list, make([]Total, n)...)
	}
	copy(t.list[numbers.First:numbers.End], totals)
}

// Of gives the totals of a class's counters, a copy.
func (t *Totals) Of(numbers Range) []Total {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.list[numbers.First:numbers.End])
}

// Movable sums up the increments of those of a class's counters that may be placed again.
func (t *Totals) Movable(numbers Range) (sum int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, total := range t.list[numbers.First:numbers.End] {
		if total.Movable {
			sum += total.Passed
		}
	}
	return sum
}

// clear forgets the totals of numbers that are given back.
func (t *Totals) clear(numbers Range) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if end := min(int(numbers.End), len(t.list)); int(numbers.First) < end {
		clear(t.list[numbers.First:end])
	}
}

// change is one counter's of a thread, between two snapshots.
type change struct {
	counter     trace.CounterID
	before, now int64
}

// add takes note of what a thread has counted.
func (t *Totals) add(changes []change) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range changes {
		if int(c.counter) >= len(t.list) {
			continue // of no class that was defined
		}
		total := &t.list[c.counter]
		before, now := c.before, c.now
		if total.Packed {
			before, _, _ = trace.Unpack(before)
			now, _, _ = trace.Unpack(now)
		}
		total.Passed += now - before
	}
}
