package recording

import (
	"encoding/binary"
	"iter"
	"slices"
	"testing"
	"time"

	"mallard/internal/trace"
)

// TestEvents gathers events of two rings: all are there, those of a ring in their order, with few records.
func TestEvents(t *testing.T) {
	d := &disk{}
	r := New(d, time.Now(), quiet, nil)
	e := r.Events("test", nil)
	const n, most = 50_000, 20_000
	var data []byte
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data[:0], uint32(i))
		data = append(data, make([]byte, i*i%most/(1+i%100))...)
		e.Add(uint32(i/1000%2), uint16(i%7), data)
	}
	e.Put()
	e.Put()
	r.Finish(true, "ended")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	i, records, bytes := 0, 0, 0
	for _, record := range d.records(t) {
		list, ok := record.(*trace.Events)
		if !ok {
			continue
		}
		records++
		bytes += len(list.Data)
		for kind, data := range list.All() {
			size := 4 + i*i%most/(1+i%100)
			number := int(binary.LittleEndian.Uint32(data))
			if list.Ring != uint32(i/1000%2) || kind != uint16(i%7) || len(data) != size || number != i {
				t.Fatalf("event %d: ring %d, kind %d, %d bytes", i, list.Ring, kind, len(data))
			}
			i++
		}
	}
	if most := n/1000 + 2*bytes/maxEvents; i != n || records > most {
		t.Errorf("%d events of %d in %d records, at most %d", i, n, records, most)
	}
}

// sum is a Follower that adds up.
type sum struct{ events, bytes uint64 }

func (s *sum) Take(_ uint16, data []byte) { s.events, s.bytes = s.events+1, s.bytes+uint64(len(data)) }

func (s *sum) Keyframe() iter.Seq[trace.Record] {
	return slices.Values([]trace.Record{&trace.EventsKeyframe{Lost: s.events}, &trace.EventsKeyframe{Lost: s.bytes}})
}

// TestEventsKeyframe: what a keyframe says is of all events that the file has before it, and of no others, whoever asks
// for it while they come.
func TestEventsKeyframe(t *testing.T) {
	d := &disk{}
	r := New(d, time.Now(), quiet, nil)
	e := r.Events("test", &sum{})
	added := make(chan bool)
	go func() {
		defer close(added)
		for i := range 20_000 {
			e.Add(0, 1, make([]byte, i%50))
		}
		e.Put()
	}()
	keyframes := 0
	for done := false; !done; keyframes++ {
		e.Keyframe()
		select {
		case <-added:
			done = true
		default:
		}
	}
	r.Finish(true, "ended")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	var events, bytes, found uint64
	for _, record := range d.records(t) {
		switch x := record.(type) {
		case *trace.Events:
			events, bytes = events+uint64(len(x.Headers)), bytes+uint64(len(x.Data))
		case *trace.EventsKeyframe:
			if want := [...]uint64{events, bytes}[found%2]; x.Lost != want {
				t.Fatalf("keyframe record %d says %d, the file has %d", found, x.Lost, want)
			}
			found++
		}
	}
	if found != 2*uint64(keyframes) || events != 20_000 {
		t.Errorf("%d of %d records of keyframes, %d events", found, 2*keyframes, events)
	}
}
