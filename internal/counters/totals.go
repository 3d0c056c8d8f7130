package counters

import (
	"sync"

	"mallard/internal/trace"
)

// Total is what all threads together have counted with a counter.
type Total struct {
	Passed    int64 // how often it was incremented
	Adaptable bool  // it is on a path of a method that may be placed again
}

// Totals has the totals of all counters that a class has, as far as snapshots have seen them.
type Totals struct {
	mu    sync.Mutex
	pages []*totalsPage // of numbers one behind the other; nil: no class has any of them
}

// pageNumbers is how many counters a page has. Numbers that were given back may be given again late or never: then
// their memory is given back by the page.
const pageNumbers = 512

type totalsPage struct {
	passed [pageNumbers]int64
	kinds  [pageNumbers]counterKind
	used   int // counters that a class has
}

// counterKind is what does not change of a [Total].
type counterKind uint8

const (
	used counterKind = 1 << iota // a class has the counter
	adaptable
)

// Define begins the totals of a class's counters.
func (t *Totals) Define(numbers Range, totals []Total) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, total := range totals {
		counter := numbers.First + trace.CounterID(i)
		kind := used
		if total.Adaptable {
			kind |= adaptable
		}
		t.set(counter, total.Passed, kind)
	}
}

// set begins a counter's total, or ends it where it is of no kind.
func (t *Totals) set(counter trace.CounterID, passed int64, kind counterKind) {
	page, at := int(counter)/pageNumbers, counter%pageNumbers
	if page >= len(t.pages) {
		t.pages = append(t.pages, make([]*totalsPage, page+1-len(t.pages))...)
	}
	if t.pages[page] == nil {
		t.pages[page] = &totalsPage{}
	}
	p := t.pages[page]
	p.used += int(kind&used) - int(p.kinds[at]&used)
	p.passed[at], p.kinds[at] = passed, kind
	if p.used == 0 {
		t.pages[page] = nil
	}
}

// of gives where a counter's total is, and its kind; nil where no class has it.
func (t *Totals) of(counter trace.CounterID) (passed *int64, kind counterKind) {
	page, at := int(counter)/pageNumbers, counter%pageNumbers
	if page >= len(t.pages) || t.pages[page] == nil || t.pages[page].kinds[at]&used == 0 {
		return nil, 0
	}
	return &t.pages[page].passed[at], t.pages[page].kinds[at]
}

// Of gives the totals of a class's counters.
func (t *Totals) Of(numbers Range) []Total {
	t.mu.Lock()
	defer t.mu.Unlock()
	totals := make([]Total, numbers.Len())
	for i := range totals {
		if passed, kind := t.of(numbers.First + trace.CounterID(i)); passed != nil {
			totals[i] = Total{*passed, kind&adaptable != 0}
		}
	}
	return totals
}

// Adaptable sums up the increments of those of a class's counters that may be placed again.
func (t *Totals) Adaptable(numbers Range) (sum int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := numbers.First; c < numbers.End; c++ {
		if passed, kind := t.of(c); kind&adaptable != 0 {
			sum += *passed
		}
	}
	return sum
}

// clear forgets the totals of numbers that are given back.
func (t *Totals) clear(numbers Range) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := numbers.First; c < numbers.End; c++ {
		if passed, _ := t.of(c); passed != nil {
			t.set(c, 0, 0)
		}
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
		passed, _ := t.of(c.counter)
		if passed == nil {
			continue // of no class that was defined
		}
		*passed += c.now - c.before
	}
}
