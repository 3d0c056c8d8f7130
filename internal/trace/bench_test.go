package trace

import (
	"bytes"
	"io"
	"testing"
)

// benchmarkRecords is a second of a program with many counters and new classes.
func benchmarkRecords() []Record {
	records := []Record{randomSnapshot(10_000)}
	for id := range ClassID(50) {
		for _, r := range sample() {
			if def, ok := r.(*ClassDef); ok {
				def.ID = id
				records = append(records, def)
			}
		}
	}
	return append(records, &Mark{Nanos: 1e9})
}

func BenchmarkWrite(b *testing.B) {
	records := benchmarkRecords()
	size, bytesPerRound := len(encode(b, len(records), records...)), 0
	for _, r := range records {
		var e encoder
		e.appendRecord(r)
		bytesPerRound += len(e.b)
	}
	w := NewWriter(io.Discard)
	b.SetBytes(int64(bytesPerRound))
	for b.Loop() {
		for _, r := range records {
			if err := w.Write(r); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(records))/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64(b.N*10_000)/b.Elapsed().Seconds(), "counters/s")
	b.ReportMetric(float64(size), "stored_bytes/round")
}

func BenchmarkRead(b *testing.B) {
	records := benchmarkRecords()
	file := encode(b, len(records), records...)
	bytesPerRound := 0
	for _, r := range records {
		var e encoder
		e.appendRecord(r)
		bytesPerRound += len(e.b)
	}
	b.SetBytes(int64(bytesPerRound))
	for b.Loop() {
		r, err := NewReader(bytes.NewReader(file))
		if err != nil {
			b.Fatal(err)
		}
		if n := len(drain(b, r)); n != len(records) {
			b.Fatalf("%d records of %d", n, len(records))
		}
	}
	b.ReportMetric(float64(b.N*len(records))/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64(b.N*10_000)/b.Elapsed().Seconds(), "counters/s")
}

// BenchmarkSnapshot measures the size of a snapshot of 10,000 counters.
func BenchmarkSnapshot(b *testing.B) {
	snapshot := randomSnapshot(10_000)
	var size int
	for b.Loop() {
		size = len(encode(b, 1, snapshot))
	}
	b.ReportMetric(float64(size)/10_000, "bytes/counter")
}
