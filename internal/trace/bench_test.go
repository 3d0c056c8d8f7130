package trace

import (
	"bytes"
	"io"
	"math/rand/v2"
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

// payloadSize is the size of records in one block, decompressed.
func payloadSize(records []Record) int64 {
	var e encoder
	for _, r := range records {
		e.appendRecord(r)
	}
	return int64(len(e.b))
}

func BenchmarkWrite(b *testing.B) {
	records := benchmarkRecords()
	size := len(encode(b, len(records), records...))
	w := NewWriter(io.Discard)
	b.SetBytes(payloadSize(records))
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
	b.SetBytes(payloadSize(records))
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

// BenchmarkSnapshot measures the size of a snapshot of 10,000 counters after a
// simulated minute. Their rates differ widely: half count up to 40 times a
// second, a few millions of times. It compares totals, which the format has,
// with differences.
func BenchmarkSnapshot(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 6))
	totals, differences := &Snapshot{Thread: 1}, &Snapshot{Thread: 1}
	counter := CounterID(0)
	for range 10_000 {
		counter += 1 + CounterID(random.IntN(9))
		u := random.Float64()
		rate := 10 / (u*u + 1e-7)
		second := func() int64 { return 1 + int64(rate*(0.5+random.Float64())) }
		var total int64
		for range 60 {
			total += second()
		}
		totals.Values = append(totals.Values, CounterValue{counter, total})
		differences.Values = append(differences.Values, CounterValue{counter, second()})
	}
	for name, snapshot := range map[string]*Snapshot{"totals": totals, "differences": differences} {
		b.Run(name, func(b *testing.B) {
			var size int
			for b.Loop() {
				size = len(sealBlock(newCompressor(1), blockHeader{records: 1}, snapshotPayload(snapshot)))
			}
			b.ReportMetric(float64(size)/10_000, "bytes/counter")
		})
	}
}

func snapshotPayload(s *Snapshot) []byte {
	var e encoder
	e.appendRecord(s)
	return e.b
}
