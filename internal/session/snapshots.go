package session

import (
	"fmt"
	"time"

	"mallard/internal/trace"
	"mallard/internal/wire"
)

// snapshots has what was counted written, as often as is wanted.
func (s *Session) snapshots(stop <-chan struct{}) {
	tick := time.NewTicker(s.options.interval())
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			s.readMessages() // an error comes up again in converse
			s.mu.Lock()
			if !s.ended {
				if s.byBytecodes() {
					s.count(false)
				} else {
					s.snapshot(false, 0)
				}
				s.recording.Flush()
			}
			s.mu.Unlock()
		}
	}
}

// fullEvery is how often a snapshot names all counters of a thread, so that a damaged recording has holes in time but not in counts.
const fullEvery = time.Minute

// snapshot writes what all threads have counted since the last one; the last of all writes everything.
//
// allocated is what the JVM says all its threads allocated, in bytes, 0 unknown.
func (s *Session) snapshot(last bool, allocated uint64) {
	mark := &trace.Mark{JVMBytes: allocated, Contexts: s.count(last)}
	if s.byBytecodes() {
		mark.Bytecodes = s.steps()
	}
	mark.Nanos = s.recording.Elapsed()
	s.recording.Put(mark)
}

// count writes what all threads have counted since it was last written, and says whether that is so for contexts as well.
func (s *Session) count(last bool) (contexts bool) {
	started := time.Now()
	contexts = s.contexts != nil && (last || s.contexts.due())
	for _, block := range s.blocks.used() {
		t := s.threadAt(block)
		s.snapshotThread(block, t, last)
		if contexts {
			s.contexts.snapshot(s, block, t, false)
		}
	}
	if contexts {
		s.contextTotals()
		s.contexts.done(started, s.options.Snapshots.Time)
	}
	if last && len(s.threadAt(wire.OverflowBlock).values) > 0 {
		s.recording.Loss("counter-blocks", fmt.Sprintf("threads shared counters, and their counts may be too low: more than the %d at a time that can have some of their own, or threads that the JVM hides", s.blocks.count-1))
	}
	return contexts
}

func (s *Session) snapshotThread(block uint32, t *thread, last bool) {
	now := time.Now()
	if t.full.IsZero() {
		t.full = now
	}
	snapshot := trace.Snapshot{Nanos: s.recording.Elapsed(), Thread: t.record.ID, Full: last || now.Sub(t.full) >= fullEvery}
	if snapshot.Full {
		t.full = now
	}
	counted := s.notZero[:0]
	value := func(c trace.CounterID, v int64) {
		counted = append(counted, c)
		if snapshot.Full || t.values[c] != v {
			s.tally(c, t.values[c], v)
			t.values[c] = v
			snapshot.Values = append(snapshot.Values, trace.CounterValue{Counter: c, Value: v})
		}
	}
	err := s.blocks.read(block, counterRange{0, s.counters.end}, func(c trace.CounterID, v int64) {
		if c >= wire.FirstCounter && !s.counters.isOpen(c) {
			value(c, v)
		}
	})
	if err == nil {
		err = s.contexts.flat(s.blocks, block, value)
	}
	s.notZero = counted
	if err == nil && len(counted) < len(t.values) {
		snapshot.Values = append(snapshot.Values, s.emptied(t, counted)...)
	}
	if err != nil {
		snapshot.Full = false
		s.recording.Loss("counter-blocks", fmt.Sprintf("the counters of thread %s could not be read: %v", t.record.Name, err))
	}
	if len(snapshot.Values) > 0 {
		s.recording.Put(&snapshot)
	}
}

// emptied takes note of the thread's counters that are zero again, given those that are not: packed ones that have just been spilled.
func (s *Session) emptied(t *thread, counted []trace.CounterID) (values []trace.CounterValue) {
	counts := make(map[trace.CounterID]bool, len(counted))
	for _, c := range counted {
		counts[c] = true
	}
	for c, before := range t.values {
		if !counts[c] {
			s.tally(c, before, 0)
			delete(t.values, c)
			values = append(values, trace.CounterValue{Counter: c})
		}
	}
	return values
}
