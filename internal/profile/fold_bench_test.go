package profile

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"mallard/internal/profile/profiletest"
	"mallard/internal/trace"
)

// BenchmarkFold folds recordings of different length of one program, 64
// threads with 20,000 counters each that all change between snapshots by
// amounts that do not compress. The metric heap-MB is what is live when the
// recording ends: it must not grow with the recording.
func BenchmarkFold(b *testing.B) {
	for _, megabytes := range []int64{16, 128} {
		b.Run(fmt.Sprintf("%dMB", megabytes), func(b *testing.B) {
			b.SetBytes(megabytes << 20)
			for b.Loop() {
				p, heap := foldLong(b, megabytes<<20)
				b.ReportMetric(float64(heap)/(1<<20), "heap-MB")
				if p.Total.Objects == 0 {
					b.Fatal("nothing was counted")
				}
			}
		})
	}
}

// foldLong folds a recording of at least size bytes while it is being made.
func foldLong(b *testing.B, size int64) (p *Profile, heap uint64) {
	recording, out := io.Pipe()
	go func() { out.CloseWithError(writeLong(out, size)) }()
	p, err := Fold(recording)
	if err != nil {
		b.Fatal(err)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return p, m.HeapInuse
}

const (
	longThreads  = 64
	longCounters = 20000
)

func writeLong(w io.Writer, size int64) error {
	written := &counting{w: w}
	writer := trace.NewWriter(written)
	method := trace.MethodDef{Name: "run", Descriptor: "()V"}
	for i := range uint32(longCounters) {
		method.Sites = append(method.Sites, trace.SiteDef{BCI: int32(i), Type: "[J", Kind: trace.ArrayConst})
		method.Counters = append(method.Counters,
			trace.CounterDef{Counter: i, Semantics: []trace.Term{{Site: i, Coefficient: 1}}})
	}
	err := writer.Write(&trace.ClassDef{Name: "demo/Main", Counters: longCounters, Methods: []trace.MethodDef{method}})
	random := rand.New(rand.NewPCG(1, 2))
	values := make([]trace.CounterValue, longCounters)
	for round := int64(1); err == nil && written.n < size; round++ {
		for thread := range trace.ThreadID(longThreads) {
			for i := range values {
				values[i] = trace.CounterValue{Counter: trace.CounterID(i), Value: round<<40 + random.Int64N(1<<40)}
			}
			if err == nil {
				err = writer.Write(&trace.Snapshot{Nanos: round, Thread: thread, Values: values})
			}
		}
	}
	if err != nil {
		return err
	}
	return writer.Flush()
}

// counting counts what goes to w.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// BenchmarkFoldContexts folds full rounds of the counts of 200,000 contexts. The
// time of a value is the time over rounds and values.
func BenchmarkFoldContexts(b *testing.B) {
	var recording bytes.Buffer
	if err := (profiletest.Large{Contexts: 200000, Threads: 20, Rounds: 10}).Write(&recording); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(recording.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Fold(bytes.NewReader(recording.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
