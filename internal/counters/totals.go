package counters

import (
	"sync"

	"mallard/internal/trace"
)

// Total is what all threads together have counted with a counter.
type Total struct {
	Passed    int64 // how often it was incremented
	Packed    bool  // its values are several numbers in one ([trace.Unpack])
	Adaptable bool  // it is on a path of a method that may be placed again
}

// Totals has the totals of all counters, as far as snapshots have seen them.
type Totals struct {
	mu     sync.Mutex
	passed []int64 // by counter, as what follows
	kinds  []counterKind
}

// counterKind is what does not change of a [Total].
type counterKind uint8

const (
	packed counterKind = 1 << iota
	adaptable
)

// Define begins the totals of a class's counters.
func (t *Totals) Define(numbers Range, totals []Total) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := int(numbers.End) - len(t.passed); n > 0 {
		t.passed = append(t.passed, make([]int64, n)...)
		t.kinds = append(t.kinds, make([]counterKind, n)...)
	}
	for i, total := range totals {
		counter := int(numbers.First) + i
		var kind counterKind
		if total.Packed {
			kind |= packed
		}
		if total.Adaptable {
			kind |= adaptable
		}
		t.passed[counter], t.kinds[counter] = total.Passed, kind
	}
}

// Of gives the totals of a class's counters.
func (t *Totals) Of(numbers Range) []Total {
	t.mu.Lock()
	defer t.mu.Unlock()
	totals := make([]Total, 0, numbers.End-numbers.First)
	for c := numbers.First; c < numbers.End; c++ {
		totals = append(totals, Total{t.passed[c], t.kinds[c]&packed != 0, t.kinds[c]&adaptable != 0})
	}
	return totals
}

// Adaptable sums up the increments of those of a class's counters that may be placed again.
func (t *Totals) Adaptable(numbers Range) (sum int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := numbers.First; c < numbers.End; c++ {
		if t.kinds[c]&adaptable != 0 {
			sum += t.passed[c]
		}
	}
	return sum
}

// clear forgets the totals of numbers that are given back.
func (t *Totals) clear(numbers Range) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if end := min(int(numbers.End), len(t.passed)); int(numbers.First) < end {
		clear(t.passed[numbers.First:end])
		clear(t.kinds[numbers.First:end])
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
		if int(c.counter) >= len(t.passed) {
			continue // of no class that was defined
		}
		before, now := c.before, c.now
		if t.kinds[c.counter]&packed != 0 {
			before, _, _ = trace.Unpack(before)
			now, _, _ = trace.Unpack(now)
		}
		t.passed[c.counter] += now - before
	}
}
