package trace

import (
	"io"
	"runtime"
	"testing"
)

// TestBoundedMemory writes a long recording straight into a Reader.
func TestBoundedMemory(t *testing.T) {
	const rounds = 150
	out, in := io.Pipe()
	go func() {
		snapshot := randomSnapshot(100_000)
		w := NewWriter(in)
		for range rounds {
			if err := w.Write(snapshot); err != nil {
				in.CloseWithError(err)
				return
			}
		}
		in.CloseWithError(w.Flush())
	}()
	r, err := NewReader(out)
	if err != nil {
		t.Fatal(err)
	}
	var most uint64
	for n := 0; ; n++ {
		_, err := r.Next()
		if err == io.EOF {
			if n != rounds || len(r.Damage()) > 0 {
				t.Errorf("%d records, damage %v", n, r.Damage())
			}
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if n%10 == 0 {
			var stats runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapAlloc)
		}
	}
	if most > 4*maxBlock {
		t.Errorf("%d MB in use", most>>20)
	}
	t.Logf("%d bytes read, at most %d MB in use", r.src.offset, most>>20)
}
