package replica

import (
	"encoding/binary"
	"maps"
	"slices"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Bytes of events, and of the records that they are in.
const (
	eventBytes  = 4 << 10
	recordBytes = 32 << 10
)

// setWriter makes the events of a set.
type setWriter struct {
	set     uint32
	records []*trace.Events
	events  int64
	kind    uint16
	event   []byte // with rows of that kind
}

// row makes room for a row of a kind, which the caller appends to event.
func (w *setWriter) row(kind uint16) {
	if w.kind == kind && len(w.event) < eventBytes {
		return
	}
	w.flush()
	w.kind, w.event = kind, binary.LittleEndian.AppendUint32(nil, w.set)
}

// flush ends the event that rows are put into.
func (w *setWriter) flush() {
	if w.event != nil {
		w.put(w.kind, w.event)
		w.events++
	}
	w.kind, w.event = 0, nil
}

func (w *setWriter) put(kind uint16, event []byte) {
	last := w.records[len(w.records)-1]
	if len(last.Data) > recordBytes {
		last = &trace.Events{Observer: Observer}
		w.records = append(w.records, last)
	}
	last.Headers = append(last.Headers, trace.EventHeader{Kind: kind, Bytes: uint32(len(event))})
	last.Data = append(last.Data, event...)
}

// Records are events that come to the same, as those of a set.
func (t *Totals) Records(set uint32) []*trace.Events {
	t.dropOthers()
	w := &setWriter{set: set, records: []*trace.Events{{Observer: Observer}}}
	w.patterns(abi.EventReplicaChosen, t.Classes)
	w.patterns(abi.EventReplicaIn, t.Methods)
	w.classes(t.classes)
	w.put(abi.EventReplicaEnd, end{t.Work, set, w.events}.encode())
	return w.records
}

// patterns writes those that there are.
func (w *setWriter) patterns(kind uint16, text string) {
	if text != "" {
		w.put(kind, append(binary.LittleEndian.AppendUint32(nil, w.set), text...))
		w.events++
	}
}

// goneRecords are the same, where no classes of these numbers will be in later sets.
func (t *Totals) goneRecords(set uint32) []*trace.Events {
	w := &setWriter{set: set, records: []*trace.Events{{Observer: Observer}}}
	w.classes(t.classes)
	w.put(abi.EventReplicaGone, encodeGone(set, w.events))
	return w.records
}

// kinds are those of events, by stage.
var kinds = [stages]struct{ sums, groups uint16 }{
	atBirth: {abi.EventReplicaSums, abi.EventReplicaGroups},
	lived:   {abi.EventReplicaLivedSums, abi.EventReplicaLivedGroups},
}

// classes writes what is known of classes, by number.
func (w *setWriter) classes(classes map[uint32]*class) {
	numbers := slices.Sorted(maps.Keys(classes))
	for _, number := range numbers {
		if is := classes[number].is; is.Name != "" {
			w.put(abi.EventReplicaClass, classRow{number, is}.encode(w.set))
			w.events++
		}
	}
	for at := range stages {
		for _, number := range numbers {
			for hash, g := range classes[number].sets[at].sorted() {
				w.row(kinds[at].groups)
				w.event = appendGroup(w.event, groupRow{at, number, hash, g.objects, g.size})
			}
		}
	}
	for _, number := range numbers {
		values := classes[number].values
		for _, hash := range slices.Sorted(maps.Keys(values)) {
			w.flush()
			w.put(abi.EventReplicaValue, valueRow{number, hash, values[hash]}.encode(w.set))
			w.events++
		}
	}
	for at := range stages {
		for _, number := range numbers {
			s := &classes[number].sets[at]
			if at != atBirth && s.objects == 0 && s.unknown == 0 {
				continue
			}
			w.row(kinds[at].sums)
			w.event = appendSums(w.event, sums{at, number, s.objects, s.bytes, s.unknown, s.level})
		}
	}
	w.flush()
}
