package replica

import (
	"cmp"
	"maps"
	"slices"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Records are events that come to the same, as those of a set.
func (s *Samples) Records(set uint32) []*trace.Events {
	w := &setWriter{set: set, records: []*trace.Events{{Observer: Observer}}}
	for _, number := range slices.Sorted(maps.Keys(s.stacks)) {
		w.flush()
		w.row(abi.EventSampledStack)
		w.event = appendStack(w.event, number, s.stacks[number])
	}
	for _, made := range slices.Sorted(maps.Keys(s.made)) {
		row := s.made[made]
		w.row(abi.EventSampledRows)
		w.event = sampledRow{abi.SampledMade: int64(made), abi.SampledObjects: row.watched,
			abi.SampledStandsFor: row.objects, abi.SampledBytes: row.bytes}.append(w.event)
	}
	for _, key := range slices.SortedFunc(maps.Keys(s.pairs), func(a, b [2]uint32) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	}) {
		p := s.pairs[key]
		w.row(abi.EventSampledRows)
		w.event = sampledRow{abi.SampledMade: int64(key[0]), abi.SampledRead: int64(key[1]),
			abi.SampledObjects: p.Count(), abi.SampledStandsFor: p.reads, abi.SampledBytes: p.equalReads,
			abi.SampledEqual: p.Equal, abi.SampledCopies: p.Copies, abi.SampledPartial: p.Partial,
			abi.SampledNear: p.Near, abi.SampledNearEqual: p.NearEqual}.append(w.event)
	}
	for _, made := range slices.Sorted(maps.Keys(s.whole)) {
		for _, hash := range slices.Sorted(maps.Keys(s.whole[made])) {
			w.row(abi.EventSampledWhole)
			w.event = appendWhole(w.event, made, hash, s.whole[made][hash])
		}
	}
	w.flush()
	for _, made := range slices.Sorted(maps.Keys(s.values)) {
		for _, hash := range slices.Sorted(maps.Keys(s.values[made])) {
			w.put(abi.EventSampledValue, s.values[made][hash].encode(set, made, hash))
			w.events++
		}
	}
	w.put(abi.EventSampledEnd, sampledEnd{set, w.events, s.Lost}.encode())
	return w.records
}

// ReadSamples gives what a recording has come to at last, from the events of Observer; nil where it has nothing whole.
// They may be damaged.
func ReadSamples(events []*trace.Events) (last *Samples) {
	now, damaged := NewSamples(), int64(0)
	count, set := int64(0), uint32(0)
	for _, record := range events {
		for kind, data := range record.All() {
			number, end, good := now.decode(kind, data)
			switch {
			case end == nil && !good:
				continue // another's
			case !good:
				now.Damaged++
				continue
			}
			if number != set {
				now, count, set = NewSamples(), 0, number
				now.decode(kind, data)
			}
			if kind != abi.EventSampledEnd {
				count++
				continue
			}
			now.Lost = plus(now.Lost, end.lost)
			damaged = plus(damaged, now.Damaged)
			if count == end.events {
				last = now
			}
			now, count = NewSamples(), 0
		}
	}
	if last != nil {
		last.Damaged = plus(damaged, now.Damaged)
	}
	return last
}
