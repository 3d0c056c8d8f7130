package contexts

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestSchedule: contexts are recorded as often as is wanted, and less often where it takes more than a tenth of a
// processor. That it takes long because others have the processors, or other threads of the recorder do, does not
// count: on a machine with much else to do contexts are as new as on any.
func TestSchedule(t *testing.T) {
	var done atomic.Bool
	defer done.Store(true)
	go func() { // other work of the recorder's
		for !done.Load() {
		}
	}()
	const (
		every = recordEvery
		wait  = 3 * every / recordShare
	)
	compute := func(d time.Duration) {
		for started := ownProcessorTime(); ownProcessorTime()-started < d; {
		}
	}
	for _, test := range []struct {
		name     string
		record   func()
		from, to time.Duration // until it is time again
	}{
		{"little", func() {}, every - slack, every},
		{"waiting", func() { time.Sleep(wait) }, every - slack, every},
		{"much", func() { compute(wait) }, 3 * every, 1 << 62},
	} {
		p := schedule{every: every}
		now := time.Now()
		if !p.due(now) {
			t.Errorf("%s: not due at first", test.name)
		}
		p.record(now, test.record)
		if p.due(now.Add(test.from-time.Millisecond)) || !p.due(now.Add(test.to)) {
			t.Errorf("%s: due after %v, want %v to %v", test.name, p.next.Sub(now), test.from, test.to)
		}
	}
}
