package replica

import (
	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/trace"
)

// Gone takes an event of numbers that others may have from here on. What is known of these classes is given as events
// of a set of its own, and forgotten; nil: nothing is.
func (t *Totals) Gone(set uint32, data []byte) []*trace.Events {
	numbers, good := heap.DecodeGone(data)
	if !good {
		return nil
	}
	gone := NewTotals()
	for number := range numbers {
		c := t.classes[number]
		if c == nil {
			continue
		}
		if !t.isOther(c) {
			gone.classes[number] = c
		}
		t.drop(number)
	}
	t.Define(abi.EventHeapGone, data)
	if len(gone.classes) == 0 {
		return nil
	}
	return gone.goneRecords(set)
}
