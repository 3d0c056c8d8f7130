package trace

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var errFull = errors.New("no space left on device")

// disk takes free more bytes, and then as much of a write as it can.
type disk struct {
	bytes.Buffer
	free int
}

func (d *disk) Write(b []byte) (int, error) {
	n := min(d.free, len(b))
	d.free -= n
	d.Buffer.Write(b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

// TestDiskFull fills the disk after every number of bytes, and gives it room
// again before the end.
func TestDiskFull(t *testing.T) {
	want := inOrder()
	for free := range len(encode(t, 1, want...)) {
		d := &disk{free: free}
		w := NewWriter(d)
		failed := false
		for _, r := range want {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				if !errors.Is(err, errFull) {
					t.Fatal(err)
				}
				failed = true
			}
		}
		if !failed {
			t.Fatalf("%d bytes were enough", free)
		}
		d.free = 1 << 20
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		got, damage := decode(t, d.Bytes())
		if diff := cmp.Diff(want, got); diff != "" || lost(damage) != 0 || len(damage) > 1 {
			t.Fatalf("%d bytes: damage %v, -want +got:\n%s", free, damage, diff)
		}
	}
}

// TestDiskFullForLong writes more than the backlog holds.
func TestDiskFullForLong(t *testing.T) {
	d := &disk{free: 100}
	w := NewWriter(d)
	const steps = 60
	classes := 0
	for range steps {
		if err := w.Write(randomSnapshot(100_000)); err != nil && !errors.Is(err, errFull) {
			t.Fatal(err)
		}
		if err := w.Write(&ClassDef{ID: ClassID(classes)}); err != nil {
			t.Fatal(err)
		}
		classes++
		if err := w.Flush(); !errors.Is(err, errFull) {
			t.Fatalf("error %v", err)
		}
		if w.backlog.size > maxBacklog {
			t.Fatalf("backlog has %d bytes", w.backlog.size)
		}
	}
	d.free = 1 << 30
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&End{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	records, damage := decode(t, d.Bytes())
	var snapshots, defs, reported uint64
	for _, r := range records {
		switch r := r.(type) {
		case *Snapshot:
			snapshots++
		case *ClassDef:
			defs++
		case *Loss:
			reported += r.Count
		}
	}
	blocks, dropped := w.Lost()
	if snapshots+dropped != steps || blocks != dropped || reported != dropped || lost(damage) != int64(dropped) ||
		dropped == 0 {
		t.Errorf("%d snapshots, %d dropped in %d blocks, Loss says %d, damage says %d", snapshots, dropped, blocks,
			reported, lost(damage))
	}
	if defs != steps {
		t.Errorf("%d class definitions of %d", defs, steps)
	}
	if records = withoutIndex(records); records[len(records)-1].kind() != kindEnd {
		t.Errorf("last record is %T", records[len(records)-1])
	}
}

// file is a disk whose written part can be written again.
type file struct{ disk }

func (f *file) WriteAt(b []byte, at int64) (int, error) { return copy(f.Bytes()[at:], b), nil }

// TestNote fills the disk for good after every number of bytes that leaves room for the header, and then frees it.
func TestNote(t *testing.T) {
	want := inOrder()
	size := len(encode(t, 1, want...))
	for free := FileHeaderSize; free < size; free++ {
		f := &file{disk{free: free}}
		w := NewWriter(f)
		for _, r := range want {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(); err != nil && !errors.Is(err, errFull) {
				t.Fatal(err)
			}
		}
		got, damage := decode(t, f.Bytes())
		missing := int64(len(want) - len(got))
		if missing == 0 || lost(damage) != missing || len(damage) != 1 ||
			damage[0].Reason != "could not be written: "+errFull.Error() {
			t.Fatalf("%d bytes: %d records missing, damage %v", free, missing, damage)
		}
		f.free = size
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got, damage := decode(t, f.Bytes()); len(got) != len(want) || lost(damage) != 0 {
			t.Fatalf("%d bytes, and room again: %d records of %d, damage %v", free, len(got), len(want), damage)
		}
	}
}

// randomSnapshot has n counters, of which two thirds have small values.
func randomSnapshot(n int) *Snapshot {
	s := &Snapshot{Nanos: 1e9, Thread: 1}
	random := rand.New(rand.NewPCG(1, 2))
	counter := CounterID(0)
	for range n {
		counter += 1 + CounterID(random.IntN(8))
		s.Values = append(s.Values,
			CounterValue{counter, int64(random.ExpFloat64() * float64(int64(1)<<random.IntN(40)))})
	}
	return s
}

func TestTooLarge(t *testing.T) {
	d := &disk{free: 1 << 30}
	w := NewWriter(d)
	huge := &ClassDef{Name: string(make([]byte, maxBlock))}
	for _, r := range []Record{&Mark{Nanos: 1}, huge, &Mark{Nanos: 2}} {
		if err := w.Write(r); errors.Is(err, ErrTooLarge) != (r == huge) {
			t.Errorf("%s: error %v", r.kind(), err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	got, damage := decode(t, d.Bytes())
	if diff := cmp.Diff([]Record{&Mark{Nanos: 1}, &Mark{Nanos: 2}}, got); diff != "" || len(damage) > 0 {
		t.Errorf("damage %v, -want +got:\n%s", damage, diff)
	}
}
