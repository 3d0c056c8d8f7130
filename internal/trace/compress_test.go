package trace

import (
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"testing"
)

// TestEventsBeside writes more events than one goroutine compresses, definitions and snapshots among them, onto a disk
// that is full for a while or not: all are there, and in their order.
func TestEventsBeside(t *testing.T) {
	for name, full := range map[string][2]int{"no trouble": {}, "full from the start": {0, 20}, "full later": {9, 21}} {
		t.Run(name, func(t *testing.T) {
			d := &disk{free: 1 << 30}
			w := NewWriter(d)
			var want []Record
			for round := range 40 {
				if round == full[0] && full[1] > 0 {
					d.free = 1000
				}
				if round == full[1] {
					d.free = 1 << 30
				}
				records := []Record{&Mark{Nanos: int64(round)}}
				for n := range 7 {
					data := make([]byte, 60_000)
					for i := 0; i < len(data); i += 8 {
						binary.LittleEndian.PutUint32(data[i:], uint32(round*n+i/64))
					}
					records = append(records, &Events{
						Observer: "test", Ring: 1, Headers: []EventHeader{{uint16(n), uint32(len(data))}}, Data: data,
					})
				}
				if round%10 == 3 {
					records = append(records, &Loss{Kind: "test", Count: uint64(round)})
				}
				for _, r := range records {
					if err := w.Write(r); err != nil && !errors.Is(err, errFull) {
						t.Fatal(err)
					}
				}
				want = append(want, records...)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if w.backlog.bulk.running != 0 || len(w.backlog.blocks) != 0 {
				t.Errorf("%d blocks are being compressed, %d wait", w.backlog.bulk.running, len(w.backlog.blocks))
			}
			got, damage := decode(t, d.Bytes())
			got = slices.DeleteFunc(got, func(r Record) bool { return r.kind() == kindIndex })
			if !slices.EqualFunc(got, want, func(g, w Record) bool {
				return reflect.DeepEqual(g, w)
			}) || lost(damage) != 0 {
				t.Errorf("damage %v, %d records of %d, or others", damage, len(got), len(want))
			}
		})
	}
}
