package replica

import "mallard/internal/trace"

// Observer is whose events these are, in --track and in recordings.
const Observer = "replicas"

// Read gives what a recording has come to at last, from the events of Observer, in the order in which they were
// recorded; nil where it has nothing whole. They may be damaged.
func Read(events []*trace.Events) (last *Totals) {
	now, damaged := NewTotals(), int64(0)
	for _, record := range events {
		for kind, data := range record.All() {
			ended, whole := now.Add(kind, data)
			if !ended {
				continue
			}
			damaged = plus(damaged, now.Damaged)
			if whole {
				last = now
			}
			now = NewTotals()
		}
	}
	if last != nil {
		last.Damaged = plus(damaged, now.Damaged)
	}
	return last
}
