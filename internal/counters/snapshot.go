package counters

import (
	"fmt"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// KeyframeDue reports whether the next snapshot should be a keyframe.
func (s *Threads) KeyframeDue() bool { return s.out.KeyframeDue(s.keyframe) }

// Snapshot writes what all threads have counted since it was last written; a keyframe, and the last of all, writes
// everything.
func (s *Threads) Snapshot(keyframe, last bool) {
	if keyframe {
		s.beginKeyframe()
	}
	for _, b := range s.memory.Used() {
		s.snapshot(b, s.At(b), keyframe || last)
	}
	if last && len(s.At(abi.OverflowBlock).values) > 0 {
		s.out.Loss("counters", fmt.Sprintf("threads shared counters, and their counts may be too low: more than the "+
			"%d at a time "+
			"that can have some of their own, or threads that the JVM hides", s.memory.Blocks()-1))
	}
}

// beginKeyframe writes what is known of all threads.
func (s *Threads) beginKeyframe() {
	s.keyframe = s.out.Elapsed()
	s.out.Put(&trace.Keyframe{Nanos: s.keyframe})
	for _, b := range s.memory.Used() {
		s.put(s.At(b))
	}
}

func (s *Threads) snapshot(b Block, t *Thread, full bool) {
	snapshot := trace.Snapshot{Nanos: s.out.Elapsed(), Thread: t.record.ID, Full: full}
	var changes []change
	counted := s.counted[:0]
	value := func(c trace.CounterID, v int64) {
		counted = append(counted, c)
		if before := t.values[c]; snapshot.Full || before != v {
			changes = append(changes, change{c, before, v})
			t.values[c] = v
			snapshot.Values = append(snapshot.Values, trace.CounterValue{Counter: c, Value: v})
		}
	}
	err := s.read(b, value)
	s.counted = counted
	if err == nil && len(counted) < len(t.values) {
		zero := emptied(t, counted)
		changes = append(changes, zero...)
		for _, c := range zero {
			snapshot.Values = append(snapshot.Values, trace.CounterValue{Counter: c.counter})
		}
	}
	s.totals.add(changes)
	if err != nil {
		snapshot.Full = false
		s.out.Loss("counters", fmt.Sprintf("the counters of thread %s could not be read: %v", t.record.Name, err))
	}
	if len(snapshot.Values) > 0 {
		s.out.PutDetail(&snapshot)
	}
}

// read yields the counters of classes whose definition has been put into the recording. Which those are is looked up
// after the counters are read: a class may be defined, and count, meanwhile.
func (s *Threads) read(b Block, yield func(trace.CounterID, int64)) error {
	s.values = s.values[:0]
	err := s.reader.Read(b, Range{abi.FirstCounter, s.space.End()}, func(c trace.CounterID, v int64) {
		s.values = append(s.values, trace.CounterValue{Counter: c, Value: v})
	})
	undefined := s.space.Undefined()
	for _, v := range s.values {
		if !undefined.Has(v.Counter) {
			yield(v.Counter, v.Value)
		}
	}
	for _, e := range s.Extensions {
		if err == nil {
			err = e.Counters(b, yield)
		}
	}
	return err
}

// emptied takes note of the thread's counters that are zero again, given those that are not: sums that
// have come back to it.
func emptied(t *Thread, counted []trace.CounterID) (changes []change) {
	counts := make(map[trace.CounterID]bool, len(counted))
	for _, c := range counted {
		counts[c] = true
	}
	for c, before := range t.values {
		if !counts[c] {
			delete(t.values, c)
			changes = append(changes, change{counter: c, before: before})
		}
	}
	return changes
}
