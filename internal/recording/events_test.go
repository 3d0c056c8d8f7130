package recording

import (
	"encoding/binary"
	"testing"
	"time"

	"mallard/internal/trace"
)

// TestEvents gathers events of two rings: all are there, those of a ring in their order, with few records.
func TestEvents(t *testing.T) {
	d := &disk{}
	r := New(d, time.Now(), quiet, nil)
	e := r.Events("test")
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
