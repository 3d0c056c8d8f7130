package replica

import (
	"maps"
	"slices"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/trace"
)

// Observer is whose events these are, in --track and in recordings.
const Observer = "replicas"

// Read gives what a recording has come to at last, from the events of Observer, in the order in which they were
// recorded; nil where it has nothing whole. They may be damaged.
func Read(events []*trace.Events) (last *Totals) {
	now, gone, damaged := NewTotals(), newEnded(), int64(0)
	for _, record := range events {
		for kind, data := range record.All() {
			ended, whole := now.Add(kind, data)
			if !ended {
				continue
			}
			damaged = plus(damaged, now.Damaged)
			switch {
			case kind == abi.EventReplicaGone && whole:
				gone.add(now)
				last.without(now)
			case kind == abi.EventReplicaGone:
				damaged = plus(damaged, 1)
			case whole:
				last = now
			}
			now = NewTotals()
		}
	}
	if last == nil {
		return nil
	}
	last.Damaged = plus(damaged, now.Damaged)
	last.Damaged = plus(last.Damaged, gone.totals.Damaged)
	last.LeftOut = plus(last.LeftOut, gone.totals.LeftOut)
	maps.Copy(last.classes, gone.totals.classes)
	return last
}

// without forgets the classes of a set that are gone.
func (t *Totals) without(gone *Totals) {
	if t == nil {
		return
	}
	for number, c := range gone.classes {
		if of := t.classes[number]; of != nil && of.is == c.is {
			t.drop(number)
		}
	}
}

// maxEnded bounds the classes of which that is known.
const maxEnded = abi.HeapClasses

// ended is what is known of classes that have no number any more. Here they have one that the agent gives to nobody.
type ended struct {
	totals  *Totals
	numbers map[heap.Identity]uint32
}

func newEnded() ended { return ended{NewTotals(), map[heap.Identity]uint32{}} }

// add adds a set.
func (e ended) add(set *Totals) {
	for _, number := range slices.Sorted(maps.Keys(set.classes)) {
		c := set.classes[number]
		if c.is.Name == "" {
			e.totals.Damaged = plus(e.totals.Damaged, 1)
			continue
		}
		number, known := e.numbers[c.is]
		if !known && len(e.numbers) == maxEnded {
			e.totals.LeftOut = plus(e.totals.LeftOut, 1)
			continue
		}
		if !known {
			number = abi.HeapClasses + uint32(len(e.numbers))
			e.numbers[c.is] = number
			e.totals.class(number).is = c.is
		}
		for at, s := range c.sets {
			e.totals.Objects = plus(e.totals.Objects, s.objects)
			e.totals.addSums(sums{stage(at), number, s.objects, s.bytes, s.unknown, s.level})
			for hash, g := range s.sorted() {
				e.totals.addGroup(groupRow{stage(at), number, hash, g.objects, g.size})
			}
		}
		for _, hash := range slices.Sorted(maps.Keys(c.values)) {
			e.totals.addValue(valueRow{number, hash, c.values[hash]})
		}
	}
}
